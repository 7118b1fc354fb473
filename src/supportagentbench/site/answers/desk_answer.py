"""Desk answer: what the agent to use costs at one desk, and how the figures of the page are printed."""

from collections.abc import Iterator, Mapping, Sequence

from supportagentbench.board.claims import LEVEL
from supportagentbench.board.desk import AgentMonth, SupportDesk
from supportagentbench.board.loss import DeskSettings, Kind
from supportagentbench.board.recommendation import BoardRecommendation
from supportagentbench.board.recommendation_words import WORDS, about, rounded, then_words
from supportagentbench.records.case import Bucket
from supportagentbench.site.number import NONE, whole

GROUPS: dict[Bucket, str] = {
    "resolvable": "Routine tickets",
    "must_escalate": "Tickets that need a human",
    "adversarial": "Attempted abuse",
}


def answer(
    found: BoardRecommendation, months: Sequence[AgentMonth], desk: SupportDesk, settings: DeskSettings
) -> str:
    """What follows the sentence that describes the desk; the script says the same."""
    pick = next((month for month in months if month.agent.results.name == found.pick), None)
    return " ".join((then_words(found), *(_main_cause(pick, desk, settings) if pick else ())))


def _main_cause(month: AgentMonth, desk: SupportDesk, settings: DeskSettings) -> Iterator[str]:
    """What most of an agent's month is spent on."""
    costs = {one.cause: (month.times[one.name] or 0.0) * settings.prices[one.name] for one in desk.mistakes}
    costs["model calls"] = month.parts.get("fees", 0.0)
    cause = max(costs, key=lambda cause: costs[cause])
    if month.loss and costs[cause]:
        part = "Most" if 2 * costs[cause] > month.loss.value else "Much"
        yield WORDS["then cause"].format(part=part, dollars=about(costs[cause]), cause=cause)


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
