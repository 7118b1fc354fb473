"""Opinions on transcripts: models, rules, people, and how well they agree."""
