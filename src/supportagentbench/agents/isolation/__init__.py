"""Isolation: an agent that is not trusted, in a process of its own that gets only messages and tools."""
