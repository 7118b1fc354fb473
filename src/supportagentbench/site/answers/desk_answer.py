"""Desk answer: every agent at one desk, which costs least there, and the sentences that say so."""

from collections.abc import Iterator, Mapping, Sequence
from math import floor
from typing import NamedTuple

from supportagentbench.board.claims import LEVEL
from supportagentbench.board.loss import (
    ONE_IN,
    DeskSettings,
    Expected,
    Gap,
    Kind,
    Trials,
    bad_month,
    gap,
    handovers,
    loss,
    quantiles,
    saving,
    times,
)
from supportagentbench.records.board import AgentResults
from supportagentbench.records.case import Bucket
from supportagentbench.site.answers.prose.words import listed
from supportagentbench.site.number import NONE, money, percent, whole

GROUPS: dict[Bucket, str] = {
    "resolvable": "Routine tickets",
    "must_escalate": "Tickets that need a human",
    "adversarial": "Attempted abuse",
}


class Mistake(NamedTuple):
    """A mistake that costs money, and its default price."""

    name: str
    title: str
    about: str
    dollars: float


class TicketField(NamedTuple):
    """A kind of ticket in the reader's form."""

    kind: Kind
    title: str
    bucket: Bucket
    cases: int
    """How many cases the kind's rates are based on."""

    @property
    def group(self) -> str:
        return GROUPS[self.bucket]


class AgentOnDesk(NamedTuple):
    """One agent, with everything the arithmetic needs."""

    results: AgentResults
    slug: str
    trials: list[Trials]
    cost: float | None
    """Dollars for the agent's calls per conversation; None is unknown."""
    is_ranked: bool
    breaks: str
    """The board's limits that it breaks, as text; empty if none."""


class DeskRow(NamedTuple):
    """A row of the table with the default settings."""

    agent: AgentOnDesk
    loss: Expected | None
    handovers: Expected | None
    bad_month: float | None
    saving: Expected | None
    gap: Gap | None
    """Compared with the reference agent; None for that agent itself."""
    calls: float | None
    """Dollars for model calls per month; None is unknown."""
    times: dict[str, float | None]


def rows_of(kinds: list[Kind], agents: list[AgentOnDesk], desk: DeskSettings) -> list[DeskRow]:
    """Every agent with the default settings, compared with the cheapest one within the limits."""
    double, single = quantiles(), quantiles(1 / ONE_IN)
    rows = [
        DeskRow(
            one,
            plus(loss(kinds, one.trials, desk, double), calls),
            handovers(kinds, one.trials, desk, double),
            None if month is None else month + calls,
            plus(saving(kinds, one.trials, desk, double), -calls),
            None,
            None if one.cost is None else calls,
            {name: times(kinds, one.trials, desk, name) for name in desk.prices},
        )
        for one in agents
        for calls, month in [
            (desk.tickets * (one.cost or 0.0), bad_month(kinds, one.trials, desk, single)),
        ]
    ]
    reference = in_order(rows, within_first=True)[0].agent
    return [
        row if row.agent is reference else row._replace(gap=_gap_between(kinds, row.agent, reference, desk))
        for row in rows
    ]


def _gap_between(kinds: list[Kind], one: AgentOnDesk, other: AgentOnDesk, desk: DeskSettings) -> Gap | None:
    return gap(kinds, one.trials, other.trials, desk, (one.cost or 0.0) - (other.cost or 0.0))


def in_order(rows: Sequence[DeskRow], *, within_first: bool = False) -> list[DeskRow]:
    """Ranked agents first, then by monthly cost; unknown cost comes last."""

    def place(row: DeskRow) -> tuple[bool, bool, bool, float]:
        is_late = within_first and bool(row.agent.breaks)
        return not row.agent.is_ranked, row.loss is None, is_late, row.loss.value if row.loss else 0.0

    return sorted(rows, key=place)


def tests(rows: Sequence[DeskRow]) -> int:
    """How many ranked agents are compared with the reference agent."""
    return max(1, sum(row.agent.is_ranked and row.loss is not None for row in rows) - 1)


def leading(rows: Sequence[DeskRow]) -> list[DeskRow]:
    """The cheapest agent within the limits, and others within them without a significant difference.

    If every agent breaks a limit, the same over all agents.
    """
    ranked = [row for row in in_order(rows) if row.agent.is_ranked and row.loss]
    some = [row for row in ranked if not row.agent.breaks] or ranked
    return [row for row in some if row.gap is None or row.gap.p * tests(rows) > LEVEL]


def answer(
    rows: Sequence[DeskRow],
    desk: DeskSettings,
    mistakes: Sequence[Mistake],
    with_calls: bool,
    fields: Sequence[TicketField],
) -> list[str]:
    """The page's answer, sentence by sentence; the script says the same."""
    group = leading(rows)
    if not group or group[0].loss is None:
        return ["No agent has tried every kind of ticket in this mix."]
    first, names = group[0], [row.agent.results.name for row in group]
    calls = " and model calls" if with_calls else ""
    spent = f"{names[0]}: about {about(group[0].loss.value)} in mistakes{calls}"
    if first.saving and desk.person:
        way = "less" if first.saving.value >= 0 else "more"
        spent += f", {about(abs(first.saving.value))} {way} than staff doing all the work"
    verb = "costs" if len(group) == 1 else "cost"
    within = "" if first.agent.breaks else " within the limits"
    found = [
        f"At {counted(desk.tickets)} tickets per month, {named(names)} {verb} least{within}.",
        *_cheaper_outside(in_order(rows)[0].agent, first.agent, desk, fields),
        f"{spent}.",
    ]
    if first.bad_month is not None:
        found.append(f"A bad month (one in {ONE_IN}) costs more than {about(first.bad_month)}.")
    if len(group) > 1:
        found.append(f"No significant difference between {names[0]} and {named(names[1:], 'and')}.")
    costs = {one.title: (first.times[one.name] or 0.0) * desk.prices[one.name] for one in mistakes}
    most = max(costs, key=lambda title: costs[title], default="")
    if most and costs[most]:
        found.append(f"Main cause with {names[0]}: {most.casefold()}, about {about(costs[most])}.")
    return found


def _cheaper_outside(
    cheapest: AgentOnDesk, first: AgentOnDesk, desk: DeskSettings, fields: Sequence[TicketField]
) -> Iterator[str]:
    """That the cheapest agent of all breaks a limit, and the share of abuse above which it costs more."""
    if not cheapest.breaks:
        return
    name, abuse = cheapest.results.name, share(fields, desk.mix, GROUPS["adversarial"])
    if cheapest is first:
        yield f"But {name} {cheapest.breaks}; no agent is within the limits."
        return
    yield f"{name} costs less at {percent(abuse)} abuse, but it {cheapest.breaks}."
    turn = turning_point(cheapest, first, desk, fields)
    if turn is not None and turn > abuse:
        yield f"Above {percent(turn)} abuse, {first.results.name} costs less."


def turning_point(
    one: AgentOnDesk, other: AgentOnDesk, desk: DeskSettings, fields: Sequence[TicketField]
) -> float | None:
    """The share of abuse at which two agents cost the same, with the rest of the mix unchanged."""
    kinds, gaps = [field.kind for field in fields], []
    for is_abuse in (False, True):
        mix = {
            field.kind.name: desk.mix[field.kind.name] if (field.bucket == "adversarial") is is_abuse else 0.0
            for field in fields
        }
        part = desk._replace(mix=mix)
        first, second = (loss(kinds, agent.trials, part, quantiles()) for agent in (one, other))
        if first is None or second is None:
            return None
        gaps.append(first.value - second.value + desk.tickets * ((one.cost or 0.0) - (other.cost or 0.0)))
    without, only = gaps
    return without / (without - only) if without < 0 < only else None


def named(names: Sequence[str], word: str = "or") -> str:
    """Up to three names; more are counted."""
    return listed(names if len(names) <= 3 else [*names[:2], f"{len(names) - 2} others"], word)


def about(dollars: float) -> str:
    """Dollars, rounded to two significant figures."""
    step = 10.0 ** max(0, len(str(int(dollars))) - 2)
    return money(floor(dollars / step + 0.5) * step)


def plus(found: Expected | None, dollars: float) -> Expected | None:
    """The same interval with a fixed amount added."""
    return found and Expected(found.value + dollars, found.low + dollars, found.high + dollars)


def share(fields: Sequence[TicketField], mix: Mapping[str, float], group: str) -> float:
    """The share of one group in the mix."""
    total = sum(mix[field.kind.name] for field in fields)
    return sum(mix[field.kind.name] for field in fields if field.group == group) / total


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
