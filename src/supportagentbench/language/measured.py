"""Measured: how well customers hear, each on messages that it had not learned from.

The figures were printed by `bench/hearing.py PART`; tests/corpus/README.md describes the messages.
"""

from typing import NamedTuple


class HearingFigures(NamedTuple):
    """One reader's errors on one part of the corpus."""

    reader: str
    part: str
    messages: int
    wrong_acts: int
    """Messages in which any speech act was heard wrongly or missed."""
    answered: int
    listened_for: int
    """Of the answered ones: those with an error in what this customer listens for."""
    wrong_turns: int
    """Of the answered ones: those after which the customer does something else than it should."""
    reports: int
    understood: int
    """Of the first reports of a finished change."""


HEARING = (
    HearingFigures("scripted", "fourth", 336, 77, 292, 29, 7, 81, 81),
    HearingFigures("a language model", "sealed", 477, 103, 432, 43, 4, 110, 110),
    HearingFigures("tables alone", "fourth", 336, 234, 292, 112, 47, 81, 81),
)
SCRIPTED_WRONG_TURNS = HEARING[0].wrong_turns / HEARING[0].answered
