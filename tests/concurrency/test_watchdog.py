"""A watchdog is silent as long as things move, and names the line that stops them."""

import asyncio
import time

import pytest

from supportagentbench.concurrency.watchdog import Watchdog


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
