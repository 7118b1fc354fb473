"""The event loop runs the work, and leaves the process as it found it."""

import asyncio
import gc
import sys

import pytest

from supportagentbench.concurrency.event_loop import GC_THRESHOLD, drive


async def loop_and_threshold() -> tuple[str, int, int]:
    return type(asyncio.get_running_loop()).__module__, gc.get_threshold()[0], gc.get_freeze_count()


@pytest.mark.skipif(sys.platform == "win32", reason="there is no uvloop for Windows")
def test_work_runs_on_uvloop_and_existing_objects_are_not_scanned() -> None:
    module, young, frozen = drive(loop_and_threshold())
    assert module.startswith("uvloop")
    assert young == GC_THRESHOLD
    assert frozen > 10_000


def test_afterwards_the_collector_works_as_before() -> None:
    before = gc.get_threshold()
    drive(asyncio.sleep(0))
    assert gc.get_threshold() == before
    assert gc.get_freeze_count() == 0


def test_the_collector_is_restored_when_the_work_fails() -> None:
    async def fail() -> None:
        raise LookupError("nobody is there")

    before = gc.get_threshold()
    with pytest.raises(LookupError, match="nobody is there"):
        drive(fail())
    assert gc.get_threshold() == before
    assert gc.get_freeze_count() == 0


def test_work_goes_on_after_somebody_stopped_the_loop() -> None:
    async def stop_twice() -> str:
        for _ in range(2):
            asyncio.get_running_loop().stop()
            await asyncio.sleep(0)
        return "done"

    assert drive(stop_twice()) == "done"
