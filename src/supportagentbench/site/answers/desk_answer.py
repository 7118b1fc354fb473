"""Desk answer: what the agent to use costs at one desk, and how the figures of the page are printed."""

from collections.abc import Iterator, Mapping, Sequence

from supportagentbench.board.claims import LEVEL
from supportagentbench.board.desk import AgentMonth, SupportDesk
from supportagentbench.board.loss import DeskSettings, Gap, Kind
from supportagentbench.board.recommendation import BoardRecommendation
from supportagentbench.board.recommendation_words import WORDS, about, then_words
from supportagentbench.records.case import Bucket
from supportagentbench.site.number import NONE, money, whole

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


def gap_words(found: Gap | None, tests: int) -> str:
    """A difference as text: how much more or less, or that it is not significant."""
    if found is None:
        return NONE
    amount = f"{money(abs(found.value))} {'more' if found.value >= 0 else 'less'}"
    return amount if found.p * tests <= LEVEL else f"no significant difference: {amount}"


def signed(dollars: float) -> str:
    """Dollars that may be negative, to the cent: the rest of a sum that should be zero is zero."""
    cents = round(dollars, 2)
    return ("−" if cents < 0 else "") + money(abs(cents))


def counted(value: float) -> str:
    """A number of tickets, rounded."""
    return whole(round(value))
