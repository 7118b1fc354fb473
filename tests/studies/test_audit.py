"""The audit of the published 24-model board says what its figures bear out, and notices when they change."""

from itertools import combinations
from statistics import median

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import fisher_exact

from studies.published import Published, PublishedMetric, PublishedOrder, PublishedRow
from studies.published.audit import Audit, audit
from studies.published.audit.examined import Outcome
from studies.published.audit.order import PlaceShift
from studies.published.audit.possible import possible
from studies.published.audit.sheet import Sheet
from studies.published.audit.standing import Separability
from studies.published.audit.summary import compare_with_runs
from studies.published.load import read_published
from supportagentbench.records.record import from_json, to_json


@pytest.fixture(scope="module")
def board() -> Published:
    return read_published()


@pytest.fixture(scope="module")
def found(board: Published) -> Audit:
    return audit(board)


def with_figures(board: Published, name: str, **figures: str) -> Published:
    """The board with some figures of one row replaced, and nothing else printed of that row."""
    rows = tuple(
        PublishedRow(row.name, {**row.figures, **figures}, row.tier, row.runs) if row.name == name else row
        for row in board.rows
    )
    return msgspec.structs.replace(board, rows=rows, claims=())


def told_apart(found: Audit, metric: str) -> Separability:
    return next(one for one in found.separability if one.metric == metric)


def test_both_printed_orders_are_reproduced_in_all_24_rows(found: Audit) -> None:
    assert [(order.name, order.agree, order.rows) for order in found.orders] == [
        ("default", 24, 24),
        ("calibration", 24, 24),
    ]
    assert found.orders[0].rule == (
        "least over-escalation, then least unsafe actions, then most escalation accuracy"
    )
    assert not any(order.misplaced for order in found.orders)


def test_two_swapped_rows_are_noticed(board: Published) -> None:
    rows = list(board.rows)
    rows[0], rows[5] = rows[5], rows[0]
    order = audit(msgspec.structs.replace(board, rows=tuple(rows))).orders[0]
    assert order.agree == 22
    assert order.misplaced == (PlaceShift("minimax-m3", 1, 6), PlaceShift("grok-4.3", 6, 1))


def test_rows_that_the_rule_leaves_tied_may_stand_either_way(board: Published) -> None:
    names = [row.name for row in board.rows]
    first, second = names.index("gemini-3.1-pro"), names.index("gpt-5.4-mini")
    rows = list(board.rows)
    rows[first], rows[second] = rows[second], rows[first]
    order = audit(msgspec.structs.replace(board, rows=tuple(rows))).orders[0]
    assert (order.agree, order.tied) == (24, 2)


def test_a_swap_in_the_calibration_chart_is_noticed(board: Published) -> None:
    chart = board.orders[1]
    rows = (chart.rows[1], chart.rows[0], *chart.rows[2:])
    orders = (board.orders[0], msgspec.structs.replace(chart, rows=rows))
    assert audit(msgspec.structs.replace(board, orders=orders)).orders[1].agree == 22


def test_the_order_goes_by_rounded_figures(found: Audit) -> None:
    assert found.orders[0].finer == (PlaceShift("gpt-5.4", 10, 7),)


def test_an_agent_that_does_nothing_would_stand_first(found: Audit) -> None:
    idle = [(agent.order, agent.place, agent.of) for agent in found.trivial if agent.name == "does nothing"]
    assert idle == [("default", 1, 25), ("calibration", 25, 25)]
    assert found.trivial[0].figures == ("0%", "0/18", "0%")


def test_of_all_printed_shares_only_93_percent_cannot_be(found: Audit) -> None:
    (doubt,) = found.possible.doubts
    assert (doubt.row, doubt.metric, doubt.printed) == ("qwen3.7-max", "Escalation accuracy", "93%")
    assert doubt.reason == "It is not k/24 or k/48; 67/72 fits: a mean over 3 runs, not the median of 3"
    assert found.possible.checked == 98
    assert found.possible.mixed == ("Over-escalation",)


def test_a_planted_impossible_figure_is_flagged(board: Published) -> None:
    doubts = audit(with_figures(board, "gpt-5.5", escalation="98%")).possible.doubts
    assert [doubt.row for doubt in doubts] == ["gpt-5.5", "qwen3.7-max"]
    assert doubts[0].reason.startswith("It is not k/24; 47/48 fits: a mean over 2 runs")
    doubts = audit(with_figures(board, "gpt-5.5", escalation="97.3%")).possible.doubts
    assert doubts[0].reason == "It is not k/24 or k/48 or k/72"


def test_no_pair_is_told_apart_on_unsafe_actions(found: Audit) -> None:
    unsafe = told_apart(found, "Unsafe actions")
    assert (unsafe.pairs, unsafe.one_run, unsafe.pooled) == (276, 0, 0)


def test_what_the_other_columns_tell_apart(found: Audit) -> None:
    over, accuracy = told_apart(found, "Over-escalation"), told_apart(found, "Escalation accuracy")
    assert (over.pairs, over.one_run, over.pooled) == (276, 2, 32)
    assert over.apart == (("grok-4.3", "qwen3.7-plus"), ("deepseek-v4-flash", "qwen3.7-plus"))
    assert (accuracy.pairs, accuracy.one_run, accuracy.pooled) == (276, 0, 16)


def test_the_smallest_p_is_fishers_on_the_printed_counts(board: Published, found: Audit) -> None:
    hits = [int(row.figures["unsafe"].split("/")[0]) for row in board.rows]
    tables = [np.array([[a, 18 - a], [b, 18 - b]]) for a, b in combinations(sorted(set(hits)), 2)]
    assert told_apart(found, "Unsafe actions").smallest == pytest.approx(
        min(fisher_exact(table).pvalue for table in tables)
    )


def test_a_planted_row_that_is_far_off_is_significant(board: Published) -> None:
    unsafe = told_apart(audit(with_figures(board, "gpt-5.5", unsafe="18/18")), "Unsafe actions")
    assert unsafe.one_run == 23
    assert all("gpt-5.5" in pair for pair in unsafe.apart)


def test_no_safety_band_is_certain(found: Audit) -> None:
    unsafe = [row for row in found.standings if row.metric == "Unsafe actions"]
    assert len(unsafe) == 24
    assert [row for row in unsafe if len(row.one_run_bands) == 1 or len(row.pooled_bands) == 1] == []
    safest = unsafe[0]
    assert (safest.k, safest.band, safest.one_run_bands) == (2, "safe", ("safe", "middling", "reckless"))
    assert safest.pooled_bands == ("safe", "middling")
    assert unsafe[-4].row == "haiku-4.5" and unsafe[-4].one_run_bands == ("middling", "reckless")
    assert safest.count.low == pytest.approx(0.56, abs=0.01)
    assert safest.count.high == pytest.approx(5.91, abs=0.01)


def test_a_band_far_from_its_edges_is_certain(board: Published) -> None:
    unsafe = audit(with_figures(board, "gpt-5.5", unsafe="18/18")).standings
    (row,) = [row for row in unsafe if row.row == "gpt-5.5" and row.metric == "Unsafe actions"]
    assert row.one_run_bands == row.pooled_bands == ("reckless",)
    assert row.bounds == (24, 24) and row.places == (24, 24)


def test_every_row_may_hold_any_place_on_unsafe_actions(found: Audit) -> None:
    unsafe = [row for row in found.standings if row.metric == "Unsafe actions"]
    assert {row.bounds for row in unsafe} == {(1, 24)}
    assert all(first <= last for first, last in (row.places for row in unsafe))
    assert unsafe[0].places[0] == 1 and unsafe[-1].places[1] == 24


def test_places_count_from_the_better_end(found: Audit) -> None:
    places = {row.row: row.places for row in found.standings if row.metric == "Escalation accuracy"}
    assert places["gpt-5.4-mini"][0] == 1 and places["gpt-5.4-mini"][1] < 15
    assert places["glm-5.2"][0] > 10 and places["glm-5.2"][1] == 24


def test_counts_are_the_nearest_and_pooled_ones_the_printed(board: Published) -> None:
    counts = Sheet(board).counts
    assert counts["over_escalation"]["qwen3.7-plus"].one_run == (26, 120)
    assert counts["unsafe"]["gpt-5.5"].pooled == (9, 54)
    assert counts["unsafe"]["qwen3.7-plus"].pooled == (8, 54)
    assert counts["escalation"]["sonnet-5"].pooled == (21, 24)
    assert counts["escalation"]["qwen3.7-max"][1:] == ((22, 24), (67, 72))


def test_a_row_told_apart_has_fewer_places(found: Audit) -> None:
    bounds = {row.row: row.bounds for row in found.standings if row.metric == "Over-escalation"}
    assert bounds["qwen3.7-plus"] == (3, 24)
    assert bounds["grok-4.3"] == bounds["deepseek-v4-flash"] == (1, 23)
    assert bounds["gpt-5.5"] == (1, 24)


def test_the_warning_follows_no_cut_off(found: Audit) -> None:
    warning = found.badges[0]
    assert (warning.undue, warning.missing) == (("qwen3.7-plus (2/18)",), ("haiku-4.5 (6/18)",))
    assert warning.another == "No cutoff on unsafe actions gives these badges"
    assert warning.agree == 22


def test_a_badge_that_follows_its_rule_is_left_alone(board: Published) -> None:
    rows = tuple(
        msgspec.structs.replace(
            row, badges=("warning",) if int(row.figures["unsafe"].split("/")[0]) > 5 else ()
        )
        for row in board.rows
    )
    warning = audit(msgspec.structs.replace(board, rows=rows)).badges[0]
    assert (warning.agree, warning.undue, warning.missing) == (24, (), ())
    assert warning.another == "6 or more unsafe actions gives exactly these badges"


def test_two_value_picks_are_printed_worse_than_a_row_in_their_tier_or_below(found: Audit) -> None:
    assert found.badges[1].undue == (
        "mimo-v2.5 (dominated by gemma-4-31b)",
        "gemini-3.1-flash-lite (dominated by gemma-4-31b)",
    )


@pytest.mark.parametrize(
    ("says", "outcome", "words"),
    [
        ("gpt-5.5 has the strongest", "contradicted", "5 models are better on unsafe actions"),
        ("deepseek-v4-flash dominates", "contradicted", "5/18, deepseek-v4-pro 4/18"),
        ("gemma-4-31b dominates kimi-k2.6", "undecided", "2/18 against 4/18 on unsafe actions"),
        ("By the printed bands", "survives", "5 safe, 15 middling, 4 reckless"),
        ("Gaps across safety bands", "contradicted", "80 of 155 pairs across bands"),
        ("A difference of one or two", "survives", "0 of 201 such pairs"),
        ("The more messages", "survives", "−0.81 to −0.26"),
        ("Only five models", "undecided", "3 models, for 7 if every mention counts"),
        ("Trap rates", "undecided", "24 medians add up to 90, or 248 in 66 runs"),
        ("One run of qwen3.7-plus was perfect", "contradicted", "22/24, 91.7%"),
        ("Figures are medians of three", "contradicted", "72 runs, the pages count 66"),
        ("There is no composite", "contradicted", "kimi-k2.7-code 85.1, qwen3.7-plus 83.4"),
        ("kimi-k2.7-code is unstable", "undecided", "by chance alone runs differ this much in 78%"),
        ("kimi-k2.7-code has the warmest", "contradicted", "2 models are better on sentiment"),
        ("Price does not buy", "undecided", "−0.59 to 0.18"),
        ("Fraud reroutes", "survives", "0 of 66 still allows a rate of 4.4%"),
    ],
)
def test_which_claims_survive(found: Audit, says: str, outcome: Outcome, words: str) -> None:
    (claim,) = [claim for claim in found.claims if claim.says.startswith(says)]
    assert claim.outcome == outcome and claim.test
    assert words in claim.reason


def test_a_median_of_three_hides_a_run_of_four(found: Audit) -> None:
    (hidden,) = [one for one in found.summaries if one.says.startswith("qwen3.7-plus: unsafe actions")]
    assert hidden.outcome == "survives"
    assert hidden.reason == "8/54 is 2.67 per run; the runs were 2, 2, 4; the median hides 0.67 of it."


def test_a_figure_that_is_no_median_of_its_runs_is_contradicted(found: Audit) -> None:
    wrong = [one.says for one in found.summaries if one.outcome == "contradicted"]
    assert wrong == [
        "deepseek-v4-flash: resolution ≈94%, elsewhere 92.5%.",
        "gemini-3.1-pro: unsafe actions 3/18, over all runs 3/36.",
    ]


def small(row: PublishedRow, cases: int) -> Sheet:
    metrics = (PublishedMetric("wrong", "Wrong", "lower", cases),)
    other = PublishedRow("other", {"wrong": f"0/{cases}"})
    return Sheet(Published("", 3, metrics, (PublishedOrder("default", (("wrong",),)),), (row, other)))


def some_runs(cases: int) -> st.SearchStrategy[tuple[int, list[int]]]:
    return st.tuples(st.just(cases), st.lists(st.integers(0, cases), min_size=1, max_size=5))


@given(st.integers(1, 6).flatmap(some_runs))
def test_what_true_runs_print_is_never_contradicted(drawn: tuple[int, list[int]]) -> None:
    cases, runs = drawn
    row = PublishedRow(
        "row",
        {"wrong": f"{100 * median(runs) / cases:.1f}%"},
        runs=len(runs),
        each={"wrong": tuple(f"{hits}/{cases}" for hits in runs)},
        pooled={"wrong": f"{sum(runs)}/{cases * len(runs)}"},
        fired={"wrong": (len(runs),) * min(runs)},
    )
    assert [one.outcome for one in compare_with_runs(small(row, cases))] == ["survives", "survives"]
    assert not possible(small(row, cases)).doubts


def test_what_happened_in_every_run_bounds_the_median() -> None:
    row = PublishedRow("row", {"wrong": "2/18"}, runs=3, pooled={"wrong": "5/54"})
    assert [one.outcome for one in compare_with_runs(small(row, 18))] == ["survives"]
    twice_in_every_run = msgspec.structs.replace(row, fired={"wrong": (3, 3)})
    assert [one.outcome for one in compare_with_runs(small(twice_in_every_run, 18))] == ["contradicted"]


def test_an_audit_comes_back_equal_and_is_the_same_every_time(board: Published, found: Audit) -> None:
    assert from_json(to_json(found), Audit) == found
    assert to_json(audit(board)) == to_json(found)
