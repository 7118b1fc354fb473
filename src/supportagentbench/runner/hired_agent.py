"""HiredAgent: an agent in one conversation, made when the first message arrives, with a deadline per turn."""

import asyncio
import time
from collections.abc import Sequence

from supportagentbench.agents import Agent, AgentFactory, AgentFailure
from supportagentbench.agents.isolation.process import IsolatedAgent
from supportagentbench.records.record import digest
from supportagentbench.records.run import Run
from supportagentbench.records.transcript import Turn
from supportagentbench.world.desk import Desk

TURN_TIMEOUT = 300.0
"""Seconds that an agent with code of its own has for a turn."""


class HiredAgent:
    """Makes its agent within the first turn: one that cannot be made ends the conversation like any other."""

    def __init__(self, factory: AgentFactory, header: Run, case: str, turn_timeout: float | None) -> None:
        self._factory = factory
        self._header = header
        self._case = case
        self._seconds = turn_timeout
        self._agent: Agent | None = None

    async def reply(self, turns: Sequence[Turn], desk: Desk) -> str:
        started, timer = time.monotonic(), asyncio.timeout(self._seconds)
        try:
            async with timer:
                if self._agent is None:
                    self._agent = self._factory(self._seed(turns[0]))
                text = await self._agent.reply(turns, desk)
        except TimeoutError:
            if not timer.expired():
                raise
            raise AgentFailure("deadline", f"no answer within {self._seconds:g} s") from None
        took = time.monotonic() - started
        if self._seconds is not None and took > self._seconds:
            detail = (
                f"an answer after {took:.0f} s; {self._seconds:g} are allowed, and nothing else could run"
            )
            raise AgentFailure("deadline", detail)
        return text

    def leave(self) -> None:
        """The conversation is over."""
        if isinstance(self._agent, IsolatedAgent):
            self._agent.leave()

    def _seed(self, opening: Turn) -> int:
        """The agent's seed; one that is not trusted learns no more from it than from the first message."""
        is_trusted = self._header.isolation != "process"
        source = self._case if is_trusted else [opening.sender, opening.text]
        return int(digest([self._header.seed, self._header.run, source]), 16) % 2**31
