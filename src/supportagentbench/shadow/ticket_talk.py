"""Ticket talk: a ticket as the conversation of one side of its desk, in a form that checks can read.

One side is a bot or a person who wrote to the customer. What others at the desk wrote and did in between is
known to this side, and is not its own. Nothing in a ticket is an instruction: it is only read.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import date
from functools import cached_property
from itertools import groupby
from typing import Any, NamedTuple

import msgspec
from msgspec import Raw

from supportagentbench.checks.style import ENGLISH, SHORTEST_JUDGED, WORD
from supportagentbench.language.customer import answer
from supportagentbench.language.identify import language_of, sure_language_of
from supportagentbench.language.reader import Reader, reader_of
from supportagentbench.records.case import Label
from supportagentbench.records.desk_score import Answerer
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import to_json
from supportagentbench.records.ticket import SupportTicket, TicketAct, TicketEvent
from supportagentbench.records.transcript import (
    CustomerState,
    Ending,
    Party,
    SpeechActs,
    ToolCall,
    ToolResult,
    Transcript,
    Turn,
)
from supportagentbench.shadow.mapped_desk import NO_DAY, MappedDesk

LONGEST_TICKET = 200_000
"""Characters of one ticket; a longer one is left out."""

ANSWERERS: tuple[Answerer, ...] = ("bot", "human")
_FAILED, _WORKED = ("error", "errors"), ("ok", "success")
"""Keys of a result that say that a call did not work, if they have a value, and that it did."""


class DeskPerson(NamedTuple):
    """Who answers: a bot or a human, and which one by pseudonym, if the export says so."""

    who: Answerer
    name: str


class TalkPart(NamedTuple):
    """A turn of a ticket's talk, and what only a ticket has."""

    turn: Turn
    events: tuple[int, ...] = ()
    """The places of the events whose words it has."""
    day: date | None = None
    beside: tuple[str, ...] = ()
    """What this side could read by then besides the turn: notes, others' messages, what was done."""


class TicketTalk(NamedTuple):
    """One side's conversation."""

    side: DeskPerson
    ticket: SupportTicket
    turns: tuple[TalkPart, ...]
    transcript: Transcript
    is_language_sure: bool
    """Whether the customer's words show the language of the transcript."""

    @property
    def messages(self) -> int:
        """How many messages this side wrote."""
        return sum(len(one.events) for one in self.turns if one.turn.party == "agent")


def talks_of(ticket: SupportTicket, desk: MappedDesk) -> Iterator[TicketTalk]:
    """The conversation of each side that wrote to the customer; a Problem if the ticket is too long."""
    if sum(map(_length, ticket.events)) > LONGEST_TICKET:
        raise Problem(f"has more than {LONGEST_TICKET:,} characters")
    sides = dict.fromkeys(
        side for event in ticket.events if event.kind == "message" and (side := side_of(ticket, event))
    )
    maker = _TalkMaker(ticket, desk)
    yield from map(maker.talk, sides)


def side_of(ticket: SupportTicket, event: TicketEvent) -> DeskPerson | None:
    """Whose event this is; None: the customer's, or that of the ticket system."""
    who = next((one for one in ANSWERERS if one == event.who), None)
    known = event.person is not None and event.person < len(ticket.people)
    name = ticket.people[event.person or 0].name if known else ""
    return DeskPerson(who, name) if who else None


class _TalkMaker:
    """Makes the talks of one ticket."""

    def __init__(self, ticket: SupportTicket, desk: MappedDesk) -> None:
        self._ticket, self._desk = ticket, desk
        self._reader = reader_of(desk.vocabulary)

    def talk(self, side: DeskPerson) -> TicketTalk:
        """The ticket as this side's conversation."""
        made = [turn for part in self._parts for turn in self._turns(side, part)]
        made = made and [made[0]._replace(beside=(*self._account, *made[0].beside)), *made[1:]]
        turns = tuple(_with_conduct([one.turn for one in made], self._reader, self.language))
        made = [one._replace(turn=turn) for one, turn in zip(made, turns, strict=True)]
        days = [one.day for one in made if one.day]
        transcript = Transcript(
            case=self._ticket.id,
            family="ticket",
            bucket="resolvable",
            run=1,
            seed=0,
            start="",
            label=Label("undecided"),
            turns=turns,
            ending=Ending("customer_left"),
            language=self.language,
            today=days[0] if days else NO_DAY,
        )
        return TicketTalk(side, self._ticket, tuple(made), transcript, bool(self._sure_language))

    @cached_property
    def language(self) -> str:
        """The customer's; if too few of its words are known, that of the whole ticket."""
        return self._sure_language or language_of(" ".join(one.text for one in self._ticket.events))

    @cached_property
    def _sure_language(self) -> str:
        """The language that the customer's words show; empty: too few of them are known."""
        said = " ".join(one.text for one in self._ticket.events if _is_customers(one))
        words = WORD.findall(said.casefold())
        is_english = len(words) >= SHORTEST_JUDGED and 4 * sum(map(ENGLISH.__contains__, words)) >= len(words)
        return sure_language_of(said) or ("en" if is_english else "")

    @cached_property
    def _parts(self) -> list[tuple[bool, list[tuple[int, TicketEvent]]]]:
        """The events, cut where the customer begins or ends to write; whether a part is the customer's."""
        events = enumerate(self._ticket.events)
        return [(own, list(part)) for own, part in groupby(events, key=lambda one: _is_customers(one[1]))]

    @cached_property
    def _account(self) -> tuple[str, ...]:
        """What the ticket itself says of its customer."""
        people = (one for one in self._ticket.people if one.who == "customer")
        fields = (value for one in people for value in (one.name, *one.emails, *one.phones, *one.addresses))
        return (self._ticket.subject, *fields)

    def _turns(
        self, side: DeskPerson, part: tuple[bool, list[tuple[int, TicketEvent]]]
    ) -> Iterator[TalkPart]:
        """A part of the ticket: the customer's messages, or what others did there, then this side's reply."""
        is_customers, events = part
        if is_customers:
            yield _turn("customer", events)
            return
        own: list[tuple[int, TicketEvent]] = []
        others: list[tuple[int, TicketEvent]] = []
        for one in events:
            is_own = side_of(self._ticket, one[1]) == side and one[1].kind != "note"
            (own if is_own else others).append(one)
        if others:
            told = (event.text for _, event in others if event.kind in ("message", "note"))
            turn = Turn("note", "", calls=self._calls(others))
            yield TalkPart(turn, day=_day(others), beside=(*told, *self._done(others)))
        if own:
            said = [one for one in own if one[1].kind == "message"]
            made = _turn("agent" if said else "system", said)
            turn = msgspec.structs.replace(made.turn, calls=self._calls(own))
            yield made._replace(turn=turn, day=_day((said or own)[::-1]), beside=tuple(self._done(own)))

    def _calls(self, events: Sequence[tuple[int, TicketEvent]]) -> tuple[ToolCall, ...]:
        return tuple(
            ToolCall(self._desk.tool(event.act.name), event.act.arguments, _result(event.act))
            for _, event in events
            if event.act
        )

    def _done(self, events: Sequence[tuple[int, TicketEvent]]) -> Iterator[str]:
        """What was done, as the desk says it: whoever did it knows what."""
        for _, event in events:
            if event.act and not did_not_work(event.act):
                yield event.text
                yield to_json(event.act.arguments).decode()


def _length(event: TicketEvent) -> int:
    return len(event.text) + (len(event.act.result) + len(to_json(event.act.arguments)) if event.act else 0)


def did_not_work(act: TicketAct) -> bool:
    """Whether the desk or the result itself says that it failed."""
    found = parsed(act.result)
    told = isinstance(found, dict) and (
        any(found.get(key) for key in _FAILED) or any(found.get(key) is False for key in _WORKED)
    )
    return act.ok is False or bool(told)


def parsed(result: str) -> Any:
    """A result that is JSON, as plain values; None: it is not."""
    try:
        return msgspec.json.decode(result) if result.lstrip()[:1] in ("{", "[") else None
    except (msgspec.MsgspecError, RecursionError):
        return None


def _result(act: TicketAct) -> ToolResult:
    if did_not_work(act):
        return ToolResult.refused(act.result)
    held = parsed(act.result)
    return ToolResult(True, Raw(to_json(act.result if held is None else held)))


def _is_customers(event: TicketEvent) -> bool:
    return event.kind == "message" and event.who == "customer"


def _turn(party: Party, events: Sequence[tuple[int, TicketEvent]]) -> TalkPart:
    text = "\n\n".join(event.text for _, event in events)
    return TalkPart(Turn(party, text), tuple(place for place, _ in events), _day(events))


def _day(events: Sequence[tuple[int, TicketEvent]]) -> date | None:
    return next((event.at.date() for _, event in events if event.at), None)


def _with_conduct(turns: Sequence[Turn], reader: Reader, language: str) -> Iterator[Turn]:
    """The turns; of each of the customer's, what it asks for or says yes to, as its words show it."""
    reply = ""
    for turn in turns:
        if turn.party == "agent":
            reply = turn.text
        if turn.party != "customer":
            yield turn
            continue
        heard = reader.heard(reply, language) if reply else SpeechActs()
        agreed = {*_asked(turn.text, reader)} | ({*_agreed(turn.text, heard, reader, language)})
        confirms = {way for act in agreed for way in reader.vocabulary.ways(act)}
        conduct = CustomerState((), heard=heard, confirms=tuple(sorted(confirms)), worded_by="person")
        yield msgspec.structs.replace(turn, conduct=conduct)
        reply = ""


def _asked(words: str, reader: Reader) -> Iterator[str]:
    """The acts that a customer asks for outright."""
    low = words.casefold()
    yield from (verb.act for verb in reader.vocabulary.verbs if any(stem in low for stem in verb.asked))


def _agreed(words: str, heard: SpeechActs, reader: Reader, language: str) -> tuple[str, ...]:
    """The acts that a customer says yes to; all of them, if it was not said for what the yes is."""
    if not re.search(r"\w", words) or answer(words, language) != "yes":
        return ()
    return heard.offers or (tuple(reader.vocabulary.by_act) if heard.consent else ())
