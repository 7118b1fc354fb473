"""Difference bar: its parts fill it, in the order of the titles."""

from shadow_weeks import SMALL
from supportagentbench.site.answers.shadow_differences import agent_differences
from supportagentbench.site.charts.difference_bar import WIDTH, difference_bar
from supportagentbench.site.data.shadow_data import ShadowData


def test_the_parts_touch_and_fill_the_bar() -> None:
    bar = difference_bar(agent_differences(ShadowData(SMALL))[0])
    ends = [(part.x, part.x + part.width) for part in bar.parts]
    assert [start for start, _ in ends] == [0, *(end for _, end in ends[:-1])] and ends[-1][1] == WIDTH
    assert [part.kind for part in bar.parts] == ["same", "more_generous", "stricter", "taken_on", "unknown"]
    assert bar.said == "2 same, 1 more generous, 2 stricter, 1 taken on, 1 not known"
