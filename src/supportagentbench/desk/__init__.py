"""Desk: where an agent works, the agent itself, and the door that connects the two.

An agent can reach only what a model would be sent: instructions, tools, and what its calls return. The policy
engine, the books and the state of the ticket stay on the harness's side.
"""

from collections.abc import Sequence
from typing import Any, Literal, Protocol

from supportagentbench.desk.reported_usage import reported_usage
from supportagentbench.desk.tools import DeskTools
from supportagentbench.records.transcript import Cause, ToolResult, Turn
from supportagentbench.records.usage import Usage


class DeskBackend(Protocol):
    """Carries out what an agent asks for at a desk."""

    def call(self, tool: str, arguments: dict[str, Any] | str) -> ToolResult: ...

    def spend(self, usage: Usage) -> None: ...


class Desk:
    """The agent's side of one turn: only its instructions and the tools it may call."""

    __slots__ = ("_session", "instructions", "tools")

    def __init__(self, session: DeskBackend, instructions: str, tools: DeskTools) -> None:
        self._session = session
        self.instructions = instructions
        """Everything the agent knows before the customer writes: the shop, the day, the policy."""
        self.tools = tools
        """What each tool is for and which arguments it takes: as a list of tools, and by name."""

    def call(self, tool: str, arguments: dict[str, Any] | str) -> ToolResult:
        """Run one tool, on record. Always returns a result; after the turn, a refusal."""
        return self._session.call(tool, arguments)

    def spend(self, usage: object = None, **told: object) -> None:
        """Report the usage of a model call as soon as it is known: later tool calls are attributed to it.

        `usage` is a `Usage`, or what the model's library returns; the model's name, the cost, or all counts
        are told by name: `desk.spend(response.usage, model="gpt-5.4-mini")`.
        """
        if not isinstance(usage, Usage) or told:
            usage = reported_usage(usage, told)
        self._session.spend(usage)


class Agent(Protocol):
    """One agent in one conversation."""

    async def reply(self, turns: Sequence[Turn], desk: Desk) -> str:
        """What to write to the customer, given the conversation so far; call tools with `desk.call`."""
        ...


class AgentFactory(Protocol):
    """Makes an agent for one conversation. A class with `__init__(self, seed)` is one."""

    def __call__(self, seed: int) -> Agent: ...


class AgentFailure(Exception):
    """Raised by an agent that cannot continue, with a named cause.

    It is only the agent's claim. A cause that would exclude the conversation from the count is not believed:
    only a `ModelError` from a model that the harness itself asked shows that a provider or the budget failed.
    """

    kind = ""
    """The class of the exception that the agent's code raised, if it was a different one."""
    trace = ""
    """Its traceback, if it was raised in another process."""

    def __init__(self, cause: Cause, detail: str) -> None:
        super().__init__(detail)
        self.cause: Cause = cause
        self.detail = detail


class ServiceFailure(Exception):
    """The service of an agent could not be reached, was late or failed. Only a door can say so.

    It is a cause outside the agent: the conversation is not counted, and is run again.
    """

    def __init__(self, cause: Literal["provider_error", "time_out"], detail: str) -> None:
        super().__init__(detail)
        self.cause: Cause = cause
        self.detail = detail


class AgentSeat(Agent, Protocol):
    """An agent's place in one conversation, no matter where its code runs."""

    async def leave(self) -> None:
        """The conversation is over: there will be no more turns. Calls after this are not noted."""
        ...


class Door(Protocol):
    """How an agent gets to the desk, in this process or from elsewhere. One for all conversations of a job.

    A seat passes its agent's calls to the desk of the turn and does nothing else about turns: the desk itself
    refuses late calls. A door whose agents call from outside keeps the address or token of each conversation
    together with the desk it was last given.
    """

    def __call__(self, seed: int) -> AgentSeat:
        """A seat for the agent of one conversation."""
        ...

    async def aclose(self) -> None:
        """The job is over: close what was opened."""
        ...
