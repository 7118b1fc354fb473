"""Examined: a printed statement, the test it was put to, and what came of it."""

from typing import Literal

from supportagentbench.records.record import Record

Outcome = Literal["contradicted", "cannot be told", "survives"]


class Examined(Record):
    """One statement of the pages against their figures."""

    says: str
    """In our words."""
    where: str
    """The page it stands on."""
    test: str
    outcome: Outcome
    reason: str
