"""Thread: the user's blocking code, in a separate thread, so that other conversations do not wait for it.

The thread is a daemon, so one that never ends does not keep the job from ending. The event loop carries out
its calls, one at a time.
"""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from contextvars import copy_context
from functools import partial
from inspect import isawaitable
from threading import Thread, get_ident
from typing import Any, TypeVar

from supportagentbench.desk import Desk
from supportagentbench.desk.doors.here import grace
from supportagentbench.desk.own_errors import own_errors
from supportagentbench.records.transcript import ToolResult, Turn
from supportagentbench.records.usage import Usage

Made = TypeVar("Made")


class LoopDesk:
    """A desk that a thread uses through the event loop."""

    def __init__(self, desk: Desk, loop: asyncio.AbstractEventLoop) -> None:
        self._desk = desk
        self._loop = loop
        self._thread = get_ident()
        """The loop's thread: a reply that turns out to be a coroutine is awaited there."""

    def call(self, tool: str, arguments: dict[str, Any] | str) -> ToolResult:
        """Have a tool run."""
        return self._on_loop(partial(self._desk.call, tool, arguments))

    def spend(self, usage: Usage) -> None:
        """Have usage recorded."""
        self._on_loop(partial(self._desk.spend, usage))

    def _on_loop(self, work: Callable[[], Made]) -> Made:
        if get_ident() == self._thread:
            return work()
        done: Future[Made] = Future()

        def carry_out() -> None:
            try:
                done.set_result(work())
            except BaseException as error:
                done.set_exception(error)

        self._loop.call_soon_threadsafe(carry_out)
        return done.result()


async def in_thread(work: Callable[[], Any]) -> Any:
    """What this function returns or raises; other conversations keep running meanwhile."""
    loop = asyncio.get_running_loop()
    answer = loop.create_future()

    def settle(value: Any, error: BaseException | None) -> None:
        if not answer.done():  # It is done if the deadline came first.
            answer.set_result((value, error))

    def run() -> None:
        value, raised = None, None
        try:
            value = work()
        except BaseException as error:
            raised = error
        with suppress(RuntimeError):  # The loop is closed: no one needs the result.
            loop.call_soon_threadsafe(settle, value, raised)

    Thread(target=copy_context().run, args=(run,), daemon=True, name="agent's turn").start()
    value, error = await answer
    if error is not None:
        raise error
    return value


class ThreadSeat:
    """The agent of one conversation, made of its author's functions."""

    def __init__(
        self, reply: Callable[[Sequence[Turn], Desk], Any], leave: Callable[[], Any] | None = None
    ) -> None:
        self._reply = reply
        self._leave = leave

    async def reply(self, turns: Sequence[Turn], desk: Desk) -> str:
        seat = Desk(LoopDesk(desk, asyncio.get_running_loop()), desk.instructions, desk.tools)
        with own_errors():
            answer = await in_thread(partial(self._reply, turns, seat))
            text: str = await answer if isawaitable(answer) else answer
            return text

    async def leave(self) -> None:
        """Give threads that the agent left running some grace, then tell the agent."""
        await grace()
        with own_errors():
            left = await in_thread(self._leave) if self._leave else None
            if isawaitable(left):
                await left
