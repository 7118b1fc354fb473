"""The limiter of requests: halved by a complaint, won back answer by answer, fair to those who wait."""

import asyncio

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


def test_complaints_that_come_together_count_once() -> None:
    async def main() -> float:
        limiter = RateLimiter(16)
        for _ in range(10):
            limiter.slower(5)
        return limiter.limit

    assert asyncio.run(main()) == 8


def test_a_complaint_quiets_everybody_for_as_long_as_asked() -> None:
    async def main() -> float:
        limiter, loop = RateLimiter(2), asyncio.get_running_loop()
        limiter.slower(0.1)
        start = loop.time()
        async with limiter:
            return loop.time() - start

    assert asyncio.run(main()) >= 0.099


def test_answers_win_the_pace_back_but_never_beyond_the_most() -> None:
    async def main() -> float:
        limiter = RateLimiter(4)
        limiter.slower(0)
        assert limiter.limit == 2
        for _ in range(40):
            limiter.faster()
        return limiter.limit

    assert asyncio.run(main()) == 4


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
