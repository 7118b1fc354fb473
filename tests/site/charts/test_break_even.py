"""Break-even: what the chart says is what the lines do, and no two names overlap, whatever the board."""

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boards import made_up
from supportagentbench.board.limits import LIMITS
from supportagentbench.board.loss import Expected, Gap
from supportagentbench.board.recommendation import DeskBills, MonthlyBill, recommend
from supportagentbench.records.board import Board
from supportagentbench.site.charts.break_even import (
    GAP,
    BreakEven,
    CostLine,
    _note,
    _rival,
    _title,
    axis_end,
    cheating,
    spread,
    ticks,
)

NO_BILL = MonthlyBill(Expected(100.0, 100.0, 100.0), None)

PICK = CostLine("pick", "Pick", (100, 100))


def line(name: str, *ends: float) -> CostLine:
    return CostLine(name, name, (ends[0], ends[1]))


def said(*lines: CostLine, share: float = 0.01) -> str:
    rival, meets = _rival(PICK, [PICK, *lines], share)
    return _title(PICK, rival, [PICK, *lines], 0.05, share, meets)


def test_the_title_says_where_another_agent_costs_less() -> None:
    assert said(line("Wild", 50, 10_050)) == "Wild costs less only while fewer than 1 customer in 200 cheats"
    assert said(line("Shy", 150, -350)) == "Shy costs less only where more than 1 customer in 10 cheats"
    here = said(line("Wild", 50, 10_050), share=0.002)
    assert here == "At 0.2% cheats Wild costs less; above 0.5%, Pick does"
    there = said(line("Shy", 150, -350), share=0.2)
    assert there == "At 20% cheats Shy costs less; below 10%, Pick does"
    assert said(line("Cheap", 50, 60)).startswith("Cheap costs less at every share of cheats")
    assert said(line("Dear", 500, 600)) == "Pick costs least at any share of cheats up to 5%"


def test_the_nearest_crossing_is_told_and_a_far_one_is_not() -> None:
    near, nearer = line("near", 50, 10_050), line("nearer", 90, 1_090)
    assert _rival(PICK, [PICK, near, nearer], 0.006) == (near, 0.005)
    assert _rival(PICK, [PICK, near, nearer], 0.02) == (nearer, 0.01)
    assert _rival(PICK, [PICK, line("far", 150, 90)], 0.01) == (None, None)


def test_what_could_be_chance_is_said_beside_every_title() -> None:
    """Where no other line is near, each difference from the agent to use is tested all the same."""
    agents = (made_up("Pick"), made_up("Near"), made_up("Far"))
    p = {"Near": 0.02, "Far": 0.001}
    desk = DeskBills(dict.fromkeys(("Pick", *p), NO_BILL), lambda one, other: Gap(1.0, p[one]))
    found = recommend(Board("w", "d", "all", agents), LIMITS, desk)
    lines = [line("Near", 500, 600), line("Far", 500, 900)]
    assert _note(found, PICK._replace(name="Pick"), lines, 1) == "As measured."
    assert _note(found, PICK._replace(name="Pick"), lines, 3) == (
        "As measured; at your desk the difference from Near could be chance."
    )
    assert _note(found, None, lines, 3) == "As measured."


@given(st.floats(1, 1e8))
def test_an_axis_ends_on_a_round_number_that_nothing_exceeds(most: float) -> None:
    end = axis_end(most)
    assert most <= end * (1 + 1e-9) and end < 1.6 * most + 1
    assert [*ticks(end)][-1] == pytest.approx(end)


@pytest.mark.parametrize(
    ("share", "words"),
    [
        (0.0046, "1 customer in 220 cheats"),
        (0.1, "1 customer in 10 cheats"),
        (0.25, "25% of customers cheat"),
    ],
)
def test_shares_are_counted_in_customers(share: float, words: str) -> None:
    assert cheating(share) == words


@given(st.lists(st.floats(0, 400), min_size=1, max_size=40))
def test_places_are_apart_and_in_order(places: list[float]) -> None:
    found = spread(sorted(places))
    assert all(after - before >= GAP - 1e-6 for before, after in pairwise(found))


@given(st.lists(st.tuples(st.floats(0, 1e6), st.floats(0, 1e7)), min_size=1, max_size=40))
def test_every_agent_has_a_line_the_marked_have_names_and_no_names_overlap(
    ends: list[tuple[float, float]],
) -> None:
    lines = [CostLine(f"a{at}", f"Agent {at} " + "x" * 60, both) for at, both in enumerate(ends)]
    lines[0] = lines[0]._replace(role="pick")
    for svg in BreakEven("Title", "Note", tuple(lines), 0.01, 0.05, None).plots:
        assert svg.count('class="line') == len(lines)
        names = [float(y) for y in re.findall(r'<text class="name[^"]*" x="[^"]*" y="([^"]*)"', svg)]
        assert 'class="name pick"' in svg
        assert all(after - before >= GAP - 0.2 for before, after in pairwise(sorted(names)))
        assert "nan" not in svg
