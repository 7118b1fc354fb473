"""A watchdog is silent as long as things move, and names the line that stops them."""

import asyncio
import signal
import time
from collections.abc import Callable

import pytest

from supportagentbench.concurrency.watchdog import SIGNAL, Deadline, Overdue, Watchdog


def test_whoever_blocks_the_process_is_named_once(capsys: pytest.CaptureFixture[str]) -> None:
    async def block() -> None:
        with Watchdog(patience=0.1):
            time.sleep(0.5)

    asyncio.run(block())
    said = capsys.readouterr().err
    assert said.count("blocks this process") == 1
    assert "test_watchdog.py:" in said and "--isolate" in said


def test_waiting_is_not_blocking(capsys: pytest.CaptureFixture[str]) -> None:
    async def wait() -> None:
        with Watchdog(patience=0.4):
            await asyncio.sleep(1.0)

    asyncio.run(wait())
    assert capsys.readouterr().err == ""


def endless() -> None:
    while True:
        pass


@pytest.mark.parametrize("block", [endless, lambda: time.sleep(60)])
def test_what_blocks_beyond_its_deadline_is_interrupted(block: Callable[[], None]) -> None:
    async def agent() -> str:
        try:
            block()
        except Exception:
            return "an agent that catches everything"
        return "never"

    async def job() -> str:
        with Watchdog(deadline=Deadline(0.2, agent.__code__)):
            try:
                return await agent()
            except Overdue:
                return "interrupted"

    assert asyncio.run(job()) == "interrupted"


def test_other_code_is_left_alone() -> None:
    async def job() -> None:
        with Watchdog(deadline=Deadline(0.1, endless.__code__)):
            time.sleep(0.5)

    before = signal.getsignal(SIGNAL)
    asyncio.run(job())
    assert signal.getsignal(SIGNAL) == before
