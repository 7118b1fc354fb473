"""A fake model provider on the loopback: `sab fake` serves it, and all tests use it."""
