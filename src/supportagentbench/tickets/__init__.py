"""Tickets: exports of support desks, read into one record."""
