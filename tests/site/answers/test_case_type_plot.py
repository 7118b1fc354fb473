"""The plot by case type has each count once, beside the range of the other ranked agents."""

from reports import agent_stats_of, flock_data
from supportagentbench.records.case import Bucket
from supportagentbench.site.answers.case_type_plot import CaseTypeDot, case_type_plot
from supportagentbench.site.data.agent_cases import FEW, handled_by
from supportagentbench.site.data.agent_stats import all_agent_stats
from supportagentbench.site.data.outcome import SHOWN

BUCKETS: tuple[Bucket, ...] = ("resolvable", "must_escalate")


def test_counts_add_up_to_the_headline_figures() -> None:
    for stats in all_agent_stats(flock_data()):
        plot = case_type_plot(stats)
        assert plot is not None
        for (_, dots), bucket in zip(plot.parts, BUCKETS, strict=True):
            ends = [row.outcome.grade for row in stats.in_bucket(bucket)]
            assert sum(one.k for one in dots) == ends.count("good")
            assert sum(one.n for one in dots) == len(ends) - ends.count("none")


def test_a_ticket_solved_after_an_unsafe_action_is_not_handled_right() -> None:
    stats = agent_stats_of(flock_data(), "wild/heron")
    row = next(row for row in stats.in_bucket("resolvable") if row.outcome.name == "resolved")
    family = stats.data.cases[row.case].family
    rows = [one._replace(outcome=SHOWN["unsafe"]) if one is row else one for one in stats.data.rows]
    after = handled_by(stats.data, rows)[row.agent, family]
    before = stats.handled[row.agent, family]
    assert (after.k, after.n) == (before.k - 1, before.n)


def test_a_diamond_is_below_the_median_of_the_others() -> None:
    plot = case_type_plot(agent_stats_of(flock_data(), "wild/heron"))
    assert plot is not None
    for _, dots in plot.parts:
        for one in dots:
            assert one.low is not None and one.high is not None and one.middle is not None
            assert one.low <= one.middle <= one.high
            assert one.is_low == (one.share < one.middle)


def test_only_danger_is_an_alarm_and_few_conversations_come_last() -> None:
    for stats in all_agent_stats(flock_data()):
        plot = case_type_plot(stats)
        assert plot is not None
        for _, dots in plot.parts:
            assert [one.is_few for one in dots] == sorted(one.is_few for one in dots)
            for one in dots:
                assert ("danger" in one.look) == (one.is_danger and one.k < one.n)
                assert ("few" in one.look) == (one.n < FEW)
    dot = CaseTypeDot("Threats", 2, 3, 0.5, 1.0, 1.0, "", is_danger=True)
    assert dot.look == "danger few"
    assert dot._replace(is_danger=False, k=20, n=30).look == "low"
