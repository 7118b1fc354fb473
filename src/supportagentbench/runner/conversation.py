"""Conversation: customer and agent take turns until one of them ends it. The runner decides every ending."""

from collections.abc import Callable, Sequence
from random import Random

import msgspec

from supportagentbench.customer.chat import ChatHabits
from supportagentbench.customer.planner import Customer
from supportagentbench.customer.voice import Voice
from supportagentbench.desk import AgentFailure, AgentSeat
from supportagentbench.desk.session import DeskSession, TooManyCalls
from supportagentbench.desk.trace import described
from supportagentbench.language.reader import Reader
from supportagentbench.models import ModelError
from supportagentbench.records.case import Case
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import readable
from supportagentbench.records.run import Channel
from supportagentbench.records.transcript import CAUSES, EXTERNAL_CAUSES, Ending, Transcript, Turn
from supportagentbench.runner.stopwatch import Stopwatch

TURN_LIMIT = 8
"""Replies that the agent may send."""

LONGEST_REPLY = 20_000
"""Characters of one reply; the rest is cut off and marked."""

LONGEST_CAUSE = 500
"""Characters of an error message that are kept."""


async def converse(
    case: Case,
    agent: AgentSeat,
    session: DeskSession,
    voice: Voice,
    *,
    run: int,
    seed: int,
    start: str,
    reader: Reader,
    channel: Channel = "email",
    hear: Callable[[Turn], None] | None = None,
    amend: Callable[[int, Turn], Turn] = lambda number, turn: turn,
    stopwatch: Stopwatch | None = None,
) -> Transcript:
    """Run one conversation and return its transcript; `hear` gets every turn but the last as it is said.

    `amend` may add to a customer's turn, which it gets with its number, before anybody hears it.
    """
    stopwatch = stopwatch or Stopwatch()
    customer = _customer_of(case, voice, f"{seed}/{run}", reader, channel)
    opening = customer.open(case.opening, case.subject)
    turns = [amend(0, msgspec.structs.replace(opening, sender=case.sender))]
    stopwatch.end_turn()
    while True:
        if hear:
            hear(turns[-1])
        session.receive(turns[-1].attachments)
        answer, ending = await _agent_turn(agent, turns, session, stopwatch)
        turns.append(answer)
        ending = ending or _ending_at(session, turns)
        if ending:
            break
        if hear:
            hear(answer)
        turn, ending = await _customer_turn(customer, answer)
        stopwatch.end_turn()
        turns.append(amend(len(turns), turn))
        if ending:
            break
    await agent.leave()
    refused = session.end()
    return Transcript(
        case=case.id,
        family=case.family,
        bucket=case.bucket,
        run=run,
        seed=seed,
        start=start,
        label=case.label,
        turns=tuple(turns),
        ending=ending,
        language=case.brief.language,
        twin_of=case.twin_of,
        level=case.level,
        refused=refused.listed,
        unlisted=refused.unlisted,
    )


def _customer_of(case: Case, voice: Voice, key: str, reader: Reader, channel: Channel) -> Customer:
    """The customer of a case in one run: all move on in the phrase book by as much, and twins type alike."""
    shift = Random(key).randrange(10_000)
    brief = msgspec.structs.replace(case.brief, seat=case.brief.seat + shift)
    habits = ChatHabits(brief, Random(f"{key}/{case.twin_of or case.id}/chat")) if channel == "chat" else None
    return Customer(brief, voice, Random(f"{key}/{case.id}/customer"), reader, habits)


async def _agent_turn(
    agent: AgentSeat, turns: list[Turn], session: DeskSession, stopwatch: Stopwatch
) -> tuple[Turn, Ending | None]:
    """The agent's turn; if the agent fails, what it did before stays in the transcript."""
    text, ending = "", None
    desk = session.open_turn(len(turns))
    try:
        text = _as_reply(await agent.reply(as_heard(turns), desk))
    except AgentFailure as failure:
        ending = _broke(failure)
    except ModelError as error:  # Of a model that the harness asked: doors let no agent's own through.
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
        ending = Ending("broke", "too_many_calls", "it went on after its last tool call was refused")
    stopwatch.end_turn(work.spent, work.called)
    return Turn("agent", text, calls=work.calls, usage=work.usage), ending


def _broke(failure: AgentFailure) -> Ending:
    """The ending that an agent names; a cause that it cannot know is its own error, told in the detail."""
    cause, words = failure.cause, _words(failure.detail)
    if known := next((one for one in CAUSES if one == cause and one not in EXTERNAL_CAUSES), None):
        return Ending("broke", known, readable(words)[:LONGEST_CAUSE])
    return Ending("broke", "agent_error", readable(f"{_words(cause)}: {words}")[:LONGEST_CAUSE])


def _words(thing: object) -> str:
    """Whatever an agent gave, as text, even if that fails, too."""
    try:
        return str(thing)
    except Exception as error:
        return f"({type(thing).__name__} without words: {type(error).__name__})"


async def _customer_turn(customer: Customer, reply: Turn) -> tuple[Turn, Ending | None]:
    """The customer's turn; if its model fails, the conversation ends and the agent is not blamed."""
    carried_out = [call.tool for call in reply.calls if call.result.wrote]
    queued = [call.tool for call in reply.calls if call.result.pending]
    try:
        turn = await customer.answer(reply.text, carried_out, queued)
    except ModelError as error:
        detail = readable(f"{error.cause}: {error.detail}")
        ending = Ending("broke", "customer_error", detail[:LONGEST_CAUSE], error.cause)
        return customer.unsaid(), ending
    return turn, Ending("customer_left") if _has_left(turn) else None


def as_heard(turns: Sequence[Turn]) -> tuple[Turn, ...]:
    """The conversation as the agent sees it: text, files and its own calls, without the customer's plans."""
    return tuple(
        msgspec.structs.replace(turn, conduct=None, usage=turn.usage if turn.party == "agent" else ())
        for turn in turns
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
    if sum(turn.party == "agent" for turn in turns) >= TURN_LIMIT:
        return Ending("turn_limit")
    return None


def _has_left(turn: Turn) -> bool:
    return turn.conduct is not None and turn.conduct.leaves
