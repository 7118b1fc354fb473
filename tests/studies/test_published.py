"""A published board is read with its figures as printed; a bad file is named by file and field."""

import json
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from studies.published import SHIPPED, Published
from studies.published.audit import audit
from studies.published.figure import read_figure
from studies.published.load import read_published
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import from_json, to_json
from supportagentbench.stats.rates import grim

SMALL: dict[str, Any] = {
    "record": "published/1",
    "source": "a small board",
    "runs": 3,
    "metrics": [
        {"name": "wrong", "title": "Wrong", "better": "lower", "cases": 10,
         "bands": [{"name": "good", "low": 0, "high": 4}, {"name": "bad", "low": 5, "high": 10}]},
        {"name": "right", "title": "Right", "better": "higher", "cases": 24},
        {"name": "tone", "title": "Tone", "better": "higher"},
    ],
    "orders": [{"name": "default", "by": [["wrong"], ["right"]]}],
    "badges": [
        {"name": "star", "means": "fine", "follows": {"rule": "reaches", "metric": "wrong", "band": "good"}},
    ],
    "trivial": [{"name": "sleeps", "figures": {"wrong": "0/10", "right": "0%"}}],
    "rows": [
        {"name": "a", "figures": {"wrong": "1/10", "right": "96%", "tone": "0.9"}, "tier": 1,
         "badges": ["star"], "each": {"wrong": ["1/10", "1/10", "3/10"]}, "fired": {"wrong": [3, 1, 1]}},
        {"name": "b", "figures": {"wrong": "2/10", "right": "88%", "tone": "≈0.8"}, "tier": 2, "runs": 1},
        {"name": "c", "figures": {"wrong": "9/10", "right": "50%"}, "pooled": {"wrong": "27/30"}},
    ],
    "claims": [
        {"kind": "best", "where": "p", "says": "a is best.", "row": "a", "metrics": ["wrong", "tone"]},
        {"kind": "unstable", "where": "p", "says": "a is unstable.", "row": "a", "metric": "wrong"},
        {"kind": "above", "where": "p", "says": "c is bad.", "row": "c", "metric": "wrong", "bound": "50%"},
    ],
}  # fmt: skip


def changed(path: list[str | int], value: Any) -> bytes:
    """The small board with one field replaced."""
    board = json.loads(json.dumps(SMALL))
    holder = board
    for step in path[:-1]:
        holder = holder[step]
    holder[path[-1]] = value
    return json.dumps(board).encode()


def complaint(tmp_path: Path, content: bytes) -> str:
    path = tmp_path / "board.json"
    path.write_bytes(content)
    with pytest.raises(Problem) as caught:
        read_published(path)
    sentence = str(caught.value)
    assert sentence.startswith(f"{path}: ") and "\n" not in sentence
    return sentence.removeprefix(f"{path}: ")


def test_the_shipped_board_names_its_source_and_has_the_printed_rows() -> None:
    board = read_published()
    assert board.source == "SupportAgentBench by Adelante, getadelante.com/eval, July 2026"
    assert len(board.rows) == 24
    assert Counter(row.tier for row in board.rows) == {1: 8, 2: 8, 3: 7, 4: 1}
    first, last = board.rows[0], board.rows[-1]
    assert (first.name, *list(first.figures.values())[:3]) == ("grok-4.3", "2.5%", "3/18", "96%")
    assert (last.name, *list(last.figures.values())[:3]) == ("qwen3.7-plus", "22%", "2/18", "96%")
    assert sum(int(row.figures["unsafe"].split("/")[0]) for row in board.rows) == 90


def test_a_board_comes_back_equal() -> None:
    board = read_published()
    assert from_json(to_json(board), Published) == board


def test_the_small_board_is_fine(tmp_path: Path) -> None:
    path = tmp_path / "board.json"
    path.write_text(json.dumps(SMALL))
    assert [row.name for row in read_published(path).rows] == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        (["colour"], "red", "Object contains unknown field `colour`"),
        (["record"], "published/9", "Invalid value 'published/9'"),
        (["rows", 0, "colour"], "red", "`rows[0]`: Object contains unknown field `colour`"),
        (["rows", 1, "runs"], 0, "`rows[1].runs`: Expected `int` >= 1"),
        (["rows", 1, "name"], "a", "`rows`: 'a' is listed twice"),
        (["rows", 1, "figures"], {"wrong": "2/10"}, "`rows[1].figures`: b has no right, which an order"),
        (["rows", 1, "figures", "right"], "88 percent", "`rows[1].figures.right`: '88 percent' is not a"),
        (["rows", 1, "figures", "right"], "188%", "`rows[1].figures.right`: '188%' is not a figure"),
        (["rows", 1, "figures", "right"], "0.88", "right is a share of its cases"),
        (["rows", 1, "figures", "tone"], "80%", "tone is a score"),
        (["rows", 1, "figures", "wrong"], "2/11", "`rows[1].figures.wrong`: '2/11' is not out of 10"),
        (["rows", 1, "figures", "luck"], "2/11", "unknown metric 'luck'; known: right, tone, wrong"),
        (["rows", 2, "pooled", "wrong"], "9/10", "'9/10' is not out of 30"),
        (["rows", 0, "each", "wrong"], ["1/10"], "`rows[0].each.wrong`: a had 3 runs, not 1"),
        (["rows", 0, "fired", "wrong"], [4], "`rows[0].fired.wrong`: more than a's 3 runs"),
        (["rows", 2, "again"], {"tone": "0.7"}, "`rows[2].figures`: c has no tone"),
        (["rows", 0, "badges"], ["moon"], "`rows[0].badges`: unknown badge 'moon'; known: star"),
        (["orders", 0, "by"], [["luck"]], "`orders[0].by`: unknown metric 'luck'"),
        (["orders", 0, "by"], [], "`orders[0].by`: Expected `array` of length >= 1"),
        (["orders", 0, "rows"], ["a", "b"], "`orders[0].rows`: does not name every row once"),
        (["metrics", 1, "name"], "wrong", "`metrics`: 'wrong' is listed twice"),
        (["metrics", 0, "bands", 1, "low"], 6, "`metrics[0].bands`: 'bad' must start at 5"),
        (["metrics", 0, "bands", 1, "high"], 9, "the last band must end at the number of cases, 10"),
        (["badges", 0, "follows", "band"], "best", "`badges[0].follows.band`: unknown band 'best'"),
        (["claims", 0, "kind"], "boast", "`claims[0].kind`: Invalid value 'boast'"),
        (["claims", 0, "row"], "z", "`claims[0]`: unknown row 'z'; known: a, b, c"),
        (["claims", 0, "row"], "c", "`claims[0]`: c has no tone"),
        (["claims", 0, "metrics"], ["luck"], "`claims[0]`: unknown metric 'luck'"),
        (["rows", 1, "figures"], {"wrong": "2/10", "right": "88%"}, "`claims[0]`: fewer than two rows print"),
        (["claims", 1, "row"], "b", "`claims[1]`: b needs `each` and `fired` for wrong"),
        (["claims", 2, "bound"], "0.5", "`claims[2]`: '0.5' is not a share"),
        (["claims", 2, "metric"], "tone", "`claims[2]`: tone is a score"),
    ],
)  # fmt: skip
def test_a_fault_names_its_field(tmp_path: Path, path: list[str | int], value: Any, words: str) -> None:
    assert words in complaint(tmp_path, changed(path, value))


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is not valid JSON"),
        (b'{"record": "published/1",', "is not valid JSON"),
        (b"\x89PNG\xff", "is not valid JSON"),
        (b"[]", "Expected `object`, got `array`"),
        (b"{}", "missing required field"),
    ],
)
def test_a_file_that_is_no_board_is_named(tmp_path: Path, content: bytes, words: str) -> None:
    assert words in complaint(tmp_path, content)


def test_a_missing_file_and_a_folder_are_named(tmp_path: Path) -> None:
    with pytest.raises(Problem, match=r"none\.json: there is no such file"):
        read_published(tmp_path / "none.json")
    with pytest.raises(Problem, match="is a folder"):
        read_published(tmp_path)


PLACES = [
    [*start, *rest]
    for start, rest in (
        (["metrics", 0], ["cases"]),
        (["metrics", 1], ["cases"]),
        (["rows", 0, "figures"], ["wrong"]),
        (["rows", 0, "figures"], ["right"]),
        (["rows", 0, "each"], ["wrong"]),
        (["rows", 2, "pooled"], ["wrong"]),
        (["rows", 1], ["runs"]),
        (["rows", 1], ["tier"]),
        (["orders", 0], ["by"]),
        (["claims", 0], ["metrics"]),
        (["claims"], [2]),
        ([], ["runs"]),
    )
]
ODD = st.one_of(
    st.none(),
    st.integers(-5, 10**9),
    st.sampled_from(
        ["0%", "100%", "0/10", "10/10", "27/30", "≈0%", "12.345%", "0.0", "٣%", "1/0", "right", ""]
    ),
    st.lists(st.sampled_from(["wrong", "right", "tone", "1/10", "0/10"]), max_size=3),
    st.lists(st.lists(st.sampled_from(["wrong", "right", "tone"]), max_size=2), max_size=2),
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(PLACES), ODD)
def test_whatever_a_file_holds_it_is_audited_or_refused(
    tmp_path: Path, path: list[str | int], value: Any
) -> None:
    file = tmp_path / "board.json"
    file.write_bytes(changed(path, value))
    try:
        board = read_published(file)
    except Problem:
        return
    assert len(audit(board).claims) == len(board.claims)


@given(st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), st.integers(0, 2))
def test_every_count_is_among_those_its_figure_could_be(counts: tuple[int, int], decimals: int) -> None:
    hits, trials = counts
    figure = read_figure(f"{100 * hits / trials:.{decimals}f}%")
    assert figure is not None
    assert hits in figure.counts(trials)
    assert read_figure(f"{hits}/{trials}") is not None


@given(st.integers(0, 100), st.integers(1, 400))
def test_what_no_count_prints_is_what_grim_refuses(percent: int, trials: int) -> None:
    figure = read_figure(f"{percent}%")
    assert figure is not None
    assert bool(figure.counts(trials)) == grim(percent, trials)


def test_a_figure_tells_what_it_may_be() -> None:
    ninety_three = read_figure("93%")
    assert ninety_three is not None
    assert [list(ninety_three.counts(trials)) for trials in (24, 48, 72)] == [[], [], [67]]
    eight = read_figure("8%")
    assert eight is not None
    assert list(eight.counts(120)) == [9, 10] and eight.nearest(120) == 10
    exact = read_figure("3/18")
    assert exact is not None
    assert exact.value == Fraction(1, 6) and list(exact.counts(18)) == [3] and not exact.counts(17)


def test_the_shipped_file_is_where_it_is_said_to_be() -> None:
    assert SHIPPED.is_file()
