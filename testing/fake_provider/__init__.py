"""Tools for those who work on the benchmark itself."""
