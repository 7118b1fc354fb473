"""Desk: what the agent gets, and DeskSession: the books behind it, which record every call.

An agent reaches no more than a model is sent: instructions, tools, and what its calls return. The policy
engine, the books and the state of the ticket stay on the harness's side.
"""

import time
from collections import Counter
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol

import msgspec

from supportagentbench.records.record import readable
from supportagentbench.records.tool_spec import ToolSpec
from supportagentbench.records.transcript import Attachment, ToolCall, ToolResult
from supportagentbench.records.usage import Usage, checked_usage
from supportagentbench.world import ticket
from supportagentbench.world.policy import Policy, section_text
from supportagentbench.world.store import Store, changes_between
from supportagentbench.world.tool import Tool, ToolFault

MOST_CALLS = 40
"""Tool calls in one turn, after which the desk stops listening."""


class TooManyCalls(Exception):
    """The agent called tools without end in one turn."""


def toolbox(policy: Policy) -> dict[str, Tool]:
    """Every tool of the desk, by name."""
    kit = policy.kit
    sections = {section.title: section_text(section) for section in policy.sections}
    reads = (*kit.lookups, kit.policy_reader(policy.text, sections))
    writes = (*kit.writes, *ticket.WRITES)
    tools = [Tool(work, writes=False) for work in reads] + [Tool(work, writes=True) for work in writes]
    return {tool.name: tool for tool in tools}


DEEPEST = 50
"""Levels of arguments within arguments; what goes deeper is taken for text, which every reader can read."""


def as_arguments(given: object) -> dict[str, Any] | str:
    """A copy of the arguments that can be written down; as text, if they are no JSON object."""
    try:
        written = msgspec.json.encode(given)
        plain = msgspec.json.decode(written)
        if isinstance(plain, str):
            return plain
        brackets = written.count(b"{") + written.count(b"[")  # Few of them cannot be nested deeply.
        if isinstance(plain, dict) and (brackets <= DEEPEST or not _is_deep(plain, DEEPEST)):
            return plain
        return repr(given)[:2000]
    except (TypeError, ValueError, OverflowError):
        return repr(given)[:2000]
    except RecursionError:
        return "(nested too deeply)"


def _is_deep(plain: Any, levels: int) -> bool:
    """Whether plain data has more levels than these."""
    if not isinstance(plain, dict | list):
        return False
    parts = plain.values() if isinstance(plain, dict) else plain
    return not levels or any(_is_deep(part, levels - 1) for part in parts)


class DeskBackend(Protocol):
    """Whoever carries out what is asked for at a desk."""

    def call(self, tool: str, arguments: dict[str, Any] | str) -> ToolResult: ...

    def spend(self, usage: Usage) -> None: ...


class Desk:
    """The agent's side of one conversation: what it is told, the tools it may call, and nothing else."""

    __slots__ = ("_session", "instructions", "tools")

    def __init__(self, session: DeskBackend, instructions: str, tools: Mapping[str, ToolSpec]) -> None:
        self._session = session
        self.instructions = instructions
        """All the agent is told before the customer writes: the shop, the day, the policy."""
        self.tools = tools
        """By name: what each tool is for and which arguments it takes."""

    def call(self, tool: str, arguments: dict[str, Any] | str) -> ToolResult:
        """Run one tool, on record. Whatever is asked, a result comes back."""
        return self._session.call(tool, arguments)

    def spend(self, usage: Usage) -> None:
        """Report what one model call used, as soon as it is known: tools called after it are its doing."""
        self._session.spend(usage)


class DeskWork(NamedTuple):
    """What was done at a desk in one turn, and what `time.perf_counter` said each time."""

    calls: tuple[ToolCall, ...]
    usage: tuple[Usage, ...]
    called: tuple[float, ...]
    spent: tuple[float, ...]


class DeskSession:
    """The harness's side of one conversation: private books, and the record of what the agent did in them."""

    def __init__(
        self, store: Store, tools: Mapping[str, Tool], instructions: str, faults: Iterable[ToolFault] = ()
    ) -> None:
        specs = MappingProxyType({name: tool.spec for name, tool in tools.items()})
        self.desk = Desk(self, instructions, specs)
        """What the agent gets."""
        self._tools = tools
        self._faults = {fault.tool: fault for fault in faults}
        self._failed: Counter[str] = Counter()
        """How often each faulty tool has failed."""
        self._store = store.copy()
        self._calls: list[ToolCall] = []
        self._usage: list[Usage] = []
        self._called: list[float] = []
        self._spent: list[float] = []
        self._steps = 0
        """Model calls of the whole conversation."""

    def call(self, tool: str, arguments: dict[str, Any] | str) -> ToolResult:
        """Run one tool and record it."""
        if len(self._calls) >= MOST_CALLS:
            raise TooManyCalls(f"more than {MOST_CALLS} tool calls in one turn")
        name, given = readable(str(tool)), as_arguments(arguments)
        result = self._run(name, given)
        self._calls.append(ToolCall(name, given, result, self._steps if self._usage else 0))
        self._called.append(time.perf_counter())
        return result

    def _run(self, tool: str, arguments: dict[str, Any] | str) -> ToolResult:
        found = self._tools.get(tool)
        if found is None:
            return ToolResult.refused(f"There is no tool {tool!r}; there are {', '.join(self._tools)}.")
        if isinstance(arguments, str):
            return ToolResult.refused(f"{tool} was not run: its arguments are not a JSON object.")
        if not found.writes:
            return found.run(self._store, arguments)
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

    def spend(self, usage: Usage) -> None:
        """Record what one model call used at once, so that it is kept even if the turn breaks."""
        self._steps += 1
        self._usage.append(msgspec.structs.replace(checked_usage(usage), step=self._steps))
        self._spent.append(time.perf_counter())

    def receive(self, files: tuple[Attachment, ...]) -> None:
        """Put what the customer attached on the ticket."""
        if files:
            kept = self._store.ticket
            filed = msgspec.structs.replace(kept, files=(*kept.files, *files))
            self._store.tickets[ticket.THIS] = filed

    def clear(self) -> DeskWork:
        """The calls and usage since this was last asked: the work of one turn."""
        work = DeskWork(tuple(self._calls), tuple(self._usage), tuple(self._called), tuple(self._spent))
        self._calls, self._usage, self._called, self._spent = [], [], [], []
        return work

    @property
    def ticket(self) -> str:
        """Whether the ticket is open, handed over or closed."""
        return self._store.ticket.state
