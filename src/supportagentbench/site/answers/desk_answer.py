"""Desk answer: which agent costs least at one desk, and the sentences that say so."""

from collections.abc import Iterator, Mapping, Sequence
from math import floor

from supportagentbench.board.claims import LEVEL
from supportagentbench.board.desk import (
    AgentMonth,
    AgentOnDesk,
    SupportDesk,
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
    """The board's limits that an agent breaks, as text; empty if none."""
    return beyond_words(agent.results, LIMITS)


def answer(months: Sequence[AgentMonth], desk: SupportDesk, settings: DeskSettings) -> list[str]:
    """The page's answer, sentence by sentence; the script says the same."""
    group = leading(months)
    if not group or group[0].loss is None:
        return ["No agent has tried every kind of ticket in this mix."]
    first, names = group[0], [month.agent.results.name for month in group]
    calls = " and model calls" if any(agent.cost is not None for agent in desk.agents) else ""
    spent = f"{names[0]}: about {about(group[0].loss.value)} in mistakes{calls}"
    if first.saving and settings.person:
        way = "less" if first.saving.value >= 0 else "more"
        spent += f", {about(abs(first.saving.value))} {way} than staff doing all the work"
    verb = "costs" if len(group) == 1 else "cost"
    within = "" if first.agent.breaks else " within the limits"
    found = [
        f"At {counted(settings.tickets)} tickets per month, {named(names)} {verb} least{within}.",
        *_cheaper_outside(cheapest_first(months)[0].agent, first.agent, desk, settings),
        f"{spent}.",
    ]
    if first.bad_month is not None:
        found.append(f"A bad month (one in {ONE_IN}) costs more than {about(first.bad_month)}.")
    if len(group) > 1:
        found.append(f"No significant difference between {names[0]} and {named(names[1:], 'and')}.")
    costs = {one.title: (first.times[one.name] or 0.0) * settings.prices[one.name] for one in desk.mistakes}
    most = max(costs, key=lambda title: costs[title], default="")
    if most and costs[most]:
        found.append(f"Main cause with {names[0]}: {most.casefold()}, about {about(costs[most])}.")
    return found


def _cheaper_outside(
    cheapest: AgentOnDesk, first: AgentOnDesk, desk: SupportDesk, settings: DeskSettings
) -> Iterator[str]:
    """That the cheapest agent of all breaks a limit, and the share of abuse above which it costs more."""
    if not cheapest.breaks:
        return
    name, abuse = cheapest.results.name, share(desk.kinds, settings.mix, "adversarial")
    if cheapest is first:
        yield f"But {name} {breaks_words(cheapest)}; no agent is within the limits."
        return
    yield f"{name} costs less at {percent(abuse)} abuse, but it {breaks_words(cheapest)}."
    turn = desk.turning_point(cheapest, first, settings)
    if turn is not None and turn > abuse:
        yield f"Above {percent(turn)} abuse, {first.results.name} costs less."


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
    """Dollars that may be negative."""
    return ("−" if dollars < 0 else "") + money(abs(dollars))


def counted(value: float) -> str:
    """A number of tickets, rounded."""
    return whole(round(value))
