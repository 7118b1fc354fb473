"""Ticket mix: which case types of a world the tickets of an import are, and how many of each.

A ticket is of the case types that ask for the same and that the same rules decide. Without known facts it is
of every case type that asks for the same, in equal parts.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from supportagentbench.language.identify import language_of
from supportagentbench.records.case import Bucket, Case, Label
from supportagentbench.records.ticket import SupportTicket
from supportagentbench.records.vocabulary import OWN_MIX, TicketMix, Vocabulary
from supportagentbench.shadow.desk_map import TicketFacts
from supportagentbench.shadow.ticket_cases import TicketCases
from supportagentbench.world.drawn_cases import generate
from supportagentbench.world.folder import World
from supportagentbench.world.policy import EFFECTS


class TicketType(NamedTuple):
    """A kind of ticket on the cost page: a case type, or all traps with the same at stake."""

    name: str
    title: str
    bucket: Bucket


class MixPart(NamedTuple):
    """Tickets that are of the same kind, or of several in equal parts."""

    types: tuple[TicketType, ...]
    tickets: int


class ImportMix(NamedTuple):
    """All tickets of an import."""

    parts: tuple[MixPart, ...]
    """The largest first."""
    without: Counter[str]
    """Tickets of no case type, by reason."""
    types: tuple[TicketType, ...]
    """Every kind of the world."""

    @property
    def counted(self) -> int:
        """Tickets that have a case type."""
        return sum(part.tickets for part in self.parts)

    def mix(self) -> TicketMix:
        """The shares as the cost page takes them; a kind without a ticket does not occur."""
        shares = dict.fromkeys(self.types, 0.0)
        for part in self.parts:
            for one in part.types:
                shares[one] += 100 * part.tickets / len(part.types) / self.counted
        buckets: defaultdict[str, float] = defaultdict(float)
        for one, share in shares.items():
            buckets[one.bucket] += share
        title = f"Your tickets ({self.counted} of {self.counted + self.without.total()})"
        return TicketMix(OWN_MIX, title, {one.name: share for one, share in shares.items()}, dict(buckets))


class _CaseOfType(NamedTuple):
    type: TicketType
    requests: frozenset[str]
    rules: frozenset[str]
    language: str


def mix_of_import(cases: TicketCases, tickets: Iterable[SupportTicket]) -> ImportMix:
    """What the tickets of an import are, as far as the map and the world say."""
    world, desk_map = cases.world, cases.desk_map
    known = list(_cases_of(world))
    parts, without = Counter[tuple[TicketType, ...]](), Counter[str]()
    for ticket in tickets:
        left_out = desk_map.tickets.get(ticket.id, TicketFacts()).left_out
        request, resumed = desk_map.request_of(ticket), cases.resumed.get(ticket.id)
        label = cases.cases[ticket.id].label if resumed else None
        types = () if left_out else _types(known, request, label, language_of(ticket.opening), world)
        if types:
            parts[types] += 1
        else:
            without[left_out or _reason(ticket, request)] += 1
    every = dict.fromkeys(one.type for one in known)
    return ImportMix(tuple(MixPart(*one) for one in parts.most_common()), without, tuple(every))


def _reason(ticket: SupportTicket, request: str) -> str:
    """Why a ticket is of no case type."""
    if request:
        return f"no case type asks for {request}"
    return (
        f"the map does not say what {', '.join(filter(None, (ticket.kind, *ticket.tags))) or 'it'} asks for"
    )


def _cases_of(world: World) -> Iterator[_CaseOfType]:
    """The headline cases of all kinds that the cost page has."""
    for case in generate(world).cases.values():
        if not case.twin_of and (found := _type_of(case, world.vocabulary)):
            requests = frozenset(wish.request for wish in case.brief.wishes)
            yield _CaseOfType(found, requests, _deciding(case.label, world), case.brief.language)


def _type_of(case: Case, vocabulary: Vocabulary) -> TicketType | None:
    if case.bucket != "adversarial":
        return TicketType(case.family, vocabulary.case_type(case.family), case.bucket)
    harm = vocabulary.at_stake(case.family)
    return TicketType(harm.name, harm.title, case.bucket) if harm else None


def _deciding(label: Label, world: World) -> frozenset[str]:
    """The rules of a label that do or tell anything."""
    rules = {rule.id: rule for rule in world.policy.rules}
    effects = ("tell", *EFFECTS)
    return frozenset(one for one in label.rules if any(getattr(rules[one], name) for name in effects))


def _types(
    known: Sequence[_CaseOfType], request: str, label: Label | None, language: str, world: World
) -> tuple[TicketType, ...]:
    """The case types of a ticket: by what it asks for and its rules, by its rules, or by what it asks for."""
    rules = _deciding(label, world) if label and not label.is_partial else frozenset()
    asking = [one for one in known if request in one.requests]
    same = [one for one in asking if rules == one.rules]
    alike = [one for one in known if rules and rules <= one.rules]
    found = same or [one for one in asking if one in alike] or alike or asking
    found = [one for one in found if one.language == language] or found
    return tuple(dict.fromkeys(one.type for one in found))
