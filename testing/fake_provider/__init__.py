"""A fake model provider for tests and benchmarks; not part of the installed package."""
