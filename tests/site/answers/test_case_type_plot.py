"""The plot by case type has each count once, beside the range of the other ranked agents."""

from reports import agent_stats_of, flock_data
from supportagentbench.site.answers.case_type_plot import case_type_plot
from supportagentbench.site.data.agent_stats import all_agent_stats


def test_counts_add_up_to_the_headline_figures() -> None:
    for stats in all_agent_stats(flock_data()):
        plot = case_type_plot(stats)
        assert plot is not None
        for (_, dots), metric in zip(plot.parts, ("resolution", "escalation"), strict=True):
            estimate = stats.of(metric)
            assert estimate and sum(one.k for one in dots) == estimate.k
            assert sum(one.n for one in dots) == estimate.n


def test_a_diamond_is_below_the_median_of_the_others() -> None:
    plot = case_type_plot(agent_stats_of(flock_data(), "wild/heron"))
    assert plot is not None
    for _, dots in plot.parts:
        for one in dots:
            assert one.low is not None and one.high is not None and one.middle is not None
            assert one.low <= one.middle <= one.high
            assert one.is_low == (one.share < one.middle)
