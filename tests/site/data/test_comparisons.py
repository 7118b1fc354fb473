"""Every pair of agents is compared once, by the board's own tests and counts."""

from pathlib import Path

from msgspec.structs import replace

from board_pages import flock, flock_board
from site_data import site_data_of
from supportagentbench.site.data.comparisons import Comparisons, pair_results, too_few


def test_pairs_handled_correctly_are_those_that_the_metric_counts(small_runs: Path) -> None:
    data = site_data_of(small_runs)
    found = pair_results(data.runs)
    for agent in data.board.agents:
        estimate = agent.of("pairs")
        assert estimate is not None
        own = [correct for (_, name, _), correct in found.items() if name == agent.name]
        assert (sum(own), len(own)) == (estimate.k, estimate.n)


def test_pairs_are_packed_with_the_cases_that_differ() -> None:
    board = flock_board()
    codes = Comparisons(board, flock()).coded()
    ranked = [agent.name for agent in board.agents if agent.name != "idle"]
    assert ranked == ["wild/heron", "wild/knot", "wild/yellowhammer-of-the-hedge", "wild/rook"]
    assert [code // 3 for code in codes["over_escalation"]] == [1, 2, 58, 1, 57, 56]
    assert [code % 3 for code in codes["over_escalation"]] == [0, 0, 1, 0, 1, 1]
    assert codes["unsafe"][0] == 3 * 3


def test_pairs_without_a_claim_are_not_compared() -> None:
    board = flock_board()
    claims = tuple(
        one for one in board.claims if "wild/yellowhammer-of-the-hedge" not in (one.subject, one.other)
    )
    codes = Comparisons(replace(board, claims=claims), flock()).coded()
    assert [code < 0 for code in codes["unsafe"]] == [False, True, False, True, False, True]


def test_with_few_case_types_no_difference_can_be_significant() -> None:
    assert [too_few(4), too_few(5), too_few(6), too_few(20)] == [True, True, False, False]
    assert too_few(7, tests=5) and not too_few(8, tests=5)
