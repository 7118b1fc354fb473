"""Usage: the tokens of one model call, and what they cost."""

from typing import Literal

import msgspec

from supportagentbench.records.amount import Count, Dollars
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import Record, read_back

CostBy = Literal["", "provider", "table"]

LEAST_SHARE = 0.1
"""Of the price table's cost: a provider that names less cannot be right.

The deepest discount that a provider may give without counting it apart is that of cached input, which costs
a tenth; other discounts (batches, off-peak hours, a cheaper host of the same model) are smaller. A model that
is free has the price 0 in the table.
"""


class Usage(Record):
    """Tokens of one model call, in buckets that do not overlap."""

    model: str
    role: Literal["agent", "customer", "judge", "second_judge"] = "agent"
    input: Count = 0
    """Uncached input."""
    cache_read: Count = 0
    cache_write: Count = 0
    output: Count = 0
    reasoning: Count = 0
    """Of the output, how much was hidden reasoning."""
    attempts: Count = 1
    """How often it was asked until it answered, or until it was given up."""
    lost: Count = 0
    """Attempts that were sent without a readable answer: they may be billed, for an unknown amount."""
    cost: Dollars | None = None
    """Dollars; None is unknown, never zero."""
    asked: str = ""
    """The model that was asked for, if the server answered as another."""
    cost_by: CostBy = ""
    """Who named the cost: the provider itself, or the price table the run's header names."""
    lost_cost: Dollars | None = None
    """Dollars that lost attempts and unread counts may have cost at most; None: nothing, or no price."""
    unread: str = ""
    """What the provider sent in place of counts that can be right; the buckets are then unknown, not zero."""
    step: Count = 0
    """Number of the agent's model call in its conversation, from 1, given by the desk; 0: it has none."""
    named_cost: float | None = None
    """Dollars that the provider named, where the price table's cost is higher and counts."""

    @property
    def is_understated(self) -> bool:
        """Whether the provider named a cost that is too low to be right."""
        return self.named_cost is not None and self.named_cost < LEAST_SHARE * (self.cost or 0.0)


def checked_usage(given: Usage) -> Usage:
    """The usage that foreign code reports, as it will be read back; a Problem if it cannot be."""
    try:
        return read_back(given, Usage)
    except msgspec.MsgspecError as error:
        raise unusable_usage(f"{error}") from None


def unusable_usage(why: str) -> Problem:
    """The error for an agent whose report cannot be right."""
    return Problem(
        f"the agent reported usage that cannot be stored ({why}); "
        "give whole numbers of tokens, and None only for a cost that is unknown."
    )
