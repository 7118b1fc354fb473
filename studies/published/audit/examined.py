"""Examined: a printed statement, its test and the outcome."""

from typing import Literal

from supportagentbench.records.record import Record

Outcome = Literal["contradicted", "undecided", "survives"]


class Examined(Record):
    """One statement of the pages, tested on their figures."""

    says: str
    """In our words."""
    where: str
    """The page it is on."""
    test: str
    outcome: Outcome
    reason: str
