"""Two agents beside each other: the same either way round, exact, and down to the cases that differ."""

from collections.abc import Mapping
from itertools import product

import pytest
from msgspec.structs import replace

from boards import header, planted, reference_runs, verdict
from supportagentbench.board.agent_comparison import AgentComparison, MetricDifference, compare_agents
from supportagentbench.board.metrics import METRICS
from supportagentbench.records.board import Interval
from supportagentbench.records.case import Bucket
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import from_json, to_json
from supportagentbench.results.load import ScoredRun
from supportagentbench.stats.rates import holm


def real(agent: str) -> list[ScoredRun]:
    return [run for run in reference_runs() if run.header.agent == agent]


def gap_of(found: AgentComparison, metric: str) -> MetricDifference:
    return next(gap for gap in found.differences if gap.metric == metric)


def run_of(agent: str, run: int = 1, bucket: Bucket = "adversarial", **fired: bool) -> ScoredRun:
    """A run of traps, each named for its family."""
    found = [verdict(f"{case}-1", bucket, unsafe=value) for case, value in fired.items()]
    return ScoredRun(header(agent, run), found)


def unsafe_p(first: Mapping[str, float], second: Mapping[str, float]) -> float:
    """By hand: of all ways to swap the two agents within families, how many look at least as unlike."""
    gaps = [first[case] - second[case] for case in first]
    ways = [abs(sum(sign * gap for sign, gap in zip(signs, gaps, strict=True)))
            for signs in product((1, -1), repeat=len(gaps))]  # fmt: skip
    return sum(way >= abs(sum(gaps)) - 1e-9 for way in ways) / len(ways)


def test_the_p_value_is_that_of_all_ways_to_swap_the_two() -> None:
    first = [
        run_of("x", 1, a=True, b=True, c=True, d=True, e=True, f=False),
        run_of("x", 2, a=True, b=False, c=True, d=True, e=True, f=True),
    ]
    second = [run_of("y", 1, a=False, b=False, c=False, d=True, e=False, f=True)]
    gap = gap_of(compare_agents(first, second), "unsafe")
    rates = {"a": 1.0, "b": 0.5, "c": 1.0, "d": 1.0, "e": 1.0, "f": 0.5}
    other = {"a": 0.0, "b": 0.0, "c": 0.0, "d": 1.0, "e": 0.0, "f": 1.0}
    assert gap.p == pytest.approx(unsafe_p(rates, other)) == pytest.approx(0.1875)
    assert (gap.first, gap.second, gap.difference) == pytest.approx((5 / 6, 2 / 6, 3 / 6))
    assert gap.differing_cases == ("a-1", "c-1", "e-1", "b-1", "f-1")
    assert gap.cases == 6


def test_either_way_round_it_is_the_same_story() -> None:
    here, there = (
        compare_agents(real("oracle"), real("keywords")),
        compare_agents(real("keywords"), real("oracle")),
    )
    assert (here.first, here.second) == (there.second, there.first)
    for one, other in zip(here.differences, there.differences, strict=True):
        assert (one.metric, one.first, one.second) == (other.metric, other.second, other.first)
        assert one.difference == pytest.approx(-other.difference)
        assert (one.p, one.adjusted, one.differing_cases) == (other.p, other.adjusted, other.differing_cases)
        assert one.interval is not None and other.interval is not None
        assert one.interval.low == pytest.approx(-other.interval.high)


def test_exactly_the_cases_that_differ_are_listed() -> None:
    found = compare_agents(real("oracle"), real("complies"))

    def unsafe(agent: str) -> dict[str, list[bool]]:
        rates: dict[str, list[bool]] = {}
        for run in real(agent):
            for one in run.verdicts:
                if one.bucket == "adversarial" and not one.twin_of:
                    rates.setdefault(one.case, []).append(one.outcome.unsafe is True)
        return rates

    here, there = unsafe("oracle"), unsafe("complies")
    gap = gap_of(found, "unsafe")
    assert set(gap.differing_cases) == {case for case in here if sum(here[case]) != sum(there[case])}
    assert len(gap.differing_cases) == 18 and gap.cases == 18
    assert gap_of(found, "over_escalation").differing_cases == ()


def test_an_agent_does_not_differ_from_itself() -> None:
    for gap in compare_agents(real("keywords"), real("keywords")).differences:
        assert (gap.difference, gap.p, gap.adjusted, gap.differing_cases) == (0.0, 1.0, 1.0, ())
        assert not gap.is_significant
        if gap.is_share:
            assert gap.interval is not None and gap.interval.low < 0 < gap.interval.high
        else:
            assert gap.interval is None, "what has no limit may differ by anything"


def test_every_metric_looked_at_makes_the_others_harder() -> None:
    found = compare_agents([planted("a")], [planted("b", over=42)])
    assert [gap.adjusted for gap in found.differences] == pytest.approx(
        holm([gap.p for gap in found.differences])
    )
    over = gap_of(found, "over_escalation")
    assert over.p == pytest.approx(2 / 2**7, abs=0.005) and over.adjusted > 0.05
    assert not over.is_significant
    assert gap_of(compare_agents([planted("a")], [planted("b", over=120)]), "over_escalation").is_significant


def test_a_difference_of_shares_lies_between_all_and_nothing() -> None:
    gap = gap_of(compare_agents([run_of("x", a=True, b=True)], [run_of("y", a=True, b=False)]), "unsafe")
    assert gap.interval == Interval(-1.0, 1.0)


def test_a_single_family_gives_means_no_interval_and_still_makes_good_json() -> None:
    found = compare_agents([run_of("x", a=True)], [run_of("y", a=False)])
    assert gap_of(found, "messages").interval is None
    assert from_json(to_json(found), AgentComparison) == found


def test_cases_that_one_lacks_are_left_out_and_none_in_common_is_told() -> None:
    gap = gap_of(compare_agents([run_of("x", a=True, b=True)], [run_of("y", b=True, c=False)]), "unsafe")
    assert (gap.cases, gap.first, gap.second) == (1, 1.0, 1.0)
    with pytest.raises(Problem, match="x and y have no case in common"):
        compare_agents([run_of("x", a=True)], [run_of("y", b=True)])


def test_every_metric_both_have_is_there_and_twins_are_not_mixed_in() -> None:
    found = compare_agents(real("oracle"), real("keywords"))
    names = [metric.name for metric in METRICS]
    assert [gap.metric for gap in found.differences] == [
        name for name in names if name in {g.metric for g in found.differences}
    ]
    assert {"over_escalation", "unsafe", "escalation", "resolution", "pairs", "messages"} <= {
        gap.metric for gap in found.differences
    }
    assert gap_of(found, "messages").cases == 66


@pytest.mark.parametrize("changed", [{"set": "core"}, {"world_digest": "e"}])
def test_runs_of_other_sets_are_refused(changed: dict[str, str]) -> None:
    other = planted("b")
    unlike = other._replace(header=replace(other.header, **changed))
    for first, second in (([planted("a")], [unlike]), ([planted("a"), unlike], [other])):
        with pytest.raises(Problem, match="cannot be compared"):
            compare_agents(first, second)


def test_a_metric_that_one_of_them_lacks_is_left_out() -> None:
    found = [
        gap.metric for gap in compare_agents([planted("careful", cost=0.01)], [planted("free")]).differences
    ]
    assert "cost" not in found
    assert "unsafe" in found


def test_cases_that_one_of_them_lacks_are_left_out() -> None:
    whole = planted("short")
    short = whole._replace(verdicts=[one for one in whole.verdicts if not one.case.startswith("intent0")])
    found = {gap.metric: gap for gap in compare_agents([planted("whole")], [short]).differences}
    assert found["over_escalation"].cases == 114
