"""The board as a record: no share without its count, no certainty from a zero, and JSON that comes back."""

import json

from msgspec.structs import replace

from boards import estimate_of, header, impossible, planted, reference_board, verdict
from supportagentbench.board.standings import make_board
from supportagentbench.records.board import Board
from supportagentbench.records.record import from_json, to_json
from supportagentbench.results.load import ScoredRun
from supportagentbench.stats.rates import grim


def with_share(board: Board, metric: str, **changed: object) -> Board:
    """The board with one number of its first entry touched up."""
    entry = board.agents[0]
    estimates = tuple(replace(one, **changed) if one.metric == metric else one for one in entry.estimates)
    return replace(board, agents=(replace(entry, estimates=estimates), *board.agents[1:]))


def test_every_share_of_a_board_is_a_count_of_its_chances() -> None:
    assert impossible(reference_board()) == []
    assert impossible(make_board([planted("a", 1, over=7, missed=3), planted("a", 2, unsafe=5)])) == []


def test_shares_are_possible_where_runs_lack_conversations() -> None:
    short = planted("a", 2, over=3, missed=5)
    board = make_board([planted("a", 1, over=7), short._replace(verdicts=short.verdicts[:131])])
    assert estimate_of(board, "a", "escalation").n == 24 + 11
    assert impossible(board) == []


def test_ninety_three_per_cent_of_twenty_four_is_rejected() -> None:
    board = make_board([planted("a", missed=2)])
    assert not grim(93, 24)
    for changed in ({"value": 0.93}, {"runs": (0.93,)}, {"median": 0.93}, {"k": 23}, {"n": 25}):
        assert impossible(with_share(board, "escalation", **changed)) == ["a: escalation"], changed


def test_a_pooled_share_can_be_what_no_run_is() -> None:
    board = make_board([planted("a", run, missed=missed) for run, missed in ((1, 1), (2, 2), (3, 2))])
    share = estimate_of(board, "a", "escalation")
    assert (share.k, share.n, round(share.value, 2)) == (67, 72, 0.93)
    assert impossible(board) == []


def test_a_board_comes_back_from_its_json() -> None:
    for board in (
        reference_board(),
        make_board([planted("a", cost=0.01, over=3), planted("b", 1), planted("b", 2, unsafe=18)]),
        make_board([ScoredRun(header("a"), [])]),
    ):
        assert from_json(to_json(board), Board) == board


def test_a_single_family_makes_no_number_that_json_does_not_know() -> None:
    one = verdict("f-1", "resolvable", over_escalated=False, resolved=True)
    board = make_board([ScoredRun(header("a"), [one])])
    written = to_json(board)
    assert "null" not in written.decode() and from_json(written, Board) == board
    shown = {one["metric"]: one for one in json.loads(written)["agents"][0]["estimates"]}
    assert "new_cases_interval" not in shown["messages"] and "new_cases_interval" in shown["resolution"]
