"""Forks: decisions of recorded conversations, made again by any agent from the same point on."""
