"""The worlds that come with the package: each folder is a shop."""

DEFAULT_WORLD = "northline"
"""The one that is meant where none is named."""
