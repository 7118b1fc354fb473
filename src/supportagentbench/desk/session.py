"""Session: the harness's side of a conversation: private books, turns that open and close, calls on record.

Only calls through the desk of the open turn are carried out. All others are refused and noted, no matter
which door they use.
"""

import re
import time
from collections import Counter
from collections.abc import Callable
from typing import Any, NamedTuple

import msgspec

from supportagentbench.desk import Desk
from supportagentbench.desk.arguments import (
    LARGEST,
    LARGEST_TURN,
    CutArguments,
    as_arguments,
    short_arguments,
)
from supportagentbench.desk.tools import DeskTools
from supportagentbench.records.record import readable
from supportagentbench.records.transcript import (
    Attachment,
    RefusalKind,
    RefusedCall,
    ToolCall,
    ToolResult,
)
from supportagentbench.records.usage import Usage, checked_usage
from supportagentbench.world import ticket
from supportagentbench.world.desk import DeskSetup
from supportagentbench.world.store import changes_between

MOST_CALLS = 40
"""Tool calls that are carried out in one turn."""

MOST_SURPLUS = 10
"""Calls beyond them that are answered with a refusal; the next one breaks the conversation off."""

LONGEST_NAME = 100
"""Characters of a tool's name; there is none that long."""

MOST_NOTED = 100
"""Refused calls of one conversation that are listed; the others are counted."""

REFUSALS: dict[RefusalKind, str] = {
    "late": "Not carried out: this turn is over, and the reply has been sent.",
    "foreign": "Not carried out: this is the desk of an earlier turn; use the one that this turn was given.",
    "surplus": f"Not carried out: {MOST_CALLS} tool calls are allowed in one turn. Answer the customer now.",
}

_STATES = {"handed_over": "the case is with a human colleague", "closed": "the ticket is closed"}


class TooManyCalls(Exception):
    """The agent called tools endlessly in one turn."""


class TurnWork(NamedTuple):
    """What was done at a desk in one turn, with `time.perf_counter` readings."""

    calls: tuple[ToolCall, ...]
    usage: tuple[Usage, ...]
    called: tuple[float, ...]
    spent: tuple[float, ...]
    has_overrun: bool = False
    """Whether tools were called endlessly, even if the agent ignored the exception."""


class DeskTurn:
    """One turn at the desk. Once it is closed, any further call through its desk is refused."""

    def __init__(self, session: "DeskSession", place: int) -> None:
        self._session = session
        self.place = place
        """The turn's place in the transcript."""
        self.has_overrun = False
        self._room = LARGEST_TURN
        """Bytes of arguments that can still be recorded."""
        self._calls: list[ToolCall] = []
        self._usage: list[Usage] = []
        self._called: list[float] = []
        self._spent: list[float] = []

    def call(self, tool: str, arguments: dict[str, Any] | str) -> ToolResult:
        """Run one tool and record it."""
        session, made = self._session, len(self._calls)
        if session.turn is not self:
            return session.refuse(self, tool, arguments)
        if made >= MOST_CALLS + MOST_SURPLUS:
            self.has_overrun = True
            session.refuse(self, tool, arguments)
            raise TooManyCalls(f"more than {MOST_CALLS} tool calls in one turn")
        name = readable(str(tool)[:LONGEST_NAME])
        given, size = as_arguments(arguments, min(LARGEST, self._room))
        if size > min(LARGEST, self._room):
            result = ToolResult.refused(_too_large(size))
        elif made < MOST_CALLS:
            self._room -= size
            result = session.run(name, given)
        else:
            result = ToolResult.refused(REFUSALS["surplus"])
        self._calls.append(ToolCall(name, given, result, session.steps if self._usage else 0))
        self._called.append(time.perf_counter())
        if result.changes and session.on_change:
            session.on_change()
        return result

    def spend(self, usage: Usage) -> None:
        """Record a model call's usage right away, so that it is kept even if the turn breaks."""
        session = self._session
        if session.turn is not self:
            session.refuse(self, "spend", usage)
            return
        checked = checked_usage(usage)
        session.steps += 1
        self._usage.append(msgspec.structs.replace(checked, step=session.steps))
        self._spent.append(time.perf_counter())

    def work(self) -> TurnWork:
        """Everything that was done in this turn."""
        calls, usage = tuple(self._calls), tuple(self._usage)
        return TurnWork(calls, usage, tuple(self._called), tuple(self._spent), self.has_overrun)


def _too_large(size: int) -> str:
    return (
        f"Not carried out: the arguments have {size:,} bytes; {LARGEST:,} are allowed in one call, "
        f"and {LARGEST_TURN:,} in one turn."
    )


def arguments_again(call: ToolCall) -> dict[str, Any] | str:
    """The arguments of a recorded call, to make it again; cut ones have the size that was refused."""
    found = _SIZE.match(call.result.refusal)
    if found and isinstance(call.arguments, str):
        return CutArguments(call.arguments, int(found[1].replace(",", "")))
    return call.arguments


_SIZE = re.compile(r"(?a)Not carried out: the arguments have ([\d,]{1,24}) bytes;")


class RefusedCalls(NamedTuple):
    """The calls of a conversation that were made outside their turn."""

    listed: tuple[RefusedCall, ...]
    unlisted: int


class DeskSession:
    """The harness's side of one conversation."""

    def __init__(self, setup: DeskSetup) -> None:
        self.turn: DeskTurn | None = None
        """The turn that is open."""
        self.on_change: Callable[[], None] | None = None
        """Called after a call has changed something, before the agent gets its result."""
        self.steps = 0
        """Model calls of the whole conversation."""
        self._instructions = setup.instructions
        self._tools = setup.tools
        self._specs = DeskTools(tool.spec for tool in setup.tools.values())
        self._faults = {fault.tool: fault for fault in setup.faults}
        self._failed: Counter[str] = Counter()
        """How often each faulty tool has failed."""
        self._store = setup.store.copy()
        self._refused: list[RefusedCall] = []
        self._unlisted = 0
        self._has_ended = False

    def open_turn(self, place: int = 1) -> Desk:
        """The desk of the turn at this place in the transcript; only this one works until it is closed."""
        if self.turn or self._has_ended:
            raise RuntimeError("a turn is open" if self.turn else "the conversation is over")
        self.turn = DeskTurn(self, place)
        return Desk(self.turn, self._instructions, self._specs)

    def close_turn(self) -> TurnWork:
        """Close the open turn and return its work."""
        if not self.turn:
            raise RuntimeError("no turn is open")
        done, self.turn = self.turn, None
        return done.work()

    def end(self) -> RefusedCalls:
        """End the conversation and return its refused calls for the record. Later ones are not noted."""
        self._has_ended = True
        return RefusedCalls(tuple(self._refused), self._unlisted)

    def refuse(self, turn: DeskTurn, tool: str, arguments: object) -> ToolResult:
        """Note a call that is not carried out."""
        why: RefusalKind = "late" if self.turn is None else "surplus" if self.turn is turn else "foreign"
        if self._has_ended or len(self._refused) >= MOST_NOTED:
            self._unlisted += 1
        else:
            during = self.turn.place if self.turn else 0
            name = readable(str(tool)[:LONGEST_NAME])
            self._refused.append(RefusedCall(turn.place, name, short_arguments(arguments), why, during))
        return ToolResult.refused(REFUSALS[why])

    def run(self, tool: str, arguments: dict[str, Any] | str) -> ToolResult:
        """Carry out a call, or say why not."""
        found = self._tools.get(tool)
        if found is None:
            return ToolResult.refused(f"There is no tool {tool!r}; there are {', '.join(self._tools)}.")
        if isinstance(arguments, str):
            return ToolResult.refused(f"{tool} was not run: its arguments are not a JSON object.")
        if not found.writes:
            return found.run(self._store, arguments)
        if state := _STATES.get(self.ticket):
            return ToolResult.refused(
                f"Not carried out: {state}, and nothing can be changed any more. Write to the customer, "
                "if anything is left to say."
            )
        draft = self._store.copy()
        result = found.run(draft, arguments)
        if not result.ok:
            return result
        fault = self._faults.get(tool)
        if fault and (not fault.times or self._failed[tool] < fault.times):
            self._failed[tool] += 1
            return fault.answer(result)
        changes = tuple(changes_between(self._store, draft))
        self._store = draft
        return msgspec.structs.replace(result, changes=changes)

    def receive(self, files: tuple[Attachment, ...]) -> None:
        """Put what the customer attached on the ticket."""
        if files:
            kept = self._store.ticket
            filed = msgspec.structs.replace(kept, files=(*kept.files, *files))
            self._store.tickets[ticket.THIS] = filed

    @property
    def ticket(self) -> str:
        """Whether the ticket is open, handed over or closed."""
        return self._store.ticket.state
