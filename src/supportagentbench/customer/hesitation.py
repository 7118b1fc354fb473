"""Hesitation: a customer who does not say yes right away, or first gives a wrong number."""

import re
from typing import NamedTuple

from supportagentbench.customer.next_turn import NextTurn
from supportagentbench.language.proposal import is_free_of_charge
from supportagentbench.records.case import Brief, CustomerFact
from supportagentbench.records.vocabulary import HAND_OVER

LONG_NUMBER = 4
"""Shortest number that can be mistyped, in characters."""


class Slip(NamedTuple):
    """A detail given wrongly, and the right one."""

    says: str
    correction: str


class Hesitation:
    """How one customer hesitates, until it has."""

    def __init__(self, brief: Brief) -> None:
        self.kind = brief.hesitates
        self.weighs: tuple[str, ...] = ()
        """Acts that it would agree to, if it were not hesitating."""

    def hear(self, words: str) -> None:
        """Once it knows that it is free, it has nothing left to ask."""
        if is_free_of_charge(words) and self.kind != "corrects":
            self.kind = ""

    def holds_back(self, plan: NextTurn, acts: tuple[str, ...]) -> bool:
        """Whether it asks back or sets a condition where it was going to say yes to these acts."""
        if plan.does("ask_back", "half_yes"):
            self.weighs += acts
            return True
        if self.kind in ("asks_back", "half_yes") and HAND_OVER not in acts:
            plan.add("ask_back" if self.kind == "asks_back" else "half_yes")
            plan.progress, self.kind, self.weighs = True, "", acts
            return True
        self.weighs = ()
        return False

    def slip(self, fact: CustomerFact) -> Slip | None:
        """The fact as it mistypes it, once."""
        slip = slip_of(fact) if self.kind == "corrects" else None
        if slip:
            self.kind = ""
        return slip


def slip_of(fact: CustomerFact) -> Slip | None:
    """The fact with its number cut short, as in a hurry; None without a single long number."""
    numbers = re.findall(r"#?\d+", fact.says)
    if len(numbers) != 1 or len(numbers[0]) < LONG_NUMBER or fact.discloses:
        return None
    return Slip(fact.says.replace(numbers[0], numbers[0][:-1]), numbers[0])
