"""The limiter of requests: lowered by refusals if that helps, raised by answers, fair to those who wait."""

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack
from random import Random
from typing import NamedTuple

import pytest

from supportagentbench.models.rate_limiter import RateLimiter


def test_no_more_at_once_than_the_limit() -> None:
    async def main() -> int:
        limiter, most = RateLimiter(3), 0

        async def one() -> None:
            nonlocal most
            async with limiter:
                most = max(most, limiter.active)
                await asyncio.sleep(0)

        await asyncio.gather(*(one() for _ in range(20)))
        assert limiter.active == 0
        return most

    assert asyncio.run(main()) == 3


def limit_after(limiter: RateLimiter, responses: str) -> float:
    """The limit after these responses: `+` is an answer, `-` a refusal."""

    async def main() -> float:
        for response in responses:
            limiter.slower(0) if response == "-" else limiter.faster()
        return limiter.limit

    return asyncio.run(main())


def test_a_few_refusals_lower_the_limit_by_their_share_but_by_a_fifth_to_a_half() -> None:
    assert limit_after(RateLimiter(16), "--") == 16
    assert limit_after(RateLimiter(16), "---") == 8
    assert limit_after(RateLimiter(16), "+-" * 3) == 8
    assert limit_after(RateLimiter(16), "++-" * 3) == 11
    assert limit_after(RateLimiter(16), "+" * 32 + "-" * 3) == 8, "a clean round is forgotten"
    assert limit_after(RateLimiter(16), "+" * 9 + "-" * 3) == 12
    assert limit_after(RateLimiter(16), ("+" * 9 + "-") * 3) == 13


def test_a_limit_that_helped_is_kept_and_one_that_did_not_is_taken_back() -> None:
    lowered = "+-" * 3
    assert limit_after(RateLimiter(16), lowered + "-" * 19) == 8, "one decrease a round"
    assert limit_after(RateLimiter(16), lowered + "-+" * 10) == 16, "as many are refused of half as many"
    assert limit_after(RateLimiter(16), lowered + "--" + "+" * 18) == 7
    assert limit_after(RateLimiter(16), lowered + "-" * 18 + "+" * 2) == 4, "two answers show little"
    assert limit_after(RateLimiter(16), lowered + "+" * 28) == pytest.approx(9, abs=0.1)


def test_responses_to_requests_that_were_in_flight_say_nothing_new() -> None:
    async def main() -> float:
        limiter = RateLimiter(16)
        async with AsyncExitStack() as in_flight:
            for _ in range(16):
                await in_flight.enter_async_context(limiter)
            for _ in range(3 + 16 + 15):
                limiter.slower(0)
        return limiter.limit

    assert asyncio.run(main()) == 8


def test_the_limit_never_falls_below_one_nor_stays_there() -> None:
    limiter = RateLimiter(8)
    found = [limit_after(limiter, "-" * size) for size in (3, 20, 20, 20, 20, 20)]
    assert found == [4, 2, 1, 1, 2, 1]
    assert limit_after(RateLimiter(1), "-" * 100) == 1


def test_a_complaint_quiets_everybody_for_as_long_as_asked() -> None:
    async def main() -> float:
        limiter, loop = RateLimiter(2), asyncio.get_running_loop()
        limiter.slower(0.1)
        start = loop.time()
        async with limiter:
            return loop.time() - start

    assert asyncio.run(main()) >= 0.099


def test_answers_win_the_pace_back_but_never_beyond_the_most() -> None:
    limiter = RateLimiter(4)
    assert limit_after(limiter, "---") == 2
    assert limit_after(limiter, "+" * 40) == 4


def test_whoever_gives_up_waiting_takes_no_place() -> None:
    async def main() -> None:
        limiter = RateLimiter(1)
        await limiter.__aenter__()
        waiting = asyncio.create_task(limiter.__aenter__())
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        await limiter.__aexit__(None, None, None)
        async with asyncio.timeout(1), limiter:
            assert limiter.active == 1

    asyncio.run(main())


class JumpingLoop(asyncio.SelectorEventLoop):
    """An event loop whose clock jumps to the next timer, so that hours pass at once and always alike."""

    clock = 0.0

    def time(self) -> float:
        return self.clock

    def _run_once(self) -> None:
        if not self._ready and self._scheduled:  # type: ignore[attr-defined]
            self.clock = max(self.clock, self._scheduled[0]._when)  # type: ignore[attr-defined]
        super()._run_once()  # type: ignore[misc]


class Served(NamedTuple):
    """What a provider was asked in a time."""

    answered: int
    refused: int


def served(most: int, seconds: float, refuses: Callable[[int], bool], asks_to_wait: float = 0.0) -> Served:
    """Keep a provider busy that takes a tenth of a second; `refuses` is told how many are in flight."""

    async def main() -> Served:
        limiter, loop, counts, in_flight = RateLimiter(most), asyncio.get_running_loop(), [0, 0], 0

        async def worker() -> None:
            nonlocal in_flight
            while loop.time() < seconds:
                async with limiter:
                    in_flight += 1
                    is_refused = refuses(in_flight)
                    await asyncio.sleep(0.01 if is_refused else 0.1)
                    in_flight -= 1
                    if not is_refused:
                        limiter.faster()
                counts[is_refused] += 1
                if is_refused:
                    limiter.slower(asks_to_wait)
                    await asyncio.sleep(max(asks_to_wait, 0.5))

        await asyncio.gather(*(worker() for _ in range(most)))
        return Served(*counts)

    with asyncio.Runner(loop_factory=JumpingLoop) as runner:
        return runner.run(main())


@pytest.mark.parametrize("asks_to_wait", [0.0, 1.0])
def test_requests_refused_at_random_do_not_end_with_one_at_a_time(asks_to_wait: float) -> None:
    dice = Random(1)
    one_at_a_time = served(1, 200, lambda in_flight: dice.random() < 0.5, asks_to_wait).answered
    dice = Random(1)
    found = served(32, 200, lambda in_flight: dice.random() < 0.5, asks_to_wait).answered
    assert found > 12 * one_at_a_time


@pytest.mark.parametrize("accepted", [2, 5, 20])
def test_a_provider_that_accepts_so_many_at_once_is_kept_busy_and_seldom_refuses(accepted: int) -> None:
    found = served(100, 200, lambda in_flight: in_flight > accepted)
    assert found.answered > 0.9 * 200 * accepted / 0.1
    assert found.refused < 0.2 * found.answered
