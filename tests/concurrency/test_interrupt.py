"""What signals do to work in flight."""

import asyncio
import os
import signal

import pytest

from supportagentbench.concurrency.interrupt import Interrupt


async def told_by(interrupt: Interrupt, *numbers: int) -> str:
    """Send these signals to work in flight, and see what becomes of it."""

    async def work() -> str:
        interrupt.listen()
        for number in numbers:
            os.kill(os.getpid(), number)
            await asyncio.sleep(0.01)
        return "finished"

    return await asyncio.create_task(work())


def test_the_first_interrupt_lets_the_work_finish() -> None:
    said = list[str]()
    interrupt = Interrupt(said.append)
    assert asyncio.run(told_by(interrupt, signal.SIGINT)) == "finished"
    assert interrupt.is_requested
    assert len(said) == 1


@pytest.mark.parametrize("numbers", [(signal.SIGINT, signal.SIGINT), (signal.SIGTERM,)])
def test_the_second_or_a_request_to_end_cancels_it(numbers: tuple[int, ...]) -> None:
    interrupt = Interrupt(lambda words: None)
    with pytest.raises(asyncio.CancelledError):
        asyncio.run(told_by(interrupt, *numbers))
    assert interrupt.is_requested
