"""Verdicts become a Board: metrics, intervals, standings."""
