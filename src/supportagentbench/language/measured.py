"""Measured: how well customers hear, on the sealed part of the corpus, opened once.

The figures are what `bench/hearing.py sealed` printed; on which words, says tests/corpus/README.md.
"""

from typing import NamedTuple


class HearingFigures(NamedTuple):
    """One reader's errors over the same messages."""

    reader: str
    wrong_acts: int
    """Messages in which any speech act was heard wrongly or missed."""
    listened_for: int
    """Of the answered ones: those with an error in what this customer listens for."""
    wrong_turns: int
    """Of the answered ones: those after which the customer does something else than it should."""
    reports: int
    """First reports of a finished change that were understood."""


MESSAGES, ANSWERED, REPORTS = 477, 432, 110
"""Of the sealed part: all messages of agents, those a customer answered, and first reports of changes."""

HEARING = (
    HearingFigures("scripted", 143, 78, 16, 110),
    HearingFigures("a language model", 103, 43, 4, 110),
    HearingFigures("tables alone", 321, 205, 71, 110),
)
SCRIPTED_WRONG_TURNS = HEARING[0].wrong_turns / ANSWERED
