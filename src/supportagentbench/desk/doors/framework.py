"""Framework: the door of agents that a framework runs, and the desk that their tools call.

The adapters, which are ours, ask the framework; if its model's provider fails, the agent is not to blame.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Protocol

from supportagentbench.desk import AgentFailure, Desk, ServiceFailure
from supportagentbench.desk.doors.here import HereSeat
from supportagentbench.desk.doors.outage import outage_in
from supportagentbench.desk.doors.reception import UNNAMED
from supportagentbench.desk.session import TooManyCalls
from supportagentbench.desk.told_turns import told_turns
from supportagentbench.models import Message
from supportagentbench.records.transcript import Turn
from supportagentbench.records.vocabulary import TICKET_ACTS


class FrameworkDesk:
    """What a framework's tools and hooks keep through a conversation; it leads to the open turn's desk."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.has_settled = False
        """Whether the agent closed the ticket or handed it over."""
        self.overrun: TooManyCalls | None = None
        """Set when the desk broke the turn off, in case the framework raises another error instead."""

    def call(self, tool: str, arguments: dict[str, Any] | str) -> str:
        """Run one tool; the text that the model gets, exactly."""
        try:
            result = self.desk.call(tool, arguments)
        except TooManyCalls as error:
            self.overrun = error
            raise
        self.has_settled |= result.ok and tool in TICKET_ACTS
        return result.text

    def spend(self, counts: object, model: str) -> None:
        """Report what one model call used."""
        self.desk.spend(counts, model=model or UNNAMED)


class FrameworkTalk(Protocol):
    """A framework's agent in one conversation, with the memory that the framework has of it."""

    async def answer(self, messages: Sequence[Message]) -> str:
        """The reply to the last message. Any before it are from before the agent was there."""
        ...

    async def close(self) -> None:
        """The conversation is over."""
        ...


class FrameworkSeat(HereSeat):
    """One conversation, as the benchmark asks for it."""

    def __init__(self, begin: Callable[[FrameworkDesk], FrameworkTalk], author: str) -> None:
        super().__init__(self._answer, self._end)
        self._begin = begin
        self._author = author
        self._talk: FrameworkTalk | None = None
        self._heard = 0
        """How many turns of the conversation the framework's memory has."""
        self._outage: ServiceFailure | None = None
        """Why the provider of the framework's model failed, if it did."""

    async def reply(self, turns: Sequence[Turn], desk: Desk) -> str:
        """The framework's answer to the turns since its last one; what else it raises is the agent's own."""
        try:
            return await super().reply(turns, desk)
        except AgentFailure:
            if self._outage:
                raise self._outage from None
            raise

    async def _answer(self, turns: Sequence[Turn], desk: Desk) -> str:
        if self._talk is None:
            self._desk = FrameworkDesk(desk)
            self._talk = self._begun()
        self._desk.desk = desk
        new = tuple(told_turns(turns, self._heard))
        self._heard = len(turns) + 1
        try:
            text = (await self._talk.answer(new)).strip()
        except Exception as error:
            if self._desk.overrun:
                raise self._desk.overrun from None
            self._outage = outage_in(error, self._author)
            raise
        if not text and not self._desk.has_settled:
            raise AgentFailure("empty_reply", "the agent neither answered nor closed the ticket")
        return text

    def _begun(self) -> FrameworkTalk:
        try:
            return self._begin(self._desk)
        except Exception as error:
            self._outage = outage_in(error, self._author, in_making=True)
            raise

    async def _end(self) -> None:
        """Tell the framework that the conversation is over."""
        if self._talk:
            await self._talk.close()


class FrameworkAgents:
    """Seats the agent of every conversation: what `on_desk` returns, and `sab run` finds in a file."""

    def __init__(
        self, begin: Callable[[FrameworkDesk], FrameworkTalk], make: Callable[..., Any], **options: Any
    ) -> None:
        self._begin = begin
        self.user_code = partial(make, **options) if options else make
        """What the user wrote: its name and its source are the agent's."""
        self._author = str(getattr(make, "__module__", ""))

    def __call__(self, seed: int) -> FrameworkSeat:
        return FrameworkSeat(self._begin, self._author)

    async def aclose(self) -> None:
        """Nothing is left open."""
