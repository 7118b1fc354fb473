"""Worlds that come with the package: each folder is a shop."""

DEFAULT_WORLD = "northline"
"""The world to use if none is named."""
