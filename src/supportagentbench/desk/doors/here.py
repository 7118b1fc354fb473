"""Here: the user's async code, in the event loop of the benchmark."""

import asyncio
from collections.abc import Callable, Sequence
from inspect import isawaitable
from typing import Any

from supportagentbench.desk import Desk
from supportagentbench.desk.own_errors import own_errors
from supportagentbench.records.transcript import Turn

GRACE = 10
"""Rounds of the event loop that whatever an agent left running has at the end of a conversation."""


async def grace() -> None:
    """Let it act while a refused call can still be noted."""
    for _ in range(GRACE):
        await asyncio.sleep(0)


class HereSeat:
    """The agent of one conversation, made of its author's functions."""

    def __init__(
        self, reply: Callable[[Sequence[Turn], Desk], Any], leave: Callable[[], Any] | None = None
    ) -> None:
        self._reply = reply
        self._leave = leave

    async def reply(self, turns: Sequence[Turn], desk: Desk) -> str:
        with own_errors():
            answer = self._reply(turns, desk)
            text: str = await answer if isawaitable(answer) else answer
            return text

    async def leave(self) -> None:
        """Give tasks that the agent left running some grace, then tell the agent."""
        await grace()
        with own_errors():
            left = self._leave() if self._leave else None
            if isawaitable(left):
                await left
