"""Frames: what the benchmark and an isolated agent send each other: JSON prefixed with its length."""

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from supportagentbench.records.record import Record, to_json
from supportagentbench.records.tool_spec import ToolSpec
from supportagentbench.records.transcript import ToolResult, Turn
from supportagentbench.records.usage import Usage

HEAD = 4
"""Bytes of a frame's length prefix."""

LARGEST_FRAME = 16 * 2**20
"""Largest frame to an agent in bytes."""

LARGEST_FROM_AGENT = 2**20
"""Largest frame from an agent in bytes; a process that announces more is ended, and nothing of it is read."""


class BeginConversation(Record, tag="begin"):
    """To the agent: everything it knows before the customer writes."""

    seed: int
    instructions: str
    tools: tuple[ToolSpec, ...]


class TakeTurn(Record, tag="take_turn"):
    """To the agent: what was said since its last turn."""

    number: int
    """The number of the turn in this process; the agent's requests in this turn carry it."""
    turns: tuple[Turn, ...]


class ToolAnswer(Record, tag="tool_answer"):
    """To the agent: what its call returned."""

    result: ToolResult


class LeaveConversation(Record, tag="leave"):
    """To the agent: the conversation is over."""


class CloseAgent(Record, tag="close"):
    """To the agent: the job is over, and there will be no more conversations."""


class Loaded(Record, tag="loaded"):
    """From the agent's process, once: the agent was found, or why not."""

    error: str = ""
    problem: str = ""
    """Why not, as a full sentence."""


class CallTool(Record, tag="call_tool"):
    """From the agent: a tool to run. It is answered only while its turn is open."""

    turn: int
    tool: str
    arguments: dict[str, Any] | str
    size: int = 0
    """Bytes of the arguments, if only their start was sent because there are too many."""


class SpendTokens(Record, tag="spend_tokens"):
    """From the agent: the usage of a model call it made."""

    turn: int
    usage: Usage


class AgentReply(Record, tag="reply"):
    """From the agent: what to write to the customer; its turn is over."""

    text: str


class AgentBroke(Record, tag="broke"):
    """From the agent's process: the turn ended with an exception."""

    cause: str
    detail: str
    kind: str = ""
    """The exception's class."""
    trace: str = ""
    """Its traceback."""


class HasLeft(Record, tag="left"):
    """From the agent: it knows that the conversation, or the job, is over."""

    problem: str = ""
    """What its code raised when told so."""


ToAgent = BeginConversation | TakeTurn | ToolAnswer | LeaveConversation | CloseAgent
Settling = Loaded | AgentReply | AgentBroke | HasLeft
"""Messages that we wait for a process to send."""
FromAgent = CallTool | SpendTokens | Settling


def frame(message: ToAgent | FromAgent, most: int = LARGEST_FRAME) -> bytes:
    """A message as it is sent."""
    body = to_json(message)
    if len(body) > most:
        raise ValueError(f"{len(body):,} bytes in one message; {most:,} are allowed")
    return len(body).to_bytes(HEAD, "big") + body


def without_changes(result: ToolResult) -> ToolResult:
    """A tool's result as a model would see it, without the changed rows of the books."""
    return replace(result, changes=()) if result.changes else result


def as_sent(turns: Sequence[Turn]) -> tuple[Turn, ...]:
    """Turns with the agent's own calls and the answers it got."""
    return tuple(
        replace(turn, calls=tuple(replace(call, result=without_changes(call.result)) for call in turn.calls))
        if turn.calls
        else turn
        for turn in turns
    )
