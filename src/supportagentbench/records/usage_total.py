"""Usage total: what one role's model calls used in one conversation, or in many."""

from collections.abc import Iterable

from supportagentbench.records.record import Record
from supportagentbench.records.transcript import Transcript
from supportagentbench.records.usage import Usage

MOST_SUBSTITUTES = 20
"""Names that are kept: a server may make up a new one for every answer."""


class UsageTotal(Record):
    """Calls, tokens and dollars of one role."""

    role: str
    calls: int = 0
    attempts: int = 0
    lost: int = 0
    input: int = 0
    cache_read: int = 0
    cache_write: int = 0
    output: int = 0
    reasoning: int = 0
    cost: float | None = 0.0
    """Dollars; None as soon as the price of a single call is unknown."""
    substitutes: tuple[str, ...] = ()
    """Models as which the server answered, if they are not the one that was asked for."""
    understated: int = 0
    """Calls for which the provider named a cost that is too low to be right; the price table's counts."""
    named: int = 0
    """Calls whose cost is the one that the provider named."""

    def and_also(self, other: "UsageTotal") -> "UsageTotal":
        """Both bills of one role in one."""
        return UsageTotal(
            role=self.role,
            calls=self.calls + other.calls,
            attempts=self.attempts + other.attempts,
            lost=self.lost + other.lost,
            input=self.input + other.input,
            cache_read=self.cache_read + other.cache_read,
            cache_write=self.cache_write + other.cache_write,
            output=self.output + other.output,
            reasoning=self.reasoning + other.reasoning,
            cost=None if self.cost is None or other.cost is None else self.cost + other.cost,
            substitutes=self.substitutes
            if self.substitutes == other.substitutes
            else tuple(sorted({*self.substitutes, *other.substitutes})[:MOST_SUBSTITUTES]),
            understated=self.understated + other.understated,
            named=self.named + other.named,
        )


def bill_of(usage: Usage) -> UsageTotal:
    """What one call used; a call that was never made costs nothing."""
    cost = None if usage.cost_by == "provider" and not usage.cost else usage.cost  # Its zero is no price.
    return UsageTotal(
        role=usage.role,
        calls=1,
        attempts=usage.attempts,
        lost=usage.lost,
        input=usage.input,
        cache_read=usage.cache_read,
        cache_write=usage.cache_write,
        output=usage.output,
        reasoning=usage.reasoning,
        cost=cost if usage.attempts else 0.0,
        substitutes=(usage.model,) if usage.asked else (),
        understated=int(usage.is_understated),
        named=int(usage.cost_by == "provider"),
    )


def bills(transcript: Transcript) -> tuple[UsageTotal, ...]:
    """What the model calls of a conversation used, one total per role."""
    return added(bill_of(usage) for turn in transcript.turns for usage in turn.usage)


def added(found: Iterable[UsageTotal]) -> tuple[UsageTotal, ...]:
    """Bills of many conversations, added up role by role."""
    sums: dict[str, UsageTotal] = {}
    for bill in found:
        before = sums.get(bill.role)
        sums[bill.role] = bill if before is None else before.and_also(bill)
    return tuple(sums.values())
