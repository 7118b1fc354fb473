"""One headline number: what the terminal prints is what the page and its files print, to the digit."""

import csv
import io
import json
import re
from html import unescape
from itertools import zip_longest

import pytest
from hypothesis import given
from hypothesis import strategies as st

from board_pages import flock, html_of, page_of, slugs_of
from boards import planted, read_aloud, reference_board
from supportagentbench.board.standings import make_board
from supportagentbench.records.board import Board, Estimate, Interval
from supportagentbench.results.load import ScoredRun
from supportagentbench.site.data.figures import board_csv, board_json
from supportagentbench.site.number import amount
from supportagentbench.terminal.board import board_table
from supportagentbench.terminal.figure_cell import figure_cell

SHOWN = {
    "over": "over_escalation",
    "unsafe": "unsafe",
    "acc": "escalation",
    "res": "resolution",
    "pairs": "pairs",
}
"""The page's columns that the terminal has, too, by key."""


def uneven() -> list[ScoredRun]:
    """Runs whose median is far from all of them together, one unfinished."""
    last = planted("b", 3, over=90, unsafe=2)
    return [
        planted("a", 1),
        planted("a", 2, over=1),
        planted("a", 3, over=60, unsafe=17),
        planted("b", 1, over=3, unsafe=1),
        planted("b", 2, over=6, unsafe=2),
        last._replace(verdicts=last.verdicts[:140]),
    ]


def cells_of_page(html: str) -> dict[tuple[str, str], list[str]]:
    """By agent and column of the board's table, the texts of a cell in order."""
    table = html[html.index('<table id="board"') :].split("</table>")[0]
    keys = re.findall(r'<th scope="col" data-key="(\w+)"', table)
    found = {}
    for row in re.findall(r'<tr data-a="(.*?)".*?>(.*?)</tr>', table, re.DOTALL):
        cells = re.findall(r"<td.*?</td>", row[1], re.DOTALL)
        for key, cell in zip_longest(keys[1:], cells):
            texts = re.split(r" · |\n", " · ".join(re.findall(r">([^<>]+)<", unescape(cell))))
            found[row[0], key] = [text.strip().removeprefix("likely ") for text in texts if text.strip()]
    return found


@pytest.mark.parametrize("runs", [uneven(), flock()], ids=["uneven", "flock"])
def test_terminal_page_json_and_csv_agree_to_the_digit(runs: list[ScoredRun]) -> None:
    board = make_board(runs)
    slugs = slugs_of(board)
    page, shown = cells_of_page(html_of(page_of(runs))), read_aloud(board_table(board), 200).split()
    files = {agent["agent"]: agent for agent in json.loads(board_json(board, slugs))["agents"]}
    table = csv.DictReader(io.StringIO(board_csv(board, slugs).decode()))
    rows = {(row["agent"], row["metric"]): row for row in table}
    for agent in board.agents:
        metrics = {one["metric"]: one for one in files[agent.name]["metrics"]}
        for key, metric in SHOWN.items():
            estimate = agent.of(metric)
            assert estimate and estimate.k is not None and estimate.new_cases_interval
            value, count, span, *median = figure_cell(estimate).plain.split("\n")
            assert {value, count, span} <= set(shown)
            texts = page[slugs[agent.name], key]
            assert texts[0] == value == metrics[metric]["text"] == rows[agent.name, metric]["text"]
            assert count == f"{estimate.k}/{estimate.n}"
            assert count in {text.split(",")[0] for text in texts}
            assert span.replace("–", "% to ") + "%" in texts
            assert [text.removeprefix("median of runs ") for text in texts if text.startswith("median")] == [
                one.removeprefix("med ") for one in median
            ]
            assert float(rows[agent.name, metric]["median_of_runs"]) == pytest.approx(estimate.median)


def test_no_estimate_is_outside_its_own_interval() -> None:
    """Nor as printed; the median of the runs may be, which is why it is not the headline."""
    for board in (make_board(uneven()), reference_board()):
        for estimate in all_estimates(board):
            for interval in (estimate.rerun_interval, estimate.new_cases_interval):
                if interval:
                    assert interval.low - 1e-12 <= estimate.value <= interval.high + 1e-12, estimate
    medians_outside = {
        one.metric for one in all_estimates(make_board(uneven())) if not has_median_inside(one)
    }
    assert "unsafe" in medians_outside


def all_estimates(board: Board) -> list[Estimate]:
    return [one for agent in board.agents for one in agent.estimates]


def has_median_inside(one: Estimate) -> bool:
    ends = one.rerun_interval
    return ends is None or ends.low <= one.median <= ends.high


@given(st.lists(st.floats(0, 1), min_size=3, max_size=3).map(sorted), st.integers(1, 3000))
def test_rounding_keeps_a_value_between_its_ends(ends: list[float], n: int) -> None:
    low, value, high = (float(amount("unsafe", one, n).strip("%")) for one in ends)
    assert low <= value <= high


def test_a_mean_has_its_unit_and_the_number_of_conversations() -> None:
    cost = Estimate("cost", 2.0, 2.5, 9, (1.5, 2.5, 2.5), new_cases_interval=Interval(1.0, 3.0))
    assert figure_cell(cost).plain.split("\n") == ["$2.00", "n = 9", "1.00–3.00", "med $2.50"]
