"""Bills: added up by role, nothing counted twice, and what nobody knows the price of is not free."""

import asyncio
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from boards import entry_of, estimate_of
from conversations import Hold, Says, job_on
from supportagentbench.board.standings import make_board
from supportagentbench.concurrency.interrupt import Interrupt
from supportagentbench.fake_provider.faults import Faults
from supportagentbench.fake_provider.provider import FakeProvider
from supportagentbench.jobs.run import run_job
from supportagentbench.records.usage import Usage
from supportagentbench.records.usage_total import UsageTotal, added, bill_of, bills
from supportagentbench.results.load import load_runs

COUNTS = ("calls", "attempts", "lost", "input", "cache_read", "cache_write", "output", "reasoning")

USAGE = st.builds(
    Usage,
    model=st.just("m"),
    role=st.sampled_from(["agent", "customer", "judge", "second_judge"]),
    input=st.integers(0, 9),
    cache_read=st.integers(0, 9),
    cache_write=st.integers(0, 9),
    output=st.integers(0, 9),
    reasoning=st.integers(0, 9),
    attempts=st.integers(0, 4),
    lost=st.integers(0, 3),
    cost=st.one_of(st.none(), st.sampled_from([0.0, 0.25, 0.5])),
)


@given(st.lists(USAGE, max_size=12))
def test_bills_add_up_role_by_role(used: list[Usage]) -> None:
    found = {bill.role: bill for bill in added(map(bill_of, used))}
    assert set(found) == {usage.role for usage in used}
    for role, bill in found.items():
        mine = [usage for usage in used if usage.role == role]
        assert bill.calls == len(mine)
        for name in COUNTS[1:]:
            assert getattr(bill, name) == sum(getattr(usage, name) for usage in mine)
        made = [usage.cost for usage in mine if usage.attempts]
        known = [cost for cost in made if cost is not None]
        assert bill.cost == (sum(known) if len(known) == len(made) else None)


@given(st.lists(USAGE, max_size=8))
def test_the_order_of_bills_does_not_matter(used: list[Usage]) -> None:
    whole = added(map(bill_of, used))
    halves = (*added(map(bill_of, used[:3])), *added(map(bill_of, used[3:])))
    assert added(halves) == whole
    assert set(added(map(bill_of, used[::-1]))) == set(whole)


def test_one_unknown_price_makes_the_whole_unknown() -> None:
    known, unknown = UsageTotal("agent", calls=1, cost=0.5), UsageTotal("agent", calls=1, cost=None)
    assert known.and_also(unknown).cost is unknown.and_also(known).cost is None
    assert known.and_also(known).cost == 1.0


def test_a_call_that_was_never_made_costs_nothing() -> None:
    assert bill_of(Usage("m", attempts=0)).cost == 0.0
    assert bill_of(Usage("m", attempts=1)).cost is None


def test_a_conversation_has_a_bill_for_everybody_who_asked_a_model(hold: Hold) -> None:
    talk = hold("tracking-1", Says("Hello."))
    assert bills(talk) == ()
    spent = {
        "agent": (Usage("m", input=5, cost=0.1), Usage("m", input=6, cost=0.2)),
        "customer": (Usage("n", role="customer", output=3, cost=None),),
    }
    turns = tuple(replace(turn, usage=spent[turn.party]) for turn in talk.turns[:3])
    customer, agent = bills(replace(talk, turns=turns))
    assert customer == UsageTotal("customer", calls=2, attempts=2, output=6, cost=None)
    assert (agent.role, agent.calls, agent.attempts, agent.input) == ("agent", 2, 2, 11)
    assert agent.cost == pytest.approx(0.3)


# All the way from the wire


def held(out: Path, provider: FakeProvider) -> None:
    """Two runs of a model over six cases."""

    async def main() -> None:
        async with provider:
            agents = [f"openai:gpt-5,base_url={provider.url}/v1"]
            job = job_on("tracking", agents, 2, 0, "scripted", out, 4)
            await run_job(job, (), Interrupt(print))

    asyncio.run(main())


def test_the_board_has_what_the_provider_sent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    provider = FakeProvider(None, Faults(broken_json=0.1, rate_limited=0.1, retry_after=0.01, dollars=2.0))
    held(tmp_path, provider)
    board = make_board(load_runs([tmp_path]))
    entry = entry_of(board, "openai:gpt-5")
    [bill] = entry.bills
    sent = provider.counts.total
    assert bill.role == "agent"
    assert (bill.attempts, bill.lost) == (sent.requests, sent.outcomes["broken_json"])
    assert bill.calls == bill.attempts - bill.lost - sent.outcomes["rate_limited"]
    assert (bill.input, bill.cache_read, bill.output) == (
        sent.whole.input,
        sent.whole.cache_read,
        sent.whole.output,
    )
    assert bill.cost is not None and bill.cost > 0
    cost = estimate_of(board, "openai:gpt-5", "cost")
    assert cost.n == 12
    assert cost.value == pytest.approx(1000 * bill.cost / 12)
    assert entry.tier == "$$$"
