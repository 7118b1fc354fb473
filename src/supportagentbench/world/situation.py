"""Situation: one request, as much of it as is known; and facts: single words about it, for the policy.

A fact is read from what a look-up shows or from what the customer has said so far. Because these are its only
inputs, no label can depend on something that the agent could not have known.
"""

from collections.abc import Callable
from datetime import date
from typing import Any, NamedTuple

from supportagentbench.records.record import Record

CUSTOMER = "customer"
"""The source of a fact that only the customer's words give."""


class Situation(Record):
    """One request about one subject, as much of it as is known at this moment."""

    today: date
    measures: Any
    """Of the policy, in the world's own record."""
    seen: Any
    """What the look-ups showed, in the world's own record."""
    request: str
    arguments: dict[str, Any] = {}
    """What the request names: a line, a variant, an address."""
    disclosed: dict[str, str] = {}
    """What the customer has said or shown so far."""


class FactReader(NamedTuple):
    """One word about a situation: what it can be, where it is read, and how."""

    values: tuple[str, ...]
    source: str
    """The look-up that shows it, or `customer`."""
    read: Callable[[Situation], str]
    otherwise: Callable[[Situation, set[str]], tuple[str, ...]] | None = None
    """(situation, look-ups made) -> the values it can still have without its own look-up; None: any."""
    compares: Callable[[Situation], int] | None = None
    """How many entries have to be compared to read it here: a day with today, a count with a count, a line
    with its parcel; None: none."""
    needs_record: bool = True
    """Whether it is read from the record; without one it is then unknown."""

    def could_be(self, now: Situation, seen: set[str]) -> tuple[str, ...]:
        """The values it can still have after only these look-ups."""
        return self.otherwise(now, seen) if self.otherwise else self.values

    def comparisons(self, now: Situation) -> int:
        """How many comparisons it takes to read it here."""
        return self.compares(now) if self.compares else 0


def said(name: str, *values: str) -> FactReader:
    """A fact only the customer can give; the first value holds while nothing was said."""
    return FactReader(values, CUSTOMER, lambda now: now.disclosed.get(name, values[0]), needs_record=False)
