"""Engine: runs whatever waits for many answers at once, and does as little as it can besides."""

import asyncio
import gc
import sys
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

Made = TypeVar("Made")

YOUNG = 20_000
"""New objects between two looks for garbage: Python's 700 are few where many talks are held at once."""


def drive(work: Coroutine[Any, Any, Made]) -> Made:
    """`asyncio.run` on the lightest event loop there is, with the collector out of the way."""
    with _few_collections(), asyncio.Runner(loop_factory=_loop_factory()) as runner:
        return runner.run(work)


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    if sys.platform == "win32":
        return None  # Nobody builds uvloop for it; Python's own loop does the same more slowly.
    import uvloop

    return uvloop.new_event_loop


@contextmanager
def _few_collections() -> Iterator[None]:
    """What stands already, such as a world, is not looked at again and again."""
    thresholds = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(YOUNG, *thresholds[1:])
    try:
        yield
    finally:
        gc.set_threshold(*thresholds)
        gc.unfreeze()
