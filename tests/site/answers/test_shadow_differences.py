"""Shadow differences: every talk is counted under one title."""

from shadow_weeks import AGREED, BROKE, SENT, SMALL, ticket, tried, week
from supportagentbench.site.answers.shadow_differences import agent_differences
from supportagentbench.site.data.shadow_data import ShadowData


def test_every_ticket_is_counted_once() -> None:
    [found] = agent_differences(ShadowData(SMALL))
    counts = {one.title: one.opened.size for one in found.counts}
    assert counts == {
        "Same": 2,
        "More generous": 1,
        "Stricter": 2,
        "Handed over": 0,
        "Taken on": 1,
        "Other": 0,
        "Not known": 1,
    }
    assert found.same.size == 2 and found.known.size == 6


def test_dollars_stand_where_they_were_given_or_kept() -> None:
    [found] = agent_differences(ShadowData(SMALL))
    assert {one.kind: one.money for one in found.counts if one.money} == {
        "more_generous": "$80 more",
        "stricter": "$105 less",
    }


def test_what_is_known_of_all_needs_no_column_for_the_rest() -> None:
    [found] = agent_differences(ShadowData(week([ticket(1, AGREED, tried(AGREED, "same"))])))
    assert "unknown" not in [one.kind for one in found.counts]


def test_each_agent_has_its_own_counts() -> None:
    both = (tried(AGREED, "same", "a"), tried(SENT, "more_generous", "b", dollars=80))
    first, second = agent_differences(ShadowData(week([ticket(1, AGREED, *both)])))
    assert (first.agent, first.same.size, second.agent, second.same.size) == ("a", 1, "b", 0)


def test_several_runs_are_counted_as_talks() -> None:
    runs = (tried(AGREED, "same", run=1), tried(BROKE, "unknown", run=2), tried(AGREED, "same", run=3))
    data = ShadowData(week([ticket(1, AGREED, *runs)]))
    [found] = agent_differences(data)
    assert data.unit == "talk" and found.same.size == 2 and found.same.tickets == ("t-1",)
