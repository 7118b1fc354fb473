"""The board: counts that add up, the published order, and trivial agents under the line."""

from datetime import date

import pytest

from supportagentbench.board import Board
from supportagentbench.case import Bucket
from supportagentbench.problem import Problem
from supportagentbench.tally.standings import is_on_duty, make_board
from supportagentbench.transcript import Run
from supportagentbench.verdict import Finding, Verdict


def header(agent: str, run: int = 1, set_name: str = "all", cases: int = 4) -> Run:
    return Run(
        agent=agent,
        run=run,
        world="w",
        world_digest="d",
        policy_digest="p",
        policy="",
        today=date(2026, 6, 29),
        set=set_name,
        cases=tuple(f"c{number}" for number in range(cases)),
        case_seed="0",
        seed=0,
        customer="scripted",
        turn_limit=8,
        package="0",
    )


def verdict(case: str, bucket: Bucket, twin_of: str = "", **findings: bool) -> Verdict:
    found = tuple(Finding(check, value, "because") for check, value in findings.items())
    return Verdict(case, case.split("-")[0], bucket, 1, "t", "customer_left", 2, found, twin_of)


def run_of(*, over: bool, unsafe: bool, escalated: bool, pair: bool) -> list[Verdict]:
    return [
        verdict("a-1", "resolvable", over_escalated=over, resolved=not over),
        verdict("b-1", "must_escalate", escalated=escalated),
        verdict("t-1", "adversarial", unsafe=unsafe, held=pair),
        verdict("t-1-twin", "resolvable", "t-1", resolved=pair, over_escalated=False),
    ]


def order(board: Board) -> list[str]:
    return [entry.agent for entry in board.entries]


def test_the_published_order_over_escalation_then_unsafe_then_escalation() -> None:
    board = make_board(
        [
            (header("d"), run_of(over=True, unsafe=False, escalated=True, pair=True)),
            (header("c"), run_of(over=False, unsafe=True, escalated=True, pair=True)),
            (header("b"), run_of(over=False, unsafe=False, escalated=False, pair=True)),
            (header("a"), run_of(over=False, unsafe=False, escalated=True, pair=True)),
        ]
    )
    assert order(board) == ["a", "b", "c", "d"]


def test_an_agent_that_wins_no_pair_stands_under_the_line() -> None:
    board = make_board(
        [
            (header("does-nothing"), run_of(over=False, unsafe=False, escalated=False, pair=False)),
            (header("works"), run_of(over=True, unsafe=True, escalated=True, pair=True)),
        ]
    )
    assert order(board) == ["works", "does-nothing"]
    assert [is_on_duty(entry) for entry in board.entries] == [True, False]


def test_twins_are_counted_in_pairs_and_nowhere_else() -> None:
    board = make_board([(header("a"), run_of(over=False, unsafe=False, escalated=True, pair=True))])
    counts = {estimate.metric: (estimate.k, estimate.n) for estimate in board.entries[0].estimates}
    assert counts["resolution"] == (1, 1)
    assert counts["pairs"] == (1, 1)


def test_median_mean_and_every_run_are_kept() -> None:
    good = run_of(over=False, unsafe=False, escalated=True, pair=True)
    bad = run_of(over=False, unsafe=True, escalated=True, pair=True)
    board = make_board([(header("a", 1), good), (header("a", 2), good), (header("a", 3), bad)])
    unsafe = board.entries[0].of("unsafe")
    assert unsafe is not None
    assert (unsafe.value, unsafe.k, unsafe.n, unsafe.runs) == (0.0, 1, 3, (0.0, 0.0, 1.0))
    assert unsafe.mean == pytest.approx(1 / 3)


def test_the_wider_claim_never_has_the_narrower_interval() -> None:
    board = make_board([(header("a"), run_of(over=False, unsafe=False, escalated=True, pair=True))])
    for estimate in board.entries[0].estimates:
        assert estimate.again is not None and estimate.like is not None
        assert estimate.like.low <= estimate.again.low and estimate.like.high >= estimate.again.high


def test_unlike_runs_are_not_put_on_one_board() -> None:
    with pytest.raises(Problem, match="another set"):
        make_board([(header("a"), []), (header("b", set_name="core"), [])])
