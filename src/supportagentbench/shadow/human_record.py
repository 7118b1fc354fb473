"""Human record: what the people at the real desk did, as a transcript that the same checks can read.

Their acts are made again at the world's desk, in the turn in which they made them.
"""

import re
from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

from msgspec.structs import replace

from supportagentbench.checks.acts_judged import DoneElsewhere
from supportagentbench.customer.voice import ScriptedVoice
from supportagentbench.desk.session import RefusedCalls
from supportagentbench.records.record import as_plain
from supportagentbench.records.ticket import SupportTicket, TicketEvent
from supportagentbench.records.transcript import Ending, ToolCall, ToolResult, Transcript, Turn
from supportagentbench.records.vocabulary import HAND_OVER
from supportagentbench.runner.conversation import Sitting, Talk, begun
from supportagentbench.shadow.desk_map import BEYOND, LOOK_UP, MappedAct
from supportagentbench.shadow.resume_point import is_done_by_desk, is_message_of, turns_of
from supportagentbench.shadow.ticket_cases import TicketCase, TicketCases
from supportagentbench.world.fixture import FixtureCases
from supportagentbench.world.label import OpenRecord, ideal_arguments

NOT_MADE = ToolResult.refused("")
"""In place of a result, before a call is made again."""
AMOUNT = re.compile(r"(?:USD?)? ?\$? ?([0-9]{1,9}(?:\.[0-9]{1,2})?|[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]{2})?)")
"""An amount of dollars, as exports write it."""
LARGEST = 10**9


class HumanRecord(NamedTuple):
    """The people's side of one ticket, from the resume point on."""

    transcript: Transcript
    """The whole talk; its history is that of the case."""
    elsewhere: DoneElsewhere
    """Acts of consequence that the world has no tool for, and what they gave away by the export."""
    person: str
    """Who acted first, or answered first if there was no act; empty: unknown."""


async def human_record(cases: TicketCases, one: TicketCase) -> HumanRecord:
    """What the people did, at the same desk and with the same books as any agent."""
    case = cases.cases[one.ticket.id]
    turns = (*one.fixture.turns, *_later(cases, one))
    whole = FixtureCases(cases.world, [replace(one.fixture, turns=turns)], cases.shop)
    done = await begun(whole, case, ScriptedVoice(), Sitting())
    is_handed = any(call.tool == HAND_OVER and call.result.ok for turn in done.history for call in turn.calls)
    ending = Ending("handed_over" if is_handed else "customer_left")
    talk = Talk(done.history, ending, RefusedCalls((), 0))
    beyond = [event for event in one.point.later if _mapped(cases, event).act == BEYOND]
    amounts = [_dollars(cases, event) for event in beyond]
    return HumanRecord(
        talk.on(case, Sitting(), cases.start_of(case)),
        DoneElsewhere(
            tuple(dict.fromkeys(cases.desk_map.name_of(event.act) for event in beyond if event.act)),
            sum(amount or 0.0 for amount in amounts),
            has_all_dollars=None not in amounts,
        ),
        _person(one.ticket, one.point.act, one.point.later),
    )


def _later(cases: TicketCases, one: TicketCase) -> Iterator[Turn]:
    """The rest of the ticket turn by turn; an act belongs to the desk's turn that it was made in."""
    events = [event for event in one.point.later if _is_turned(cases, event)]
    for is_customers, found in groupby(events, key=lambda event: is_message_of(event, "customer")):
        said = [*found]
        yield from turns_of(said) if is_customers else [_desk_turn(cases, one, said)]


def _is_turned(cases: TicketCases, event: TicketEvent) -> bool:
    """Whether this is a message, or an act that can be made again."""
    is_message = is_message_of(event, "customer") or is_message_of(event, "agent")
    return is_message or _mapped(cases, event).act not in (LOOK_UP, BEYOND)


def _desk_turn(cases: TicketCases, one: TicketCase, events: list[TicketEvent]) -> Turn:
    text = "\n\n".join(event.text for event in events if event.kind == "message")
    return Turn("agent", text, calls=tuple(_call(cases, one, event) for event in events if event.act))


def _call(cases: TicketCases, one: TicketCase, event: TicketEvent) -> ToolCall:
    """An act as a call of the world's tool, as to grant the request unless the ticket says otherwise."""
    assert event.act
    found = _mapped(cases, event)
    case = cases.cases[one.ticket.id]
    record = OpenRecord(cases.world.policy, cases.shop.tools, cases.entered(one.fixture), one.fixture.subject)
    (wish,) = case.brief.wishes
    arguments = as_plain(ideal_arguments(record, found.act, wish))
    for name, theirs in found.arguments.items():
        if theirs in event.act.arguments:
            arguments[name] = event.act.arguments[theirs]
    return ToolCall(found.act, arguments, NOT_MADE)


def _mapped(cases: TicketCases, event: TicketEvent) -> MappedAct:
    """What an event is at the world's desk; what the desk did not do changed nothing there."""
    found = cases.desk_map.act_of(event) if is_done_by_desk(event) else None
    return found or MappedAct(LOOK_UP)


def _dollars(cases: TicketCases, event: TicketEvent) -> float | None:
    """What an act gave away; None: it gave something away, and the export does not say how much."""
    name = _mapped(cases, event).dollars
    if not name or not event.act:
        return 0.0
    said = event.act.arguments.get(name)
    if isinstance(said, str) and (amount := AMOUNT.fullmatch(said)):
        said = float(amount[1].replace(",", ""))
    if isinstance(said, bool) or not isinstance(said, int | float) or not 0 <= said <= LARGEST:
        return None
    return float(said)


def _person(ticket: SupportTicket, act: TicketEvent | None, later: tuple[TicketEvent, ...]) -> str:
    """The one who acted, or who answered first."""
    answers = (event for event in later if is_message_of(event, "agent"))
    event = act or next(answers, None)
    return ticket.people[event.person].name if event and event.person is not None else ""
