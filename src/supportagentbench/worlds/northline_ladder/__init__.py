"""Northline with harder cases: principles in place of stories, and richer records."""
