"""A job dealt out to several machines: every conversation to one of them, the same deal on each."""

import re
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from boards import header
from supportagentbench.jobs.cost_estimate import CaseWorkload
from supportagentbench.jobs.settle import settle
from supportagentbench.jobs.shard import POD_INDEX, dealt, its_limits, shard_of
from supportagentbench.jobs.spec import JobSpec, ShardNumber
from supportagentbench.models.cost_plan import Workload
from supportagentbench.records.problem import Problem
from supportagentbench.records.run import Run

LENGTHS = st.lists(st.integers(0, 50_000), min_size=1, max_size=12)


def job(lengths: list[int], agents: int, runs: int) -> tuple[dict[str, list[Run]], dict[str, CaseWorkload]]:
    """Headers of every agent's runs, and what their cases take."""
    takes = {
        f"case-{number}": CaseWorkload((Workload(sent=length),) * 2, (Workload(),) * 2)
        for number, length in enumerate(lengths)
    }
    planned = {
        f"agent-{one}": [replace(header(f"agent-{one}", run), cases=(*takes,)) for run in range(1, runs + 1)]
        for one in range(agents)
    }
    return planned, takes


def conversations(runs: dict[str, list[Run]]) -> list[tuple[str, int, str]]:
    return [(one.agent, one.run, case) for planned in runs.values() for one in planned for case in one.cases]


@given(LENGTHS, st.integers(1, 3), st.integers(1, 3), st.data())
def test_every_conversation_is_in_exactly_one_part(
    lengths: list[int], agents: int, runs: int, data: st.DataObject
) -> None:
    planned, takes = job(lengths, agents, runs)
    everything = conversations(planned)
    of = data.draw(st.integers(1, len(everything)))
    parts = [dealt(planned, takes, ShardNumber(part, of)) for part in range(1, of + 1)]
    assert Counter(one for part in parts for one in conversations(part)) == Counter(everything)
    assert all(parts), "no machine is started for nothing"
    deals = {one.shard.deal for part in parts for its in part.values() for one in its if one.shard}
    assert len(deals) == 1
    for part in parts:
        for its in part.values():
            for one in its:
                assert one.whole in planned[one.agent], "a part knows the run that it is a part of"
                assert one.cases == tuple(case for case in one.whole.cases if case in one.cases)


@given(LENGTHS, st.integers(1, 3), st.integers(1, 3), st.integers(2, 5))
def test_no_part_has_more_to_do_than_another_by_more_than_one_conversation(
    lengths: list[int], agents: int, runs: int, of: int
) -> None:
    planned, takes = job(lengths, agents, runs)
    if of > len(conversations(planned)):
        return
    loads = [
        sum(max(1, takes[case].expected) for *_, case in conversations(dealt(planned, takes, one)))
        for one in (ShardNumber(part, of) for part in range(1, of + 1))
    ]
    assert max(loads) - min(loads) <= max(1, *lengths)


def test_the_deal_changes_with_the_job_and_not_with_the_order_of_its_agents() -> None:
    planned, takes = job([5, 9, 70], 2, 2)
    deal = {
        one.shard.deal
        for its in dealt(planned, takes, ShardNumber(1, 2)).values()
        for one in its
        if one.shard
    }
    turned = dict(reversed(planned.items()))
    assert dealt(turned, takes, ShardNumber(1, 2)) == dealt(planned, takes, ShardNumber(1, 2))
    fewer, _ = job([5, 9, 70], 2, 1)
    other = {
        one.shard.deal for its in dealt(fewer, takes, ShardNumber(1, 2)).values() for one in its if one.shard
    }
    assert deal.isdisjoint(other)


def test_more_parts_than_conversations_are_refused() -> None:
    planned, takes = job([5, 9], 1, 1)
    with pytest.raises(Problem, match="only 2 conversations"):
        dealt(planned, takes, ShardNumber(1, 3))


def test_a_part_is_named_by_its_number_or_by_the_pod(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(POD_INDEX, raising=False)
    assert shard_of("") is None
    assert shard_of("3/16") == (3, 16)
    with pytest.raises(Problem, match=POD_INDEX):
        shard_of("/16")
    monkeypatch.setenv(POD_INDEX, "0")
    assert shard_of("/16") == (1, 16)
    monkeypatch.setenv(POD_INDEX, "15")
    assert shard_of("/16") == (16, 16)
    assert shard_of("3/16") == (3, 16), "what is typed counts"
    monkeypatch.setenv(POD_INDEX, "16")
    with pytest.raises(Problem, match="no part 17 of 16"):
        shard_of("/16")


@pytest.mark.parametrize("text", ["0/4", "5/4", "1/0", "4", "1/4/2", "-1/4", "a/b", "1/99999", "٣/٤"])
def test_a_part_that_cannot_be_is_refused(text: str) -> None:
    with pytest.raises(Problem, match=re.escape("--shard")):
        shard_of(text)


@given(st.integers(1, 64), st.integers(1, 64), st.floats(0, 1_000))
def test_all_parts_together_keep_the_limits_of_the_job(concurrency: int, of: int, budget: float) -> None:
    spec = JobSpec("northline", ("oracle",), concurrency=concurrency, budget=budget)
    if of > concurrency:
        with pytest.raises(Problem, match=f"-j {concurrency} "):
            its_limits(spec.with_(shard=ShardNumber(1, of)))
        return
    parts = [its_limits(spec.with_(shard=ShardNumber(part, of))) for part in range(1, of + 1)]
    assert sum(one.concurrency for one in parts) == concurrency
    assert sum(one.budget or 0.0 for one in parts) == pytest.approx(budget)
    assert its_limits(spec) == spec


def test_a_part_is_settled_with_its_limits(tmp_path: Path) -> None:
    spec = JobSpec("northline", ("oracle",), out=tmp_path, concurrency=9, budget=8, shard=ShardNumber(1, 4))
    found = settle(spec).spec
    assert (found.concurrency, found.budget) == (3, 2)
