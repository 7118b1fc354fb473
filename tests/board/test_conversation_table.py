"""The trial table: one row a conversation, from which every share on the board can be counted again."""

from collections import defaultdict
from itertools import groupby

import pytest
from msgspec.structs import replace

from boards import outside, planted, reference_board, reference_runs
from supportagentbench.board.conversation_table import Cell, conversation_table
from supportagentbench.board.standings import make_board
from supportagentbench.checks.catalogue import CATALOGUE
from supportagentbench.records.board import Board
from supportagentbench.records.judgement import Judgement, Opinion
from supportagentbench.records.usage_total import UsageTotal
from supportagentbench.results.load import ScoredRun

Row = dict[str, Cell]

BUCKET = {
    "over_escalated": "resolvable",
    "resolved": "resolvable",
    "unsafe": "adversarial",
    "engaged": "adversarial",
    "escalated": "must_escalate",
    "late_handover": "must_escalate",
}
"""Checks that a metric reads in one bucket only."""

CHECK = {
    "handovers": "handed_over",
    "over_escalation": "over_escalated",
    "resolution": "resolved",
    "escalation": "escalated",
}
"""Metrics that are not called what their check is called."""


def counted(rows: list[Row], metric: str, judge: str) -> tuple[int, int]:
    """Hits and chances of a share, from the columns of the table and from nothing else."""
    counting = [row for row in rows if row["counts"]]
    if metric == "pairs":
        by_case = {(row["run"], row["case"]): row for row in counting}
        pairs = [(by_case.get((row["run"], row["twin_of"])), row) for row in counting if row["twin_of"]]
        won = [
            trap["check.held"] is True
            and twin["check.resolved"] is True
            and twin["check.over_escalated"] is not True
            for trap, twin in pairs
            if trap
        ]
        return sum(won), len(won)
    with_twins = metric in CATALOGUE and CATALOGUE[metric].with_twins
    headline = [row for row in counting if with_twins or not row["twin_of"]]
    if metric in ("settled_resolution", "resolution_agreement"):
        told = [_on_resolution(metric, judge, row) for row in headline if row["bucket"] == "resolvable"]
    elif judge:
        told = [
            row[f"judge.{judge}.{metric.removeprefix('judged_')}"]
            for row in headline
            if metric != "judged_resolution" or row["bucket"] == "resolvable"
        ]
    else:
        check = CHECK.get(metric, metric)
        column = "unsafe" if check == "unsafe" else f"check.{check}"
        told = [row[column] for row in headline if BUCKET.get(check, row["bucket"]) == row["bucket"]]
    known = [value for value in told if value is not None]
    return sum(value is True for value in known), len(known)


def _on_resolution(metric: str, judge: str, row: Row) -> Cell:
    """What record and judge come to together."""
    record, opinion = row["check.resolved"], row[f"judge.{judge}.resolution"]
    if metric == "resolution_agreement":
        return None if record is None or opinion is None else record is opinion
    return opinion if record is None and row[f"judge.{judge}.resolution_quoted"] else record


def assert_same(board: Board, rows: list[Row]) -> int:
    """Every share of the board, and every one of its runs, counted again; how many there were."""
    by_agent: dict[Cell, list[Row]] = defaultdict(list)
    for row in rows:
        by_agent[row["agent"]].append(row)
    shares = 0
    for entry in board.agents:
        whole = by_agent[entry.name]
        by_run = [list(found) for _, found in groupby(whole, key=lambda row: row["run"])]
        for one in entry.estimates:
            if one.k is not None:
                assert counted(whole, one.metric, one.judge) == (one.k, one.n), (entry.name, one.metric)
                runs = [counted(run, one.metric, one.judge) for run in by_run]
                assert [k / n for k, n in runs if n] == pytest.approx(list(one.runs))
                shares += 1
    return shares


def test_every_share_of_a_real_board_can_be_counted_from_the_table_alone() -> None:
    rows = list(conversation_table(list(reference_runs())))
    assert assert_same(reference_board(), rows) > 4 * 30


def test_and_of_a_board_where_things_broke_and_judges_disagreed() -> None:
    runs = []
    for run in (planted("a", 1, over=9, unsafe=3, missed=4), planted("a", 2, over=2, unserved=4)):
        broke = [
            outside(one, "time_out") if number % 7 == 0 else one for number, one in enumerate(run.verdicts)
        ]
        given = tuple(
            Judgement(
                one.transcript,
                "j:1",
                "v",
                (Opinion("resolution", number % 3 == 0), Opinion("sentiment", None if number % 5 else True)),
            )
            for number, one in enumerate(broke)
        )
        runs.append(run._replace(verdicts=broke, judgements=given))
    board = make_board(runs)
    assert {one.metric for one in board.agents[0].estimates} >= {"judged_resolution", "sentiment", "pairs"}
    assert assert_same(board, list(conversation_table(runs))) >= 7


def test_one_row_a_conversation_and_the_same_columns_in_every_row() -> None:
    runs = list(reference_runs())
    rows = list(conversation_table(runs))
    assert len(rows) == sum(len(run.verdicts) for run in runs)
    assert len({(row["agent"], row["run"], row["case"]) for row in rows}) == len(rows)
    assert {tuple(row) for row in rows} == {tuple(rows[0])}


def test_agents_that_differ_in_what_was_found_still_share_their_columns() -> None:
    plain, paid = planted("plain"), planted("paid", cost=0.01)
    judged = paid._replace(
        judgements=(Judgement(paid.verdicts[0].transcript, "j", "v", (Opinion("sentiment", True),)),)
    )
    first, *_, last = conversation_table([plain, judged])
    assert list(first) == list(last)
    assert (first["agent.cost"], last["agent.cost"]) == (None, 0.01)
    assert first["judge.j.sentiment"] is None


def test_money_is_kept_by_role_and_the_unknown_stays_unknown() -> None:
    run = planted("a")
    bills = UsageTotal("agent", 2, 3, 1, 10, 20, 30, 40, 5, None), UsageTotal("customer", 1, 1, cost=0.5)
    paid = run._replace(verdicts=[replace(one, bills=bills) for one in run.verdicts[:1]])
    [row] = conversation_table([paid])
    agent = {name.partition(".")[2]: cell for name, cell in row.items() if name.startswith("agent.")}
    assert agent == {
        "calls": 2,
        "attempts": 3,
        "lost": 1,
        "input": 10,
        "cache_read": 20,
        "cache_write": 30,
        "output": 40,
        "reasoning": 5,
        "cost": None,
    }
    assert row["customer.cost"] == 0.5 and row["customer"] == "scripted"


def test_the_first_judging_alone_is_in_the_table() -> None:
    run = planted("a")
    one = run.verdicts[0].transcript
    twice = tuple(
        Judgement(one, "j", "v", (Opinion("sentiment", met, void=""),), sample=sample)
        for sample, met in ((1, False), (0, True), (2, False))
    )
    rows = {row["transcript"]: row for row in conversation_table([run._replace(judgements=twice)])}
    assert rows[one]["judge.j.sentiment"] is True
    assert rows[one]["judge.j.void"] == 0


def test_rows_come_case_by_case_whatever_the_order_on_file() -> None:
    run = planted("a", over=5)
    backwards: ScoredRun = run._replace(verdicts=run.verdicts[::-1])
    assert list(conversation_table([run])) == list(conversation_table([backwards]))
