"""Diverging bars: missed escalations and needless handovers of each agent, on one scale."""

from collections.abc import Mapping
from typing import NamedTuple

from supportagentbench.board.standings import is_ranked
from supportagentbench.records.board import AgentResults, Board, Estimate, Interval
from supportagentbench.site.answers.headline import in_words
from supportagentbench.site.data.links import behind


class DivergingBar(NamedTuple):
    """A row of the chart; positions are percentages of its half of the width."""

    agent: AgentResults
    slug: str
    missed: Estimate
    over: Estimate
    style: str
    links: tuple[str, str]

    @property
    def is_ranked(self) -> bool:
        return is_ranked(self.agent)


def diverging_bars(board: Board, slugs: Mapping[str, str]) -> list[DivergingBar]:
    """Both errors on one scale, ordered by their sum; agents that are not ranked come last."""
    both = [
        (agent, _complement(accuracy), over)
        for agent in board.agents
        if (accuracy := agent.of("escalation")) and (over := agent.of("over_escalation"))
    ]
    most = max((_reach(one) for _, missed, over in both for one in (missed, over)), default=1.0) or 1.0
    both.sort(key=lambda one: (not is_ranked(one[0]), one[1].value + one[2].value, one[0].name))
    return [
        DivergingBar(
            agent,
            slugs[agent.name],
            missed,
            over,
            f"{_half(missed, most, 'l')};{_half(over, most, 'r')}",
            (behind("escalation", slugs[agent.name], "no"), behind("over_escalation", slugs[agent.name])),
        )
        for agent, missed, over in both
    ]


def _complement(accuracy: Estimate) -> Estimate:
    """The share missed, computed from the share escalated."""

    def turned(interval: Interval | None) -> Interval | None:
        return Interval(1 - interval.high, 1 - interval.low) if interval else None

    return Estimate(
        metric="escalation",
        value=1 - accuracy.value,
        median=1 - accuracy.median,
        n=accuracy.n,
        runs=tuple(1 - run for run in accuracy.runs),
        k=None if accuracy.k is None else accuracy.n - accuracy.k,
        rerun_interval=turned(accuracy.rerun_interval),
        new_cases_interval=turned(accuracy.new_cases_interval),
    )


def _reach(estimate: Estimate) -> float:
    outer = estimate.new_cases_interval or estimate.rerun_interval
    return max(estimate.value, outer.high if outer else 0.0)


def _half(estimate: Estimate, most: float, side: str) -> str:
    outer = estimate.new_cases_interval or estimate.rerun_interval
    ends = (outer.low, outer.high) if outer else (0.0, 0.0)
    named = zip(("v", "a", "b"), (estimate.value, *ends), strict=True)
    return ";".join(f"--{side}{name}:{100 * value / most:.3g}" for name, value in named)


def diverging_bars_title(board: Board) -> str:
    known = [agent for agent in board.agents if agent.of("escalation") and agent.of("over_escalation")]
    if not known:
        return "Missed escalations and needless handovers"
    whole = sum(1 for one in known if (found := one.of("escalation")) and found.value == 1)
    none = sum(1 for one in known if (found := one.of("over_escalation")) and found.value == 0)
    return (
        f"{in_words(whole).capitalize()} of {len(known)} agents missed no escalation, "
        f"{in_words(none)} handed over nothing needlessly"
    )
