"""BlockingReply: a reply that is not async, in a thread of its own, so that nobody waits for it in vain.

The thread is a daemon: one that never ends does not keep the job from ending. What it asks for is carried out
by the event loop, one call at a time, and is refused once its turn is over.
"""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from contextvars import copy_context
from threading import Thread
from typing import Any, TypeVar

from supportagentbench.records.transcript import ToolResult, Turn
from supportagentbench.records.usage import Usage
from supportagentbench.world.desk import Desk

Made = TypeVar("Made")


class TurnDesk:
    """The desk of one turn as a thread reaches it."""

    def __init__(self, desk: Desk, loop: asyncio.AbstractEventLoop) -> None:
        self._desk = desk
        self._loop = loop
        self.is_open = True
        """Whether the turn still runs; only the event loop reads and writes it."""

    def call(self, tool: str, arguments: dict[str, Any] | str) -> ToolResult:
        """Have a tool run."""
        return self._on_loop(lambda: self._desk.call(tool, arguments))

    def spend(self, usage: Usage) -> None:
        """Have usage recorded."""
        self._on_loop(lambda: self._desk.spend(usage))

    def _on_loop(self, work: Callable[[], Made]) -> Made:
        done: Future[Made] = Future()

        def carry_out() -> None:
            try:
                if not self.is_open:
                    raise RuntimeError("the agent's turn is over")
                done.set_result(work())
            except BaseException as error:
                done.set_exception(error)

        self._loop.call_soon_threadsafe(carry_out)
        return done.result()


async def blocking_reply(
    reply: Callable[[Sequence[Turn], Desk], Any], turns: Sequence[Turn], desk: Desk
) -> Any:
    """What this function returns or raises, while other conversations run."""
    loop = asyncio.get_running_loop()
    backend, answer = TurnDesk(desk, loop), loop.create_future()
    seat = Desk(backend, desk.instructions, desk.tools)

    def settle(value: Any, error: BaseException | None) -> None:
        if not answer.done():  # It is, if the deadline came first.
            answer.set_result((value, error))

    def work() -> None:
        value, raised = None, None
        try:
            value = reply(turns, seat)
        except BaseException as error:
            raised = error
        with suppress(RuntimeError):  # The loop is closed: nobody is interested any more.
            loop.call_soon_threadsafe(settle, value, raised)

    Thread(target=copy_context().run, args=(work,), daemon=True, name="agent's turn").start()
    try:
        value, error = await answer
    finally:
        backend.is_open = False
    if error is not None:
        raise error
    return value
