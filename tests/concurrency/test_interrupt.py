"""What signals do to work in flight."""

import asyncio
import os
import signal
import threading
from contextlib import suppress

import pytest

from supportagentbench.concurrency.event_loop import drive
from supportagentbench.concurrency.interrupt import SIGNALS, Interrupt


async def told_by(interrupt: Interrupt, *numbers: int) -> str:
    """Send these signals to work in flight, and see what becomes of it."""

    async def work() -> str:
        with interrupt.listening():
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


@pytest.mark.parametrize("numbers", [(), (signal.SIGINT,), (signal.SIGTERM,)])
def test_afterwards_signals_do_what_they_did_before(numbers: tuple[int, ...]) -> None:
    async def one_after_the_other() -> list[object]:
        before = [signal.getsignal(number) for number in SIGNALS]
        with suppress(asyncio.CancelledError):
            await told_by(Interrupt(lambda words: None), *numbers)
        return [before, [signal.getsignal(number) for number in SIGNALS]]

    for runner in (asyncio.run, drive):
        before, after = runner(one_after_the_other())
        assert before == after


def test_in_another_thread_whoever_gets_the_signal_passes_it_on() -> None:
    interrupt = Interrupt(lambda words: None)

    async def work() -> str:
        with interrupt.listening():
            await asyncio.sleep(0)
            interrupt.request()
            interrupt.request()
            await asyncio.sleep(60)
        return "finished"

    ended: list[BaseException] = []

    def run() -> None:
        try:
            asyncio.run(work())
        except BaseException as error:
            ended.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join(30)
    assert [type(error) for error in ended] == [asyncio.CancelledError]
