"""Runs become a folder of pages: complete without JavaScript, without a server, without a network."""
