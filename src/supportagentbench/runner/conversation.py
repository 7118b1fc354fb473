"""Conversation: customer and agent take turns until one of them ends it. The runner decides every ending."""

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import NamedTuple

import msgspec

from supportagentbench.customer.chat import ChatHabits
from supportagentbench.customer.planner import Customer
from supportagentbench.customer.unanswered_reply import UnansweredReply
from supportagentbench.customer.voice import Voice
from supportagentbench.desk import AgentFailure, AgentSeat, ServiceFailure
from supportagentbench.desk.session import DeskSession, RefusedCalls, TooManyCalls, arguments_again
from supportagentbench.desk.trace import described
from supportagentbench.language.reader import Reader
from supportagentbench.models import ModelError
from supportagentbench.records.case import Case
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import readable
from supportagentbench.records.run import Channel, DeskKind
from supportagentbench.records.transcript import (
    CAUSES,
    EXTERNAL_CAUSES,
    SPEAKERS,
    Ending,
    ToolCall,
    Transcript,
    Turn,
    opening_of,
)
from supportagentbench.runner.stopwatch import Stopwatch
from supportagentbench.world.cases import Cases

TURN_LIMIT = 8
"""Maximum replies of an agent."""

LONGEST_REPLY = 20_000
"""Maximum characters of one reply; the rest is cut off and marked."""

LONGEST_CAUSE = 500
"""Maximum characters of an error message that are stored."""


INTERRUPTED = Ending("broke", "interrupted", "the job ended before this conversation")


class Sitting(NamedTuple):
    """Which conversation about a case this is: its run and seed, and how customer and agent meet."""

    run: int = 1
    seed: int = 0
    channel: Channel = "email"
    desk: DeskKind = "prompt"


class Talk(NamedTuple):
    """What was said and done, and how it ended."""

    turns: tuple[Turn, ...]
    ending: Ending
    refused: RefusedCalls

    def on(self, case: Case, sitting: Sitting, start: str) -> Transcript:
        """The transcript; `start` is the digest of the books when the desk opened."""
        return Transcript(
            case=case.id,
            family=case.family,
            bucket=case.bucket,
            run=sitting.run,
            seed=sitting.seed,
            start=start,
            label=case.label,
            turns=self.turns,
            ending=self.ending,
            language=case.brief.language,
            twin_of=case.twin_of,
            level=case.level,
            refused=self.refused.listed,
            unlisted=self.refused.unlisted,
            today=case.today,
        )


Note = Callable[[Transcript], None]
"""Keeps a conversation as far as it is; it is safe when this returns."""


async def hold(
    cases: Cases,
    case: Case,
    agent: AgentSeat,
    voice: Voice,
    sitting: Sitting = Sitting(),  # noqa: B008
    *,
    hear: Callable[[Turn], None] | None = None,
    stopwatch: Stopwatch | None = None,
    note: Note | None = None,
) -> Transcript:
    """Run one conversation about a case from its start: the first message, or the middle of a ticket."""
    session, customer, history = await begun(cases, case, voice, sitting)

    def recorded(talk: Talk) -> Transcript:
        return talk.on(case, sitting, cases.start_of(case))

    noted = (lambda talk: note(recorded(talk))) if note else None
    talk = await converse(case, agent, session, customer, history, hear=hear, stopwatch=stopwatch, note=noted)
    return recorded(talk)


class BegunConversation(NamedTuple):
    """Desk and customer in the state after the turns so far."""

    session: DeskSession
    customer: Customer
    history: tuple[Turn, ...]


async def begun(cases: Cases, case: Case, voice: Voice, sitting: Sitting) -> BegunConversation:
    """Desk and customer of a case, brought to where its conversation begins."""
    session = DeskSession(cases.desk_for(case, sitting.channel, sitting.desk))
    customer = customer_of(case, voice, sitting, cases.reader)
    turns = list(_repeated(session, cases.history_of(case)))
    had = list(await customer.resume(turns, case.opening, case.subject))
    if first := opening_of(had):
        had[had.index(first)] = msgspec.structs.replace(first, sender=first.sender or case.sender)
    return BegunConversation(session, customer, tuple(had))


def _repeated(session: DeskSession, turns: Sequence[Turn]) -> Iterator[Turn]:
    """These turns with their files received and their calls made again, with the new results."""
    for place, turn in enumerate(turns):
        session.receive(turn.attachments)
        yield msgspec.structs.replace(turn, calls=_made_again(session, place, turn.calls))


def _made_again(session: DeskSession, place: int, calls: Sequence[ToolCall]) -> tuple[ToolCall, ...]:
    if not calls:
        return ()
    desk = session.open_turn(place)
    try:
        for call in calls:
            desk.call(call.tool, arguments_again(call))
    except TooManyCalls as error:
        raise Problem(f"turn {place + 1} cannot be repeated: {error}; leave calls out.") from None
    finally:
        work = session.close_turn()
    return work.calls


async def converse(
    case: Case,
    agent: AgentSeat,
    session: DeskSession,
    customer: Customer,
    history: Sequence[Turn] = (),
    *,
    hear: Callable[[Turn], None] | None = None,
    stopwatch: Stopwatch | None = None,
    note: Callable[[Talk], None] | None = None,
) -> Talk:
    """Run one conversation to its end; `hear` is called with every turn except the last as it happens.

    `note` gets the conversation so far whenever the agent may have done something that cannot be taken back,
    before anybody reacts to it.

    `history` has the turns so far: desk and customer must be in the state after it, and the party that did
    not speak last continues. Without it, the customer opens.
    """
    stopwatch = stopwatch or Stopwatch()
    turns = list(history) or [_opening(customer, case)]
    for turn in turns:
        stopwatch.end_turn()
        if hear:
            hear(turn)
    if not history:
        session.receive(turns[0].attachments)
    may_disclose = any(one.private for one in case.label.withheld)
    if note:
        session.on_change = lambda: note(_so_far(turns, session))
    ending = None
    if _is_the_customers(turns):
        ending = await _customer_says(customer, turns, session, hear, stopwatch)
    while not ending:
        answer, ending = await _agent_turn(agent, turns, session, stopwatch)
        turns.append(answer)
        if note and may_disclose:
            note(_so_far(turns, session))
        ending = ending or _ending_at(session, turns)
        if ending:
            break
        if hear:
            hear(answer)
        ending = await _customer_says(customer, turns, session, hear, stopwatch)
    await agent.leave()
    return Talk(tuple(turns), ending, session.end())


def _so_far(turns: Sequence[Turn], session: DeskSession) -> Talk:
    """The conversation up to now, the open turn included, as it is if the job is killed at this moment."""
    work = session.turn.work() if session.turn else None
    begun = (Turn("agent", "", calls=work.calls, usage=work.usage),) if work else ()
    return Talk((*turns, *begun), INTERRUPTED, RefusedCalls((), 0))


def customer_of(case: Case, voice: Voice, sitting: Sitting, reader: Reader) -> Customer:
    """The customer of a case in one run: all skip as much of the phrase book; twins type the same way."""
    key = f"{sitting.seed}/{sitting.run}"
    shift = Random(key).randrange(10_000)
    brief = msgspec.structs.replace(case.brief, seat=case.brief.seat + shift)
    is_chat = sitting.channel == "chat"
    habits = ChatHabits(brief, Random(f"{key}/{case.twin_of or case.id}/chat")) if is_chat else None
    return Customer(brief, voice, Random(f"{key}/{case.id}/customer"), reader, habits)


def _opening(customer: Customer, case: Case) -> Turn:
    return msgspec.structs.replace(customer.open(case.opening, case.subject), sender=case.sender)


def _is_the_customers(turns: Sequence[Turn]) -> bool:
    """Whether the customer speaks next."""
    spoken = [turn.party for turn in turns if turn.party in SPEAKERS]
    return spoken[-1:] == ["agent"]


def is_over(turns: Sequence[Turn]) -> bool:
    """Whether these turns end the conversation: the customer has left, or the agent has no replies left."""
    return any(map(_has_left, turns)) or _is_at_limit(turns)


def _is_at_limit(turns: Sequence[Turn]) -> bool:
    """Whether the agent has used up its replies; any before a real customer's last message were not its."""
    last = max((at for at, turn in enumerate(turns) if _is_a_persons(turn)), default=0)
    return sum(turn.party == "agent" for turn in turns[last:]) >= TURN_LIMIT


def _is_a_persons(turn: Turn) -> bool:
    return turn.conduct is not None and turn.conduct.worded_by == "person"


async def _agent_turn(
    agent: AgentSeat, turns: list[Turn], session: DeskSession, stopwatch: Stopwatch
) -> tuple[Turn, Ending | None]:
    """The agent's turn; if the agent fails, its actions until then stay in the transcript."""
    text, ending = "", None
    desk = session.open_turn(len(turns))
    try:
        text = _as_reply(await agent.reply(as_heard(turns), desk))
    except AgentFailure as failure:
        ending = _broke(failure)
    except (
        ModelError,
        ServiceFailure,
    ) as error:  # Of what the harness asked: doors keep back the agent's own.
        ending = Ending("broke", error.cause, readable(error.detail)[:LONGEST_CAUSE])
    except TooManyCalls as error:
        ending = Ending("broke", "too_many_calls", str(error))
    except Problem:
        raise  # A full disk or a missing recorded answer is not the agent's failure.
    except (Exception, SystemExit) as error:
        ending = _broke(AgentFailure("agent_error", described(error)))
    finally:
        work = session.close_turn()
    if work.has_overrun and not ending:
        ending = Ending("broke", "too_many_calls", "it continued after its last tool call was refused")
    stopwatch.end_turn(work.spent, work.called)
    return Turn("agent", text, calls=work.calls, usage=work.usage), ending


def _broke(failure: AgentFailure) -> Ending:
    """The ending that an agent reports; a cause that it cannot know counts as an error of the agent."""
    cause, words = failure.cause, _words(failure.detail)
    if known := next((one for one in CAUSES if one == cause and one not in EXTERNAL_CAUSES), None):
        return Ending("broke", known, readable(words)[:LONGEST_CAUSE])
    return Ending("broke", "agent_error", readable(f"{_words(cause)}: {words}")[:LONGEST_CAUSE])


def _words(thing: object) -> str:
    """An agent's error as text, even if converting it fails, too."""
    try:
        return str(thing)
    except Exception as error:
        return f"({type(thing).__name__} without words: {type(error).__name__})"


async def _customer_says(
    customer: Customer,
    turns: list[Turn],
    session: DeskSession,
    hear: Callable[[Turn], None] | None,
    stopwatch: Stopwatch,
) -> Ending | None:
    """The customer's turn; if its model fails, the conversation ends and the agent is not blamed."""
    reply = UnansweredReply.last_of(turns)
    ending = None
    try:
        turn = await customer.answer(*reply)
    except ModelError as error:
        detail = readable(f"{error.cause}: {error.detail}")
        ending = Ending("broke", "customer_error", detail[:LONGEST_CAUSE], error.cause)
        turn = customer.unsaid()
    stopwatch.end_turn()
    turns.append(turn)
    if ending or _has_left(turn):
        return ending or Ending("customer_left")
    if hear:
        hear(turn)
    session.receive(turn.attachments)
    return None


def as_heard(turns: Sequence[Turn]) -> tuple[Turn, ...]:
    """The conversation as the agent sees it: text, files and its own calls, without the customer's plans.

    Notes and system lines are left out: they may reveal what was decided later, and in the messages that
    a model receives, a customer could forge one.
    """
    return tuple(
        msgspec.structs.replace(turn, conduct=None, usage=turn.usage if turn.party == "agent" else ())
        for turn in turns
        if turn.party in SPEAKERS
    )


def _as_reply(reply: object) -> str:
    if not isinstance(reply, str):
        raise AgentFailure("agent_error", f"the reply is a {type(reply).__name__}, not text")
    text = readable(reply)
    return text if len(text) <= LONGEST_REPLY else text[:LONGEST_REPLY] + " […cut]"


def _ending_at(session: DeskSession, turns: list[Turn]) -> Ending | None:
    if session.ticket == "handed_over":
        return Ending("handed_over")
    if session.ticket == "closed":
        return Ending("ticket_closed")
    if _is_at_limit(turns):
        return Ending("turn_limit")
    return None


def _has_left(turn: Turn) -> bool:
    return turn.conduct is not None and turn.conduct.leaves
