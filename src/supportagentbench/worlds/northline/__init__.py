"""Northline: a web store for premium travel goods."""
