"""Conversations, runs and jobs: a case becomes a transcript."""
