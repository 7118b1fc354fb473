"""The engine runs what waits, and leaves the process as it found it."""

import asyncio
import gc
import sys

import pytest

from supportagentbench.runner.event_loop import YOUNG, drive


async def loop_and_threshold() -> tuple[str, int, int]:
    return type(asyncio.get_running_loop()).__module__, gc.get_threshold()[0], gc.get_freeze_count()


@pytest.mark.skipif(sys.platform == "win32", reason="there is no uvloop for it")
def test_work_runs_on_the_light_loop_and_what_stands_is_left_alone() -> None:
    module, young, frozen = drive(loop_and_threshold())
    assert module.startswith("uvloop")
    assert young == YOUNG
    assert frozen > 10_000


def test_afterwards_the_collector_works_as_before() -> None:
    before = gc.get_threshold()
    drive(asyncio.sleep(0))
    assert gc.get_threshold() == before
    assert gc.get_freeze_count() == 0


def test_so_it_does_when_the_work_fails() -> None:
    async def fail() -> None:
        raise LookupError("nobody is there")

    before = gc.get_threshold()
    with pytest.raises(LookupError, match="nobody is there"):
        drive(fail())
    assert gc.get_threshold() == before
    assert gc.get_freeze_count() == 0
