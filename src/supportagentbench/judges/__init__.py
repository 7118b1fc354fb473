"""Opinions on transcripts: models, rules, people, and how far they agree."""
