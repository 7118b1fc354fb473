"""The state of a job: what its events add up to, whoever reads them and when."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from jobs import START, busy_job, conversations, finished, planned, state_of
from supportagentbench.board.badges import safety_word
from supportagentbench.live.shown import shown
from supportagentbench.live.state import ENOUGH
from supportagentbench.live.view import AgentProgress, CountOf, View
from supportagentbench.records.event import (
    Began,
    Dropped,
    Ended,
    Event,
    Paused,
    Planned,
    Retried,
    Spent,
    Stopping,
)

LATER = START + 403.0


def view(*events: Event, at: float = LATER) -> View:
    return state_of(events).view(at)


def row(found: View, agent: str) -> AgentProgress:
    return next(row for row in found.rows if row.agent == agent)


def test_an_unsafe_action_is_news_in_every_bucket_and_counted_in_traps() -> None:
    events = [finished("a", f"{bucket}-1", bucket=bucket) for bucket in ("resolvable", "adversarial")]
    found = view(planned("a"), *(replace(event, unsafe=True) for event in events))
    assert row(found, "a").unsafe == CountOf(1, 1)
    assert [news.kind for news in found.news] == ["unsafe", "unsafe"]


def test_a_job_in_the_middle_is_counted_agent_by_agent() -> None:
    found = view(*busy_job())
    assert (found.done, found.total) == (302, 648)
    assert (found.in_flight, found.waiting, found.errors) == (2, 1, 0)
    assert [row.condition for row in found.rows] == ["done", "running", "running", "paused"]
    assert row(found, "gemma-4-31b").unsafe == CountOf(11, 54)
    assert row(found, "glm-5.2").escalated == CountOf(13 - 3, 13)
    assert found.elapsed == 403.0


def test_a_wait_is_over_when_its_time_has_come() -> None:
    assert view(*busy_job(), at=START + 408).waiting == 1
    assert view(*busy_job(), at=START + 410).waiting == 0


def test_no_word_before_there_are_enough_traps() -> None:
    job = planned("a", runs=1)
    few, enough = (view(job, *conversations("a", number)).rows[0] for number in (42, 60))
    assert few.unsafe.n < 20 and few.safety is None
    assert enough.unsafe.n == 20 and enough.safety == safety_word(enough.unsafe.k, 20)


def test_twins_count_as_done_and_in_no_share() -> None:
    found = view(planned("a"), finished("a", "x-1-twin", bad=True, twin=True))
    assert found.done == 1
    assert found.rows[0].over == CountOf(0, 0)


def test_nobody_knows_how_long_before_ten_conversations() -> None:
    job = planned("a", runs=1)
    assert view(job, *conversations("a", ENOUGH - 1), Began(LATER, "a", 1, "x-1")).left is None
    found = view(job, *conversations("a", ENOUGH), Began(LATER, "a", 1, "x-1"))
    assert found.left is not None
    truth = (162 - ENOUGH) * 2.0
    assert found.left.low < truth < found.left.high
    assert found.left.high < 1.2 * truth


def test_the_slowest_agent_says_when_all_is_done() -> None:
    events = [
        planned("slow", "fast", runs=1),
        *conversations("slow", 20, every=10.0),
        *conversations("fast", 20, every=1.0),
        Began(LATER, "slow", 1, "x-1"),
        Began(LATER, "fast", 1, "x-1"),
    ]
    found = view(*events)
    assert found.left == row(found, "slow").left


def test_what_will_have_been_spent_is_the_plan_until_there_is_a_rate() -> None:
    job = planned("a", runs=1)
    early = view(job, *conversations("a", 3), Spent(LATER, 0.03))
    assert (early.projected, early.planned) == (None, (31.9, 80.0))
    later = view(job, *conversations("a", 81), Spent(LATER, 0.81))
    assert later.projected == pytest.approx(1.62)
    paused = view(job, *conversations("a", 81), Paused(LATER, "a", "no key"), Spent(LATER, 0.81))
    assert paused.projected == 0.81


def test_an_unknown_price_is_unknown_and_not_nothing() -> None:
    found = view(planned("a"), finished("a", "x-1", cost=None), finished("a", "x-2", cost=0.5))
    assert found.rows[0].cost is None


def test_what_broke_off_is_an_error_and_is_still_to_be_done() -> None:
    found = view(planned("a"), finished("a", "x-1", cause="provider_error"))
    assert (found.done, found.errors) == (0, 1)
    assert found.news[-1].kind == "error"


def test_held_again_it_counts_once() -> None:
    broke = finished("a", "x-1", cause="provider_error")
    again = finished("a", "x-1", bad=True)
    for events in ([broke, again], [broke, Dropped(LATER, "a", 1, ("x-1",)), again], [again, again]):
        found = view(planned("a"), *events)
        assert (found.done, found.errors, found.rows[0].over) == (1, 0, CountOf(1, 1))


def test_only_what_is_worth_it_becomes_news() -> None:
    found = view(
        planned("a"),
        finished("a", "t-1", bucket="adversarial", bad=True),
        finished("a", "t-2", bucket="adversarial"),
        finished("a", "e-1", bucket="must_escalate", bad=True),
        finished("a", "o-1", bad=True),
        Retried(LATER, "a", 1, "o-2", 1, 8, "429", 0.5),
        Retried(LATER, "a", 1, "o-2", 2, 8, "429", 0.5),
        Paused(LATER, "a", "a is paused: no key"),
        Stopping(LATER),
    )
    assert [news.kind for news in found.news] == ["unsafe", "missed", "retry", "paused", "stopping"]
    assert [news.place for news in found.news] == [1, 2, 3, 4, 5]
    assert found.news[0].words == "replace_item, against D1"
    assert found.stopping


def test_a_job_that_ended_stands_still() -> None:
    job = planned("a", runs=1)
    found = view(job, *conversations("a", 100), Ended(START + 300, job.job, "budget", 62), at=START + 9_000)
    assert found.ended == "budget"
    assert found.elapsed == 300
    assert found.rows[0].condition == "stopped"
    assert (found.in_flight, found.stopping) == (0, False)


def test_a_second_session_goes_on_with_the_counts_of_the_first() -> None:
    first = planned("a", runs=1)
    second = planned("a", runs=1, at=START + 500)
    killed = [first, *conversations("a", 100), Began(START + 200, "a", 1, "x-1")]
    found = view(*killed, second, at=START + 501)
    assert found.done == 100
    assert found.in_flight == 0, "whoever held it is dead"
    assert found.left is None, "the old pace says nothing of the new one"
    assert found.elapsed == 1.0


def test_another_job_takes_the_place_of_one_that_is_over_and_stands_beside_one_that_is_not() -> None:
    first = planned("a", runs=1)
    second = planned("b", runs=1, at=START + 500)
    assert [row.agent for row in view(first, second).rows] == ["a", "b"]
    over = Ended(START + 400, first.job, "complete")
    assert [row.agent for row in view(first, over, second).rows] == ["b"]


EVENTS = [
    *busy_job(),
    Dropped(LATER, "gpt-5.5", 1, ("adversarial-0", "resolvable-1")),
    finished("gpt-5.5", "adversarial-0", bucket="adversarial", cause="time_out"),
    finished("gpt-5.5", "adversarial-0", bucket="adversarial"),
]


@settings(max_examples=25, deadline=None)
@given(cut=st.integers(0, len(EVENTS)))
def test_counts_are_those_of_the_conversations_on_file(cut: int) -> None:
    """Whatever came and went: the running counts are the counts of what is there."""
    state = state_of(EVENTS[:cut])
    found = state.view(LATER)
    for one in found.rows:
        there = [
            event
            for (agent, _), filed in state.finished.items()
            if agent == one.agent
            for event in filed.values()
        ]
        assert one.done == sum(event.counts for event in there)
        assert one.errors == sum(not event.counts for event in there)
        traps = [event for event in there if event.counts and event.bucket == "adversarial"]
        assert one.unsafe.k == sum(bool(event.unsafe) for event in traps)
        assert one.unsafe.n == sum(event.unsafe is not None for event in traps)
        assert one.tokens == sum(event.tokens for event in there)


def test_a_job_nobody_planned_has_nothing_to_show() -> None:
    found = view()
    assert (found.done, found.total, found.rows, found.ended) == (0, 0, (), "")


def test_the_cap_and_the_estimate_are_the_plans() -> None:
    assert view(Planned(START, "j", (), cap=5.0, low=1.0, high=2.0)).cap == 5.0


def test_a_job_is_unlabelled_if_its_plan_says_so() -> None:
    plan = replace(planned("a"), unlabelled=True)
    assert view(plan).unlabelled and not view(planned("a")).unlabelled
    assert not view(plan, replace(planned("b"), job="another")).unlabelled
    assert not {"unsafe", "over", "escalated"} & {*shown(view(plan)).columns}
    assert "unsafe" in shown(view(planned("a"))).columns
