"""Here: the user's async code, in the event loop of the benchmark."""

import asyncio
from collections.abc import Callable, Sequence
from inspect import isawaitable
from typing import Any

from supportagentbench.desk import Desk
from supportagentbench.desk.own_errors import own_errors
from supportagentbench.records.transcript import Turn


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
        """Let tasks that the agent left running act while that can be noted, then tell the agent."""
        await asyncio.sleep(0)
        with own_errors():
            left = self._leave() if self._leave else None
            if isawaitable(left):
                await left
