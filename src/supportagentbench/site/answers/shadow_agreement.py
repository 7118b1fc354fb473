"""Shadow agreement: how often an agent and the people act the same, compared with two people.

Two people never answer the same ticket, so they are compared on two tickets of one kind, and so is the agent
with each other person, on just the same pairs of tickets.
"""

from collections.abc import Sequence
from typing import NamedTuple

from supportagentbench.records.shadow import ShadowTicket
from supportagentbench.site.data.opened_set import OpenedSet
from supportagentbench.site.data.shadow_data import ShadowData, TriedTicket, kind_of
from supportagentbench.site.number import percent
from supportagentbench.stats.agreement import AnswerAgreement, like_items, same_items
from supportagentbench.stats.rates import FEW_CLUSTERS, like_these

LEAST = 10
"""Fewer tickets than this say nothing about how people agree."""


class SameActs(NamedTuple):
    """How often two sides act the same."""

    opened: OpenedSet
    """What is compared."""
    same: str
    likely: str
    """Empty: there are too few kinds of ticket for a range."""
    kappa: str


class AgreementRow(NamedTuple):
    """Two sides."""

    title: str
    same_ticket: SameActs | None
    """None: they never answered the same one."""
    like_tickets: SameActs | None
    """On two tickets of one kind; None: there are too few."""


class DeskAgreement(NamedTuple):
    """The rows, and what cannot be said."""

    rows: tuple[AgreementRow, ...]
    people: SameActs | None
    """Two of the people, the measure for all others; None: it cannot be computed."""
    note: str
    """Why not."""


class LikeTickets(NamedTuple):
    """Tickets that can be compared with another one of their kind that another person answered."""

    tickets: tuple[ShadowTicket, ...]
    others: tuple[tuple[int, ...], ...]
    """For each, the places of those others."""


def agreement(data: ShadowData) -> DeskAgreement:
    """Two people first, as the measure for every agent."""
    like = like_tickets(data.week.resumed)
    people = _people(data, like)
    rows = [AgreementRow("Two of your people", None, people)] if people else []
    rows += [_agent(data, agent, like) for agent in data.agents if data.known(agent)]
    return DeskAgreement(tuple(rows), people, "" if people else _note(data, like))


def like_tickets(tickets: Sequence[ShadowTicket]) -> LikeTickets:
    """Those whose person is known and for which there is one of the same kind by another known person."""
    named = [one for one in tickets if one.person]
    pairs = {
        one.ticket: [
            other.ticket for other in named if kind_of(other) == kind_of(one) and other.person != one.person
        ]
        for one in named
    }
    kept = [one for one in named if pairs[one.ticket]]
    places = {one.ticket: place for place, one in enumerate(kept)}
    return LikeTickets(tuple(kept), tuple(tuple(places[name] for name in pairs[one.ticket]) for one in kept))


def _people(data: ShadowData, like: LikeTickets) -> SameActs | None:
    if len(like.tickets) < LEAST:
        return None
    acts = [one.judged.effects for one in like.tickets]
    words = "answered by one of your people, while another answered others of the same kind"
    opened = data.sets.of_tickets(words, (one.ticket for one in like.tickets))
    return _same(opened, like_items(acts, acts, like.others), like.tickets)


def _agent(data: ShadowData, agent: str, like: LikeTickets) -> AgreementRow:
    name, known = data.names[agent], data.known(agent)
    ours, theirs = [one.tried.judged.effects for one in known], [one.ticket.judged.effects for one in known]
    opened = data.talks(f"what {name} did is known", known)
    same = _same(opened, same_items(ours, theirs), [one.ticket for one in known])
    return AgreementRow(f"{name} and your people", same, _beside_others(data, name, known, like))


def _beside_others(
    data: ShadowData, name: str, known: list[TriedTicket], like: LikeTickets
) -> SameActs | None:
    """The agent on one ticket, people on another of its kind: the pairs on which two people are compared."""
    places = {one.ticket: place for place, one in enumerate(like.tickets)}
    both = [one for one in known if one.ticket.ticket in places]
    if len({one.ticket.ticket for one in both}) < LEAST:
        return None
    found = like_items(
        [one.tried.judged.effects for one in both],
        [one.judged.effects for one in like.tickets],
        [like.others[places[one.ticket.ticket]] for one in both],
    )
    opened = data.talks(f"{name}, compared with another ticket of its kind", both)
    return _same(opened, found, [one.ticket for one in both])


def _same(opened: OpenedSet, found: AnswerAgreement, tickets: Sequence[ShadowTicket]) -> SameActs:
    kinds, likely, count = [kind_of(one) for one in tickets], "", len(tickets)
    if len({*kinds}) >= FEW_CLUSTERS:
        low, high = like_these(found.shares, [1] * count, kinds)
        likely = f"likely {percent(low, count)} to {percent(high, count)}"
    kappa = "–" if found.kappa is None else f"{found.kappa:.2f}".replace("-", "−")
    return SameActs(opened, percent(found.same, count), likely, kappa)


def _note(data: ShadowData, like: LikeTickets) -> str:
    """What cannot be said about two people, and why."""
    if not any(one.person for one in data.week.resumed):
        return "Whether two of your people agree cannot be computed: the export does not say who answered."
    if len(like.tickets) < LEAST:
        return (
            "Whether two of your people agree cannot be computed: it takes "
            f"{LEAST} tickets with another of the same kind that another person answered; here are "
            f"{len(like.tickets)}."
        )
    return ""
