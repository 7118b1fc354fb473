"""Desk answer: how the figures of the page on a desk are printed."""

from collections.abc import Mapping, Sequence

from supportagentbench.board.claims import LEVEL
from supportagentbench.board.desk import AgentMonth
from supportagentbench.board.loss import Kind
from supportagentbench.board.recommendation_words import rounded
from supportagentbench.records.case import Bucket
from supportagentbench.site.number import NONE, whole

GROUPS: dict[Bucket, str] = {
    "resolvable": "Routine tickets",
    "must_escalate": "Tickets that need a human",
    "adversarial": "Attempted abuse",
}


def share(kinds: Sequence[Kind], mix: Mapping[str, float], bucket: Bucket) -> float:
    """The share of one group of tickets in the mix."""
    total = sum(mix[kind.name] for kind in kinds)
    return sum(mix[kind.name] for kind in kinds if kind.bucket == bucket) / total


def gap_words(month: AgentMonth, other: AgentMonth, tests: int) -> str:
    """How much more or less an agent costs, by the printed figures, and whether that could be chance."""
    if month.gap is None or month.loss is None or other.loss is None:
        return NONE
    more = rounded(month.loss.value) - rounded(other.loss.value)
    amount = f"${abs(more):,} {'more' if more >= 0 else 'less'}"
    return amount if month.gap.p * tests <= LEVEL else f"{amount} (could be chance)"


def counted(value: float) -> str:
    """A number of tickets, rounded, but never to none where there are some."""
    return "under 1" if 0 < value <= 0.5 else whole(round(value))
