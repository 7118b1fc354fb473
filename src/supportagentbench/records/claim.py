"""Claim: one sentence that compares, and the test behind it."""

from typing import Literal

from supportagentbench.records.record import Record

Kind = Literal["beats", "dominates", "unstable", "correlates"]


class Claim(Record):
    """A sentence that may only be printed if its test supports it."""

    kind: Kind
    sentence: str
    holds: bool
    test: str
    """The test, and what it was run on."""
    value: float
    """What decides: a p-value after correction, a probability, an interval's closer end."""
    needs: str
    """What the value had to be, such as `<= 0.05`."""
    metric: str = ""
    subject: str = ""
    other: str = ""
