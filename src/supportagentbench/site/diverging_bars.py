"""Butterfly: both errors of handing over, on one scale, for each agent."""

from collections.abc import Mapping
from typing import NamedTuple

from supportagentbench.board.standings import is_ranked
from supportagentbench.records.board import AgentResults, Board, Estimate, Interval
from supportagentbench.site.headline import in_words
from supportagentbench.site.links import behind


class DivergingBar(NamedTuple):
    """A row of the butterfly; places are shares of its half of the page, in percent."""

    entry: AgentResults
    slug: str
    missed: Estimate
    over: Estimate
    style: str
    links: tuple[str, str]

    @property
    def is_up(self) -> bool:
        return is_ranked(self.entry)


def diverging_bars(board: Board, slugs: Mapping[str, str]) -> list[DivergingBar]:
    """Both escalation errors on one scale, in the order of their sum; those under the line come last."""
    both = [
        (entry, _complement(accuracy), over)
        for entry in board.agents
        if (accuracy := entry.of("escalation")) and (over := entry.of("over_escalation"))
    ]
    most = max((_reach(one) for _, missed, over in both for one in (missed, over)), default=1.0) or 1.0
    both.sort(key=lambda one: (not is_ranked(one[0]), one[1].value + one[2].value, one[0].name))
    return [
        DivergingBar(
            entry,
            slugs[entry.name],
            missed,
            over,
            f"{_half(missed, most, 'l')};{_half(over, most, 'r')}",
            (behind("escalation", slugs[entry.name]), behind("over_escalation", slugs[entry.name])),
        )
        for entry, missed, over in both
    ]


def _complement(accuracy: Estimate) -> Estimate:
    """The share that was kept, from the share that was handed over."""

    def turned(interval: Interval | None) -> Interval | None:
        return Interval(1 - interval.high, 1 - interval.low) if interval else None

    return Estimate(
        metric="escalation",
        value=1 - accuracy.value,
        mean=1 - accuracy.mean,
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
    known = [entry for entry in board.agents if entry.of("escalation") and entry.of("over_escalation")]
    if not known:
        return "Both errors of handing over"
    kept = sum(1 for one in known if (found := one.of("escalation")) and found.value == 1)
    none = sum(1 for one in known if (found := one.of("over_escalation")) and found.value == 0)
    return (
        f"{in_words(kept).capitalize()} of {len(known)} agents missed no human case, "
        f"{in_words(none)} handed over no solvable one"
    )
