"""Desk: what an agent sits at, the agent itself, and the door through which it comes.

An agent reaches no more than a model is sent: instructions, tools, and what its calls return. The policy
engine, the books and the state of the ticket stay on the harness's side.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from supportagentbench.records.tool_spec import ToolSpec
from supportagentbench.records.transcript import Cause, ToolResult, Turn
from supportagentbench.records.usage import Usage


class DeskBackend(Protocol):
    """Carries out what is asked for at a desk."""

    def call(self, tool: str, arguments: dict[str, Any] | str) -> ToolResult: ...

    def spend(self, usage: Usage) -> None: ...


class Desk:
    """The agent's side of one turn: what it is told, the tools it may call, and nothing else."""

    __slots__ = ("_session", "instructions", "tools")

    def __init__(self, session: DeskBackend, instructions: str, tools: Mapping[str, ToolSpec]) -> None:
        self._session = session
        self.instructions = instructions
        """All the agent is told before the customer writes: the shop, the day, the policy."""
        self.tools = tools
        """By name: what each tool is for and which arguments it takes."""

    def call(self, tool: str, arguments: dict[str, Any] | str) -> ToolResult:
        """Run one tool, on record. Whatever is asked, a result comes back; after the turn, a refusal."""
        return self._session.call(tool, arguments)

    def spend(self, usage: Usage) -> None:
        """Report what one model call used, as soon as it is known: tools called after it are its doing."""
        self._session.spend(usage)


class Agent(Protocol):
    """One agent in one conversation."""

    async def reply(self, turns: Sequence[Turn], desk: Desk) -> str:
        """What to write to the customer, given the talk so far; tools are at `desk.call`."""
        ...


class AgentFactory(Protocol):
    """Makes an agent for one conversation. A class with `__init__(self, seed)` is one."""

    def __call__(self, seed: int) -> Agent: ...


class AgentFailure(Exception):
    """Raised by an agent that cannot go on, for a reason that has a name.

    It is the agent's word. A cause that would take the conversation out of the count is not believed: that a
    provider or the budget failed is known only from a `ModelError` of a model that the harness itself asked.
    """

    kind = ""
    """The class of the exception that the agent's code raised, if it was another one."""
    trace = ""
    """Its traceback, if it was raised in another process."""

    def __init__(self, cause: Cause, detail: str) -> None:
        super().__init__(detail)
        self.cause: Cause = cause
        self.detail = detail


class AgentSeat(Agent, Protocol):
    """An agent's place in one conversation, wherever its code runs."""

    async def leave(self) -> None:
        """The conversation is over: nothing more will be asked. Calls that come after this are not noted."""
        ...


class Door(Protocol):
    """How an agent gets to the desk: in this process or from elsewhere. One for all conversations of a job.

    A seat passes what its agent asks for to the desk of the turn, and does nothing else about turns: the
    desk itself refuses what comes too late. A door whose agents call from outside keeps the address or token
    of each conversation with the desk that it was last given.
    """

    def __call__(self, seed: int) -> AgentSeat:
        """A seat for the agent of one conversation."""
        ...

    async def aclose(self) -> None:
        """The job is over: end what was opened."""
        ...
