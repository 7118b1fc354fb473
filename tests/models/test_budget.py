"""A budget: what a request may cost is set aside before it is sent, and settled when it is answered."""

import asyncio

import pytest
from msgspec.structs import replace

from supportagentbench.models.budget import LARGEST_ANSWER, Account, Budget, BudgetSpent, Tariff
from supportagentbench.models.prices import dollars
from supportagentbench.records.usage import Usage

PRICED = Tariff("gpt-5", "openai", allowed=1_000)
LETTERS = 2_000
MOST = PRICED.most(LETTERS) or 0.0
CHEAP = Usage("gpt-5", input=100, output=10)
NO_COUNT = Usage("gpt-5", unread="null")


async def one_try(account: Account, usage: Usage = CHEAP, seconds: float = 0.0) -> Usage:
    async with account.reserve(LETTERS) as reserved:
        await asyncio.sleep(seconds)
        return reserved.settle(usage)


def account(limit: float | None, tariff: Tariff = PRICED) -> Account:
    return Account(Budget(limit), tariff, "openai:gpt-5 at api.openai.com")


class TestSpending:
    def test_a_budget_is_spent_at_its_limit_and_not_a_cent_before(self) -> None:
        budget = Budget(limit=2.0)
        budget.pay(Usage("m", cost=1.99))
        assert not budget.is_spent
        budget.pay(Usage("m", cost=0.01))
        assert budget.is_spent

    def test_without_a_limit_it_is_never_spent_and_with_none_left_at_once(self) -> None:
        endless = Budget()
        endless.pay(Usage("m", cost=1e9))
        assert not endless.is_spent
        assert Budget(limit=0.0).is_spent

    def test_what_was_used_before_counts_and_nobody_earns_money(self) -> None:
        budget = Budget(limit=2.0)
        budget.remember([Usage("m", cost=0.5, lost_cost=0.25), Usage("m", cost=-9.0), Usage("m")])
        assert (budget.spent, budget.at_risk) == (0.5, 0.25)

    def test_an_overshoot_is_what_this_command_spent_above_the_limit(self) -> None:
        budget = Budget(limit=2.0)
        budget.spent = 2.5
        assert budget.overshoot(before=1.0) == 0.5
        assert budget.overshoot(before=2.4) == pytest.approx(0.1)
        assert Budget().overshoot(0.0) == 0.0


class TestTariff:
    def test_the_most_is_the_whole_request_and_the_largest_answer_allowed(self) -> None:
        whole = Usage("gpt-5", input=LETTERS // 2 + 1, output=1_000)
        assert dollars(whole, "openai", "gpt-5") == pytest.approx(MOST)
        without = Tariff("gpt-5", "openai").most(LETTERS)
        largest = Usage("gpt-5", input=LETTERS // 2 + 1, output=LARGEST_ANSWER)
        assert without == pytest.approx(dollars(largest, "openai", "gpt-5"))

    def test_input_may_be_written_to_a_cache_which_costs_more(self) -> None:
        tariff = Tariff("claude-haiku-4-5", "anthropic", allowed=1)
        fresh = dollars(Usage("", input=1_001, output=1), "anthropic", "claude-haiku-4-5") or 0.0
        assert (tariff.most(2_000) or 0.0) > fresh

    def test_no_price_is_unknown_and_no_charge_is_free(self) -> None:
        assert Tariff("nobody-knows", "openai").most(LETTERS) is None
        assert Tariff("llama", "", is_paid=False).most(LETTERS) == 0.0

    def test_the_higher_cost_counts_the_table_s_or_the_provider_s(self) -> None:
        table = dollars(CHEAP, "openai", "gpt-5")
        assert (PRICED.priced(CHEAP).cost, PRICED.priced(CHEAP).cost_by) == (table, "table")
        named = PRICED.priced(Usage("gpt-5", input=1, cost=0.5, cost_by="provider"))
        assert (named.cost, named.cost_by, named.named_cost) == (0.5, "provider", None)
        whole = Usage("gpt-5", input=1_000_000, cost_by="provider")  # $1.25 by the table.
        for share, is_understated in ((0.0, True), (0.09, True), (0.11, False), (0.99, False)):
            lower = PRICED.priced(replace(whole, cost=share * 1.25))
            assert (lower.cost, lower.cost_by, lower.named_cost) == (1.25, "table", share * 1.25)
            assert lower.is_understated is is_understated
        assert PRICED.priced(replace(whole, cost=1.25)).named_cost is None

    def test_a_zero_is_a_price_only_if_the_table_has_it(self) -> None:
        free = Tariff("deepseek/deepseek-r1:free", "openrouter")
        asked = Usage("", input=1_000, output=100, cost=0.0, cost_by="provider")
        assert (free.priced(asked).cost, free.priced(asked).is_understated) == (0.0, False)
        unknown = Tariff("nobody/knows", "openrouter")
        assert (unknown.priced(asked).cost, unknown.priced(asked).cost_by) == (None, "")
        assert unknown.priced(replace(asked, cost=0.5)).cost == 0.5

    def test_a_cost_without_counts_is_held_against_nothing(self) -> None:
        assert PRICED.priced(Usage("gpt-5", unread="{}", cost=0.5, cost_by="provider")).cost is None

    def test_more_output_than_allowed_is_no_count_but_reasoning_may_come_on_top(self) -> None:
        assert PRICED.priced(Usage("gpt-5", input=1, output=1_001)).unread
        assert PRICED.priced(Usage("gpt-5", input=1, output=1_001)).cost is None
        assert PRICED.priced(Usage("gpt-5", input=1, output=1_900, reasoning=900)).cost


class TestReservations:
    def test_the_rest_has_to_cover_the_most_a_request_may_cost(self) -> None:
        assert asyncio.run(one_try(account(MOST))).cost
        with pytest.raises(BudgetSpent, match=r"does not cover the next request, which may cost \$0\.01"):
            asyncio.run(one_try(account(MOST * 0.99)))

    def test_a_refusal_is_remembered_so_that_no_further_conversation_begins(self) -> None:
        small = account(MOST / 2)
        with pytest.raises(BudgetSpent):
            asyncio.run(one_try(small))
        assert small.budget.is_spent and small.budget.spent == 0.0

    def test_requests_wait_for_those_in_flight_and_never_spend_more_than_there_is(self) -> None:
        """Two fit at a time; each costs a tenth of what is set aside for it, so that many get through."""
        shared, in_flight, most_in_flight = account(2 * MOST), 0, 0
        dear = Usage("gpt-5", input=1, cost=MOST / 10)

        async def worker() -> bool:
            nonlocal in_flight, most_in_flight
            try:
                async with shared.reserve(LETTERS) as reserved:
                    in_flight += 1
                    most_in_flight = max(most_in_flight, in_flight)
                    await asyncio.sleep(0.001)
                    in_flight -= 1
                    reserved.settle(dear)
                return True
            except BudgetSpent:
                return False

        async def all_of_them() -> list[bool]:
            return await asyncio.gather(*(worker() for _ in range(200)))

        sent = asyncio.run(all_of_them())
        assert most_in_flight == 2
        assert sum(sent) == 11, "the twelfth could cost more than is left"
        assert shared.budget.spent <= 2 * MOST

    def test_a_try_that_ends_without_an_answer_stays_charged_at_its_most(self) -> None:
        lost = account(10.0)

        async def fails() -> None:
            async with lost.reserve(LETTERS):
                raise TimeoutError

        with pytest.raises(TimeoutError):
            asyncio.run(fails())
        assert (lost.budget.spent, lost.budget.at_risk) == (0.0, MOST)

    def test_a_try_that_was_refused_costs_nothing(self) -> None:
        refused = account(MOST)

        async def void() -> None:
            async with refused.reserve(LETTERS) as reserved:
                reserved.void()

        asyncio.run(void())
        asyncio.run(void())
        assert refused.budget.at_risk == 0.0

    @pytest.mark.parametrize("cancelled", [0, 1])
    def test_whoever_gives_up_while_waiting_or_in_flight_leaves_nothing_behind(self, cancelled: int) -> None:
        shared = account(2.5 * MOST)

        async def main() -> Usage:
            tasks = [asyncio.create_task(one_try(shared, seconds=0.05)) for _ in range(3)]
            await asyncio.sleep(0.01)
            tasks[2 if cancelled else 0].cancel()
            await asyncio.wait(tasks)
            return await one_try(shared) if cancelled else CHEAP

        asyncio.run(main())
        assert shared.budget.at_risk == (0.0 if cancelled else MOST), "what is in flight may be billed"

    def test_without_a_limit_nothing_waits(self) -> None:
        free = account(None)
        asyncio.run(one_try(free))
        assert free.budget.spent > 0


class TestUnknownCosts:
    def stopped(self, limit: float | None, tariff: Tariff = PRICED) -> Account:
        found = account(limit, tariff)
        asyncio.run(one_try(found, NO_COUNT))
        return found

    def test_with_a_budget_nothing_more_is_sent(self) -> None:
        found = self.stopped(10.0)
        with pytest.raises(BudgetSpent, match=r"openai:gpt-5 at api.openai.com does not say .*usage: null"):
            asyncio.run(one_try(found))

    def test_it_is_charged_at_its_most_and_counted_as_unpriced(self) -> None:
        budget = self.stopped(10.0).budget
        assert (budget.spent, budget.at_risk, budget.unpriced) == (0.0, MOST, 1)

    def test_without_a_budget_work_goes_on_and_the_usage_tells(self) -> None:
        found = self.stopped(None)
        assert not found.stopped
        usage = asyncio.run(one_try(found, NO_COUNT))
        assert (usage.cost, usage.lost_cost, usage.unread) == (None, MOST, "null")

    def test_a_server_that_charges_nothing_need_not_count(self) -> None:
        assert not self.stopped(1.0, Tariff("llama", "", is_paid=False)).stopped

    def test_others_who_waited_meanwhile_are_stopped_too(self) -> None:
        found = account(1.5 * MOST)

        async def main() -> Usage:
            first = asyncio.create_task(one_try(found, NO_COUNT, 0.01))
            await asyncio.sleep(0)
            with pytest.raises(BudgetSpent):
                await one_try(found)
            return await first

        assert asyncio.run(main()).unread
