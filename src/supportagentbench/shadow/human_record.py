"""Human record: what the people at the real desk did, as a transcript that the same checks can read.

Their acts are made again at the world's desk, in the turn in which they made them.
"""

from collections.abc import Iterator
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
from supportagentbench.shadow.resume_point import is_message_of, turns_of
from supportagentbench.shadow.ticket_cases import TicketCase, TicketCases
from supportagentbench.world.fixture import FixtureCases
from supportagentbench.world.label import OpenRecord, ideal_arguments

NOT_MADE = ToolResult.refused("")
"""In place of a result, before a call is made again."""


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
    return HumanRecord(
        talk.on(case, Sitting(), cases.start_of(case)),
        DoneElsewhere(
            tuple(dict.fromkeys(event.act.name for event in beyond if event.act)),
            sum(_dollars(cases, event) for event in beyond),
        ),
        _person(one.ticket, one.point.act, one.point.later),
    )


def _later(cases: TicketCases, one: TicketCase) -> Iterator[Turn]:
    """The rest of the ticket turn by turn; an act belongs to the desk's turn that it was made in."""
    said: list[TicketEvent] = []
    for event in (*one.point.later, None):
        if event is None or is_message_of(event, "customer"):
            if said:
                yield _desk_turn(cases, one, said)
            said = []
            if event is not None:
                yield from turns_of([event])
        elif event.kind == "act" or is_message_of(event, "agent"):
            said.append(event)


def _desk_turn(cases: TicketCases, one: TicketCase, events: list[TicketEvent]) -> Turn:
    text = "\n\n".join(event.text for event in events if event.kind == "message")
    calls = (_call(cases, one, event) for event in events if event.kind == "act")
    return Turn("agent", text, calls=tuple(call for call in calls if call))


def _call(cases: TicketCases, one: TicketCase, event: TicketEvent) -> ToolCall | None:
    """An act as a call of the world's tool, as to grant the request unless the ticket says otherwise."""
    found = _mapped(cases, event)
    if found.act in (LOOK_UP, BEYOND) or event.act is None or event.act.ok is False:
        return None
    case = cases.cases[one.ticket.id]
    record = OpenRecord(cases.world.policy, cases.shop.tools, cases.entered(one.fixture), one.fixture.subject)
    (wish,) = case.brief.wishes
    arguments = as_plain(ideal_arguments(record, found.act, wish))
    for name, theirs in found.arguments.items():
        if theirs in event.act.arguments:
            arguments[name] = event.act.arguments[theirs]
    return ToolCall(found.act, arguments, NOT_MADE)


def _mapped(cases: TicketCases, event: TicketEvent) -> MappedAct:
    return cases.desk_map.act_of(event) or MappedAct(LOOK_UP)


def _dollars(cases: TicketCases, event: TicketEvent) -> float:
    name = _mapped(cases, event).dollars
    said = event.act.arguments.get(name) if event.act else None
    if isinstance(said, str):
        said = float(said) if said.replace(".", "", 1).isdecimal() and len(said) < 12 else None
    return float(said) if isinstance(said, int | float) and 0 <= said <= 10**9 else 0.0


def _person(ticket: SupportTicket, act: TicketEvent | None, later: tuple[TicketEvent, ...]) -> str:
    """The one who acted, or who answered first."""
    answers = (event for event in later if is_message_of(event, "agent"))
    event = act or next(answers, None)
    return ticket.people[event.person].name if event and event.person is not None else ""
