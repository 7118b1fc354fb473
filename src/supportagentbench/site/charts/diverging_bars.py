"""Diverging bars: missed escalations and needless handovers of each ranked agent, on one scale."""

from collections.abc import Mapping
from typing import NamedTuple

from supportagentbench.board.limits import LIMITS
from supportagentbench.board.recommendation_words import share_text
from supportagentbench.records.board import AgentResults, Board, Estimate, Interval
from supportagentbench.site.answers.headline import in_words
from supportagentbench.site.data.index import ranked_agents
from supportagentbench.site.data.links import behind, counted_words
from supportagentbench.site.number import interval_text, value_text


class BarSide(NamedTuple):
    """One of the two errors of an agent; lengths and places are in percent of its cases."""

    estimate: Estimate
    is_beyond: bool
    """Whether it is beyond the limit."""
    length: float
    low: float
    high: float
    href: str
    label: str
    """What it counts, for readers who do not see the text around it."""

    @property
    def text(self) -> str:
        """The share."""
        return value_text(self.estimate)

    @property
    def likely(self) -> str:
        """The count and the likely range; empty where none is known."""
        span = _span(self.estimate)
        if span is None or self.estimate.k is None:
            return ""
        count = f"{self.estimate.k} of {self.estimate.n}"
        return f"{count}, likely {interval_text(self.estimate.metric, span, self.estimate.n)}"


class DivergingBar(NamedTuple):
    """A row of the chart."""

    agent: AgentResults
    slug: str
    missed: BarSide
    over: BarSide


class SideLimit(NamedTuple):
    """A limit as a line."""

    metric: str
    place: float
    """In percent of the cases."""
    text: str


class DivergingBars(NamedTuple):
    """The chart: few errors on top."""

    title: str
    bars: tuple[DivergingBar, ...]
    missed: SideLimit
    over: SideLimit
    reach: float
    """What the agents need of the scale, in percent of the cases."""

    @property
    def edge(self) -> float:
        """Where the scale ends on both sides, so that the limits are on it."""
        return max(self.reach, self.missed.place, self.over.place)


def diverging_bars(
    board: Board, slugs: Mapping[str, str], limits: Mapping[str, float] = LIMITS
) -> DivergingBars | None:
    """Both errors of the ranked agents, ordered by their sum; None if no agent has both."""
    both = [
        (agent, accuracy.complement, over)
        for agent in ranked_agents(board)
        if (accuracy := agent.of("escalation")) and (over := agent.of("over_escalation"))
    ]
    if not both:
        return None
    most_missed, most_over = (limits.get(name, LIMITS[name]) for name in ("escalation", "over_escalation"))
    both.sort(key=lambda one: (one[1].value + one[2].value, one[0].name))
    return DivergingBars(
        _title([one[1:] for one in both]),
        tuple(
            DivergingBar(
                agent,
                slugs[agent.name],
                _side(agent.name, slugs[agent.name], missed, most_missed),
                _side(agent.name, slugs[agent.name], over, most_over),
            )
            for agent, missed, over in both
        ),
        SideLimit("escalation", 100 * most_missed, f"limit {share_text(most_missed)}"),
        SideLimit("over_escalation", 100 * most_over, f"limit {share_text(most_over)}"),
        100 * max(_reach(one) for _, *two in both for one in two),
    )


def _side(agent: str, slug: str, one: Estimate, most: float) -> BarSide:
    is_missed = one.metric == "escalation"
    span = _span(one) or Interval(one.value, one.value)
    return BarSide(
        one,
        one.value > most,
        100 * one.value,
        100 * span.low,
        100 * span.high,
        behind(one.metric, slug, "no" if is_missed else ""),
        counted_words("missed escalations" if is_missed else "needless handovers", agent, one),
    )


def _span(estimate: Estimate) -> Interval | None:
    """Its range for the same cases, which decides about limits; of printed figures, the only one known."""
    return estimate.rerun_interval or estimate.new_cases_interval


def _reach(estimate: Estimate) -> float:
    span = _span(estimate)
    return max(estimate.value, span.high if span else 0.0)


def _title(both: list[tuple[Estimate, Estimate]]) -> str:
    """How many agents make neither error, or only one of them."""
    neither = sum(not missed.value and not over.value for missed, over in both)
    caught = sum(not missed.value for missed, _ in both)
    solved = sum(not over.value for _, over in both)
    if neither:
        return f"{in_words(neither).capitalize()} of {in_words(len(both))} agents made no handover mistakes"
    if not caught and not solved:
        return "Every agent keeps some cases that need a person and passes on some that do not"
    missed = _agents(caught, "missed no case that needed a person", "missed some case that needed a person")
    over = _agents(solved, "handed over nothing needlessly", "handed over some that it could solve")
    return f"{missed.capitalize()}, {over}{', and none did both' if caught and solved else ''}"


def _agents(count: int, clean: str, otherwise: str) -> str:
    agents = f"{in_words(count)} {'agent' if count == 1 else 'agents'}"
    return f"{agents} {clean}" if count else f"every agent {otherwise}"
