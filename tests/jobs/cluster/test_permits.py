"""A worker's side of what it is lent: it asks before it sends, and says what became of it."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from supportagentbench.jobs.cluster.letters import (
    AskLetter,
    CostLetter,
    Letter,
    PaceLetter,
    ReturnLetter,
    RiskLetter,
)
from supportagentbench.jobs.cluster.permits import LentBudget, LentSlots, Permits
from supportagentbench.models.budget import Account, BudgetSpent, Tariff
from supportagentbench.records.usage import Usage

TARIFF = Tariff("gpt-4o", "openai", allowed=10)


class Branch:
    """A worker's permits, and what it has told the driver."""

    def __init__(self) -> None:
        self.told: list[Letter] = []
        self.permits = Permits(self.told.append)
        self.account = Account(LentBudget(1.0, self.permits), TARIFF, "gpt-4o")
        self.slots = LentSlots("api.example", self.permits)


def in_loop(test: Callable[[Branch], Coroutine[Any, Any, None]]) -> None:
    async def main() -> None:
        async with asyncio.timeout(5):
            await test(Branch())

    asyncio.run(main())


async def request(branch: Branch, answer: Usage | None) -> Usage | None:
    async with branch.slots, branch.account.reserve(1000) as reserved:
        return reserved.settle(answer) if answer else None


async def begun(branch: Branch, answer: Usage | None = None) -> "asyncio.Task[Usage | None]":
    """A request that has its slot and waits for dollars."""
    task = asyncio.create_task(request(branch, answer))
    await asyncio.sleep(0)
    assert branch.told == [AskLetter(1, "api.example")]
    branch.permits.answer(1, "")
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    return task


def test_a_request_asks_for_a_slot_then_for_dollars_and_settles_both() -> None:
    async def test(branch: Branch) -> None:
        task = await begun(branch, Usage("gpt-4o", input=100, output=5))
        most = TARIFF.most(1000)
        assert most and branch.told[1:] == [AskLetter(2, dollars=most)]
        branch.permits.answer(2, "")
        usage = await task
        assert usage and usage.cost and usage.cost < most
        assert branch.told[2:] == [CostLetter(usage.cost), ReturnLetter(2), ReturnLetter(1)]

    in_loop(test)


def test_a_request_without_an_answer_may_have_cost_its_maximum() -> None:
    async def test(branch: Branch) -> None:
        task = await begun(branch)
        branch.permits.answer(2, "")
        assert await task is None
        assert branch.told[2:] == [RiskLetter(TARIFF.most(1000) or 0), ReturnLetter(2), ReturnLetter(1)]

    in_loop(test)


def test_a_refusal_is_raised_in_the_drivers_words() -> None:
    async def test(branch: Branch) -> None:
        task = await begun(branch)
        branch.permits.answer(2, "nothing is left")
        with pytest.raises(BudgetSpent, match="nothing is left"):
            await task
        assert branch.told[2:] == [ReturnLetter(1)]

    in_loop(test)


def test_who_does_not_wait_any_longer_says_so() -> None:
    async def test(branch: Branch) -> None:
        task = await begun(branch)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert branch.told[2:] == [ReturnLetter(2), ReturnLetter(1)]
        branch.permits.answer(2, "")  # It comes too late.

    in_loop(test)


def test_the_pace_of_a_host_is_told() -> None:
    async def test(branch: Branch) -> None:
        branch.slots.faster()
        branch.slots.slower(2.5)
        assert branch.told == [PaceLetter("api.example"), PaceLetter("api.example", 2.5)]

    in_loop(test)
