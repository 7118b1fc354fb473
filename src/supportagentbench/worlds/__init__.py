"""The worlds that come with the package: each folder is a shop."""
