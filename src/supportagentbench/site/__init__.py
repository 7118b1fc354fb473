"""Turns runs into a folder of pages that needs no JavaScript, server or network."""
