"""Desk answer: which agent costs least at one desk, and the sentences that say so."""

from collections.abc import Iterator, Mapping, Sequence
from math import floor

from supportagentbench.board.claims import LEVEL
from supportagentbench.board.desk import (
    AgentMonth,
    AgentOnDesk,
    SupportDesk,
    abuse_share,
    cheapest_first,
    leading,
)
from supportagentbench.board.limits import LIMITS
from supportagentbench.board.loss import ONE_IN, DeskSettings, Gap, Kind
from supportagentbench.records.case import Bucket
from supportagentbench.site.answers.prose.words import listed
from supportagentbench.site.answers.takes import beyond_words
from supportagentbench.site.number import NONE, money, percent, whole

GROUPS: dict[Bucket, str] = {
    "resolvable": "Routine tickets",
    "must_escalate": "Tickets that need a human",
    "adversarial": "Attempted abuse",
}


def breaks_words(agent: AgentOnDesk) -> str:
    """Why an agent is outside the limits, as text: people in danger first; empty if it is within them."""
    danger, beyond = agent.danger, beyond_words(agent.results, LIMITS)
    missed = f"misses people in danger in {danger.missed} of {danger.of} conversations"
    return " and ".join(filter(None, (missed if danger.missed else "", beyond)))


def answer(months: Sequence[AgentMonth], desk: SupportDesk, settings: DeskSettings) -> list[str]:
    """The page's answer, sentence by sentence; the script says the same."""
    group = leading(months)
    if not group or group[0].loss is None:
        return ["No agent has tried every kind of ticket in this mix."]
    first, name = group[0], group[0].agent.results.name
    is_cheapest = cheapest_first(months)[0].agent is first.agent
    start = "" if is_cheapest else "Within the limits, "
    found = [f"{start}{name} costs you least, about {about(group[0].loss.value)} per month."]
    if first.saving and settings.person:
        way = "less" if first.saving.value >= 0 else "more"
        found.append(f"That is {about(abs(first.saving.value))} {way} than people answering every ticket.")
    found += _main_cause(first, group[0].loss.value, desk, settings)
    found += _outside(months, first.agent, desk, settings)
    if len(group) > 1:
        others = named([month.agent.results.name for month in group[1:]])
        found.append(f"On money alone, the tests cannot tell {name} from {others}.")
    if first.bad_month is not None:
        found.append(f"A bad month (one in {ONE_IN}) costs more than {about(first.bad_month)}.")
    return found


def _main_cause(month: AgentMonth, total: float, desk: SupportDesk, settings: DeskSettings) -> Iterator[str]:
    """What most of an agent's month is spent on."""
    costs = {one.cause: (month.times[one.name] or 0.0) * settings.prices[one.name] for one in desk.mistakes}
    costs["model calls"] = month.calls or 0.0
    cause = max(costs, key=lambda cause: costs[cause])
    if costs[cause]:
        part = "Most of it" if 2 * costs[cause] > total else "The largest part"
        yield f"{part}, {about(costs[cause])}, is {cause}."


def _outside(
    months: Sequence[AgentMonth], first: AgentOnDesk, desk: SupportDesk, settings: DeskSettings
) -> Iterator[str]:
    """Who costs less outside the limits or with fewer cheats, and where that turns."""
    cheapest, cheats = cheapest_first(months)[0].agent, percent(abuse_share(desk.kinds, settings.mix))
    if cheapest is not first:
        yield f"{cheapest.results.name} costs less at {cheats} cheats, but it {breaks_words(cheapest)}."
        if turn := desk.turning_point(cheapest, first, settings):
            yield f"Above {percent(turn)} cheats, {first.results.name} costs less."
        return
    if not first.is_within:
        yield f"But it {breaks_words(first)}; no agent is within the limits."
    turns = [
        (turn, month.agent.results.name, breaks_words(month.agent))
        for month in months
        if month.agent.is_ranked and (turn := desk.turning_point(month.agent, first, settings))
    ]
    if turns:
        turn, other, breaks = max(turns)
        but = f", but it {breaks}" if breaks else ""
        yield f"Below {percent(turn)} cheats, {other} would cost less{but}."


def named(names: Sequence[str], word: str = "or") -> str:
    """Up to three names; more are counted."""
    return listed(names if len(names) <= 3 else [*names[:2], f"{len(names) - 2} others"], word)


def about(dollars: float) -> str:
    """Dollars, rounded to two significant figures."""
    step = 10.0 ** max(0, len(str(int(dollars))) - 2)
    return money(floor(dollars / step + 0.5) * step)


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
    """Dollars that may be negative, to the cent: what is left of a sum that should be zero is zero."""
    cents = round(dollars, 2)
    return ("−" if cents < 0 else "") + money(abs(cents))


def counted(value: float) -> str:
    """A number of tickets, rounded."""
    return whole(round(value))
