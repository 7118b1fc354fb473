"""Forks: decisions in recorded conversations, made again by any agent from the same point."""
