"""What is lent to workers: never more than there is, and nothing is lost with them."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from supportagentbench.jobs.cluster.leases import MOST_HOSTS, Leases, Lender
from supportagentbench.jobs.cluster.letters import AskLetter, PaceLetter
from supportagentbench.models.budget import Budget
from supportagentbench.records.problem import Problem
from supportagentbench.records.usage import Usage

HOST = "api.example"


class Office:
    """A budget of one dollar, some slots, and two workers that are lent to."""

    def __init__(self, at_once: int) -> None:
        self.budget = Budget(1.0)
        self.lender = Lender(self.budget, at_once)
        self.said: list[tuple[str, int, str]] = []
        self.one = Leases(self.lender, lambda number, why: self.said.append(("one", number, why)))
        self.two = Leases(self.lender, lambda number, why: self.said.append(("two", number, why)))

    async def answers(self) -> list[tuple[str, int, str]]:
        for _ in range(5):
            await asyncio.sleep(0)
        said, self.said = self.said, []
        return said


def in_loop(test: Callable[[Office], Coroutine[Any, Any, None]], at_once: int = 1) -> None:
    async def main() -> None:
        await test(Office(at_once))

    asyncio.run(main())


def test_one_slot_is_lent_to_one_worker_at_a_time() -> None:
    async def test(office: Office) -> None:
        office.one.ask(AskLetter(1, HOST))
        office.two.ask(AskLetter(1, HOST))
        assert await office.answers() == [("one", 1, "")]
        office.one.give_back(1)
        assert await office.answers() == [("two", 1, "")]
        assert office.lender.limiter(HOST).active == 1

    in_loop(test)


def test_the_slots_of_a_lost_worker_come_back_and_what_it_waited_for_is_forgotten() -> None:
    async def test(office: Office) -> None:
        for number in (1, 2):
            office.one.ask(AskLetter(number, HOST))
        office.two.ask(AskLetter(7, HOST))
        assert await office.answers() == [("one", 1, "")]
        office.one.close()
        assert await office.answers() == [("two", 7, "")]
        office.two.give_back(7)
        assert office.lender.limiter(HOST).active == 0

    in_loop(test)


def test_all_workers_hold_from_one_budget_and_who_exceeds_it_is_refused() -> None:
    async def test(office: Office) -> None:
        office.one.ask(AskLetter(1, dollars=0.7))
        office.two.ask(AskLetter(1, dollars=0.7))
        assert await office.answers() == [("one", 1, "")], "the other one may still get it"
        office.budget.pay(Usage("m", cost=0.6))
        office.one.give_back(1)
        ((who, number, why),) = await office.answers()
        assert (who, number) == ("two", 1) and "may cost $0.7000" in why
        assert office.budget.is_spent and office.budget.has_refused

    in_loop(test)


def test_what_a_lost_worker_held_may_have_been_spent() -> None:
    async def test(office: Office) -> None:
        office.one.ask(AskLetter(1, dollars=0.4))
        office.one.ask(AskLetter(2, dollars=0.3))
        await office.answers()
        office.budget.pay(Usage("m", cost=0.1))
        office.one.give_back(1)
        office.one.close()
        assert (office.budget.spent, office.budget.at_risk) == (0.1, 0.3)
        office.two.ask(AskLetter(1, dollars=0.6))
        assert await office.answers() == [("two", 1, "")], "nothing else is held"

    in_loop(test)


def test_a_withdrawn_question_holds_nothing_whether_it_was_answered_or_not() -> None:
    async def test(office: Office) -> None:
        for number in (1, 2):
            office.one.ask(AskLetter(number, dollars=0.6))
        assert await office.answers() == [("one", 1, "")]
        office.one.give_back(2)
        office.one.give_back(1)
        office.one.give_back(1)
        office.one.ask(AskLetter(3, dollars=1.0))
        office.one.give_back(3)
        assert await office.answers() == []
        office.two.ask(AskLetter(1, dollars=1.0))
        assert await office.answers() == [("two", 1, "")]
        assert office.budget.at_risk == 0 and not office.budget.has_refused

    in_loop(test)


def test_refusals_of_all_workers_lower_one_limit_and_a_pause_holds_for_all() -> None:
    async def test(office: Office) -> None:
        limiter = office.lender.limiter(HOST)
        for leases in (office.one, office.two, office.one):
            leases.pace(PaceLetter(HOST, 0.05))
        assert limiter.limit == 4
        office.two.ask(AskLetter(1, HOST))
        assert await office.answers() == []
        await asyncio.sleep(0.08)
        assert await office.answers() == [("two", 1, "")]
        for _ in range(40):
            office.two.pace(PaceLetter(HOST))
        assert limiter.limit > 4

    in_loop(test, 8)


def test_a_worker_that_asks_for_too_much_is_refused() -> None:
    async def test(office: Office) -> None:
        office.one.ask(AskLetter(1, HOST))
        with pytest.raises(Problem, match="asked twice"):
            office.one.ask(AskLetter(1, HOST))
        for number in range(2, MOST_HOSTS + 1):
            office.two.ask(AskLetter(number, f"host-{number}"))
        with pytest.raises(Problem, match="more than 100 hosts"):
            office.two.ask(AskLetter(MOST_HOSTS + 1, "one more"))

    in_loop(test)
