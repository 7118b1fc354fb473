"""Event loop: runs work that waits for many answers, with as little overhead as possible."""

import asyncio
import gc
import sys
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

Result = TypeVar("Result")

GC_THRESHOLD = 20_000
"""Allocations between two garbage collections: Python's default of 700 is too few with many conversations."""


STOPPED = "Event loop stopped before"
"""How the error of a loop begins that somebody stopped."""


def drive(work: Coroutine[Any, Any, Result]) -> Result:
    """`asyncio.run` on uvloop, with fewer garbage collections; code that stops the loop ends nothing."""
    with _few_collections(), asyncio.Runner(loop_factory=_loop_factory()) as runner:
        task = runner.get_loop().create_task(work)
        while True:
            try:
                return runner.run(_result(task))
            except RuntimeError as error:
                if not str(error).startswith(STOPPED):
                    raise


async def _result(task: asyncio.Task[Result]) -> Result:
    return await task


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    if sys.platform == "win32":
        return None  # There is no uvloop for Windows; Python's own loop does the same more slowly.
    import uvloop

    return uvloop.new_event_loop


@contextmanager
def _few_collections() -> Iterator[None]:
    """Objects that exist already, such as a world, are not scanned again and again."""
    thresholds = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(GC_THRESHOLD, *thresholds[1:])
    try:
        yield
    finally:
        gc.set_threshold(*thresholds)
        gc.unfreeze()
