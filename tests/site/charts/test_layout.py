"""Charts: a mark stays in its tier and at its value however many there are, and no label touches another."""

from itertools import combinations
from typing import get_args
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from supportagentbench.records.board import Tier
from supportagentbench.site.charts.chart_svg import standalone, svg
from supportagentbench.site.charts.layout import UNKNOWN, Plot, Point, cost_plot, strip_plot, tier_plot

COLUMNS = (*get_args(Tier), UNKNOWN)
LAYOUTS = (tier_plot, cost_plot, lambda points: cost_plot(points, 420.0), strip_plot)


def crowd(size: int, values: int = 8) -> list[Point]:
    """So many agents with names of different lengths, spread over few values."""
    costs = {"$": 2.0, "$$": 9.0, "$$$": 33.0, "$$$$": 120.0, UNKNOWN: None}
    made = []
    for number in range(size):
        tier = COLUMNS[number * number % 5]
        cost = costs[tier]
        name = f"agent-{number}" + "-preview" * (number % 3)
        measured = cost and cost * (1 + number % 7 / 20)
        made.append(
            Point(f"a{number}", name, float(number * 7 % values), 18, tier, measured, 0.0, 9.0, "good")
        )
    return made


points = st.builds(
    Point,
    slug=st.just("slug"),
    name=st.text("abcdefgh-<&", min_size=1, max_size=30),
    value=st.sampled_from([0.0, 0.5, 1.0, 2.0, 3.0, 5.5, 7.0, 18.0]),
    tier=st.sampled_from(COLUMNS),
    cost=st.one_of(st.none(), st.floats(0.01, 900)),
)


def assert_in_place(plot: Plot) -> None:
    for mark in plot.marks:
        along, across = (mark.x, mark.y) if plot.is_strip else (mark.y, mark.x)
        assert along == pytest.approx(plot.at(mark.point.value))
        panel = next(one for one in plot.panels if one.title == mark.point.tier)
        assert panel.low < across < panel.high


@given(st.lists(points, min_size=1, max_size=40))
@settings(max_examples=40, deadline=None)
def test_a_mark_never_leaves_its_tier_or_its_value(some: list[Point]) -> None:
    assert_in_place(tier_plot(some))
    assert_in_place(strip_plot(some))


@pytest.mark.parametrize("size", [24, 60])
@pytest.mark.parametrize("layout", range(len(LAYOUTS)))
def test_no_label_touches_another_or_a_mark_of_somebody_else(size: int, layout: int) -> None:
    plot = LAYOUTS[layout](crowd(size))
    assert len(plot.marks) == size
    for one, other in combinations(plot.marks, 2):
        assert not one.label.box.meets(other.label.box), (one.point.name, other.point.name)
        assert not one.label.box.meets(other.box)
        assert not other.label.box.meets(one.box)


@pytest.mark.parametrize("draw", [tier_plot, strip_plot])
def test_no_mark_covers_another_even_if_all_share_tier_and_value(draw: type) -> None:
    same = [Point(str(number), f"n{number}", 2.0, 18, "$") for number in range(60)]
    for one, other in combinations(draw(same).marks, 2):
        assert not one.box.meets(other.box)


@pytest.mark.parametrize("layout", range(len(LAYOUTS)))
def test_everything_stays_inside_the_picture(layout: int) -> None:
    plot = LAYOUTS[layout](crowd(60))
    for mark in plot.marks:
        for box in (mark.box, mark.label.box):
            assert 0 <= box.left <= box.right <= plot.width
            assert 0 <= box.top <= box.bottom <= plot.height


def test_the_order_of_the_agents_does_not_move_a_mark() -> None:
    some = crowd(24)
    assert sorted(tier_plot(some).marks) == sorted(tier_plot(some[::-1]).marks)


def test_the_same_points_make_the_same_bytes() -> None:
    assert standalone(tier_plot(crowd(24)), "t") == standalone(tier_plot(crowd(24)), "t")


def test_each_power_of_ten_is_as_wide_as_the_next() -> None:
    plot = cost_plot([Point("a", "a", 1.0, 18, "$", 0.2), Point("b", "b", 1.0, 18, "$$$", 40.0)])
    assert [words for _, words in plot.ticks] == ["$0.10", "$1.00", "$10.00", "$100"]
    places = [place for place, _ in plot.ticks]
    assert places[1] - places[0] == pytest.approx(places[3] - places[2])


def test_unknown_cost_has_a_column_of_its_own_and_no_tier_if_all_are_unknown() -> None:
    known, unknown = Point("a", "a", 1.0, 18, "$", 2.0), Point("b", "b", 1.0, 18, UNKNOWN)
    assert [panel.title for panel in tier_plot([known, unknown]).panels] == [
        "$",
        "$$",
        "$$$",
        "$$$$",
        UNKNOWN,
    ]
    assert [panel.title for panel in tier_plot([known]).panels] == ["$", "$$", "$$$", "$$$$"]
    assert [panel.title for panel in tier_plot([unknown]).panels] == [UNKNOWN]
    assert [panel.title for panel in cost_plot([known, unknown]).panels] == ["", UNKNOWN]


def test_a_name_cannot_become_markup() -> None:
    point = Point("a", "<script>alert(1)</script>", 1.0, 18, "$", href="x", said='"><img>')
    drawn = svg(tier_plot([point]), "tier wide", "t")
    assert "<script" not in drawn
    assert "<img" not in drawn


def test_a_picture_of_its_own_is_well_formed_and_links_to_nothing() -> None:
    found = ElementTree.fromstring(standalone(tier_plot(crowd(24)), "Unsafe & cost"))
    assert found.tag == "{http://www.w3.org/2000/svg}svg"
    assert found.get("aria-label") == "Unsafe & cost"
    assert not list(found.iter("{http://www.w3.org/2000/svg}a"))


def test_what_is_in_doubt_picked_or_partial_is_drawn_so() -> None:
    point = Point("a", "a", 3.0, 18, "$", look="fair", is_open=True, is_picked=True, is_partial=True)
    drawn = svg(tier_plot([point]), "tier wide", "t")
    assert 'class="mk fair open partial"' in drawn
    assert 'class="ring"' in drawn


@pytest.mark.parametrize("traps", [18, 36])
def test_zones_follow_the_number_of_traps(traps: int) -> None:
    drawn = svg(tier_plot([Point("a", "a", 1.0, traps, "$")]), "tier wide", "t")
    assert f"Unsafe actions per {traps} traps" in drawn
    assert all(f"start edge {look}" in drawn for look in ("good", "fair", "bad"))
