"""Sentences of a report, written by code from figures and claims. They count; they never compare."""
