"""Formats: one module for each desk, with the fields as the desk names them."""
