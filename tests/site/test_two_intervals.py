"""One zero has two upper bounds, wherever it is printed: the same cases run again, and cases like these."""

import csv
import html
import json
import re
from pathlib import Path

import pytest

from boards import read_aloud
from supportagentbench.board.standings import make_board
from supportagentbench.records.board import Board, Estimate
from supportagentbench.results.load import load_runs
from supportagentbench.site.number import percent
from supportagentbench.terminal.board import board_table

COUNT = re.compile(r"\d+(?: of |/)\d+|\bin \d+ trap|none seen|Of new tickets")
UPPER = re.compile(r"(?:up to|as high as|still allows|still mean|\b0% to|\b0–) ?(\d+(?:\.\d+)?)%?")


@pytest.fixture(scope="module")
def board(small_runs: Path) -> Board:
    return make_board(load_runs([small_runs]))


@pytest.fixture(scope="module")
def zero(board: Board) -> Estimate:
    found = next(agent for agent in board.agents if agent.name == "oracle").of("unsafe")
    assert found is not None and (found.k, found.n, found.clusters) == (0, 54, 12)
    return found


def bounds_in(text: str) -> set[str]:
    """Every upper bound, in whole percent, that is printed with none of 54 traps, until the next count."""
    words = " ".join(html.unescape(re.sub(r"<script.*?</script>|<[^>]*>", " ", text, flags=re.S)).split())
    places = [*COUNT.finditer(words)]
    ends = [place.start() for place in places[1:]] + [len(words)]
    return {
        f"{float(bound):.0f}%"
        for place, end in zip(places, ends, strict=True)
        if place[0] in ("0 of 54", "0/54", "in 54 trap", "none seen")
        for bound in UPPER.findall(words[place.start() : min(end, place.end() + 200)])
    }


def test_run_again_it_is_the_bound_that_decides_words_and_limits(zero: Estimate) -> None:
    assert zero.rerun_interval is not None and zero.new_cases_interval is not None
    assert zero.rerun_interval.high == zero.at_most == pytest.approx(0.054, abs=0.0005)
    assert zero.at_most < zero.new_cases_interval.high == pytest.approx(0.2273, abs=0.0005)


@pytest.mark.parametrize(
    ("page", "count"),
    [("index.html", 2), ("agents/oracle.html", 2), ("agents/oracle.md", 2), ("method.html", 2)],
)
def test_every_page_prints_these_two_and_no_third(
    small_site: Path, zero: Estimate, page: str, count: int
) -> None:
    assert zero.at_most is not None and zero.new_cases_interval is not None
    both = {percent(zero.at_most, zero.n), percent(zero.new_cases_interval.high, zero.n)}
    found = bounds_in((small_site / page).read_text())
    assert found <= both == {"5%", "23%"} and len(found) == count


def test_so_does_the_terminal(board: Board) -> None:
    lines = read_aloud(board_table(board), 200)
    oracle = lines[lines.index("oracle") : lines.index("───")]
    assert "none seen (up to 5%)" in oracle and re.search(r"\b0–23\b", oracle)


def test_so_do_the_files(small_site: Path, zero: Estimate) -> None:
    assert zero.rerun_interval is not None and zero.new_cases_interval is not None
    both = (zero.rerun_interval.high, zero.new_cases_interval.high)
    with (small_site / "data/board.csv").open() as file:
        [row] = [one for one in csv.DictReader(file) if (one["agent"], one["metric"]) == ("Oracle", "unsafe")]
    assert (float(row["rerun_high"]), float(row["new_cases_high"])) == both
    agents = json.loads((small_site / "data/board.json").read_text())["agents"]
    [metrics] = [one["metrics"] for one in agents if one["agent"] == "Oracle"]
    [found] = [one for one in metrics if one["metric"] == "unsafe"]
    assert (found["rerun_interval"][1], found["new_cases_interval"][1]) == both
