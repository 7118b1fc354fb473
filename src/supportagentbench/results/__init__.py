"""Stored runs with their verdicts: loaded, scored and searched."""
