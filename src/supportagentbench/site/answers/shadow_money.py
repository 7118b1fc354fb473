"""Shadow money: what people and agents gave away on the same tickets, and what others may cost."""

from collections import defaultdict
from typing import NamedTuple

from supportagentbench.site.data.opened_set import OpenedSet
from supportagentbench.site.data.shadow_data import ShadowData, TriedTicket, kind_of
from supportagentbench.site.number import dollars_text
from supportagentbench.stats.comparison import paired
from supportagentbench.stats.rates import FEW_CLUSTERS


class MoneyRow(NamedTuple):
    """What both sides gave away, for one agent."""

    name: str
    people: str
    agent: str
    gap: str
    """Of the agent over the people, for each ticket."""
    likely: str
    """The range for other tickets like these; empty: they are too few."""
    opened: OpenedSet
    """The tickets on which one of them gave something away."""


class ShadowMoney(NamedTuple):
    """All agents, and what cannot be said."""

    rows: tuple[MoneyRow, ...]
    note: str


def shadow_money(data: ShadowData) -> ShadowMoney:
    """A row for each agent; none if neither side gave anything away."""
    rows = tuple(_row(data, agent) for agent in data.agents if _spent(data.known(agent)))
    kinds = {kind_of(one.ticket) for agent in data.agents for one in data.known(agent)}
    few = 0 < len(kinds) < FEW_CLUSTERS
    note = f"Kinds of ticket: {len(kinds)}, too few to say what other tickets would cost." if few else ""
    return ShadowMoney(rows, note if rows else "")


def _spent(known: list[TriedTicket]) -> list[TriedTicket]:
    return [one for one in known if one.ticket.judged.dollars or one.tried.judged.dollars]


def _row(data: ShadowData, agent: str) -> MoneyRow:
    name, known = data.names[agent], data.known(agent)
    spent = _spent(known)
    theirs, ours = _per_ticket(known, of_people=True), _per_ticket(known, of_people=False)
    gap = (sum(ours.values()) - sum(theirs.values())) / len(ours)
    return MoneyRow(
        name,
        dollars_text(sum(theirs.values())),
        dollars_text(sum(ours.values())),
        _signed(gap),
        _likely(known, ours, theirs),
        data.talks(f"something was given away by your people or by {name}", spent),
    )


def _per_ticket(known: list[TriedTicket], *, of_people: bool) -> dict[str, float]:
    """By ticket, the mean of its talks."""
    found: dict[str, list[float]] = defaultdict(list)
    for one in known:
        judged = one.ticket.judged if of_people else one.tried.judged
        found[one.ticket.ticket].append(judged.dollars)
    return {name: sum(dollars) / len(dollars) for name, dollars in found.items()}


def _likely(known: list[TriedTicket], ours: dict[str, float], theirs: dict[str, float]) -> str:
    kinds = {one.ticket.ticket: kind_of(one.ticket) for one in known}
    if len({*kinds.values()}) < FEW_CLUSTERS:
        return ""
    most = max(*ours.values(), *theirs.values())
    found = paired([*ours.values()], [*theirs.values()], [kinds[name] for name in ours], most)
    return f"likely {_signed(found.low)} to {_signed(found.high)}"


def _signed(dollars: float) -> str:
    """Dollars with their sign; none for nothing."""
    if round(dollars, 2) == 0:
        return "$0"
    return f"{'+' if dollars > 0 else '−'}{dollars_text(abs(dollars))}"
