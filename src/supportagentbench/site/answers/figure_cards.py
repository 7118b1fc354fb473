"""Figure cards: the six figures on top of a report, each with its range, its place and the other agents."""

from collections import Counter
from typing import NamedTuple

from supportagentbench.board.limits import standing
from supportagentbench.board.metrics import TERMS
from supportagentbench.board.unobservable import NOT_OBSERVABLE
from supportagentbench.records.board import AgentResults, Estimate
from supportagentbench.site import number
from supportagentbench.site.answers.headline import in_words
from supportagentbench.site.data.agent_stats import AgentFigure, AgentStats
from supportagentbench.site.data.counted import BREAKS
from supportagentbench.site.data.links import behind, counted_words
from supportagentbench.site.data.term import as_term
from supportagentbench.stats.rates import at_most

CARDS = {
    **{metric: TERMS[metric] for metric in ("resolution", "over_escalation", "escalation", "unsafe")},
    "adherence": "Policy followed",
    "cost": "Cost of 1,000 conversations",
}

_ORDINALS = ("", "second ", "third ", "fourth ", "fifth ")

FEWEST_FOR_PLACE = 3

STEP = 3
"""Dots closer than this, in percent of the width, are stacked."""

MOST_STACKED = 3


class StripDot(NamedTuple):
    """A ranked agent on the strip under a figure."""

    at: float
    """In percent of the width."""
    level: int
    """How many dots it is on."""
    is_own: bool
    words: str


class Strip(NamedTuple):
    """All ranked agents on one scale that begins at zero; places are in percent of its width."""

    dots: tuple[StripDot, ...]
    """Its own is the last, so that it is on top."""
    ends: tuple[str, str]
    better: str
    """Which way is better."""
    span: tuple[float, float] | None
    """Its own likely range, the one that is printed."""
    limit: float | None
    """Where the limit is; None: there is none."""


class FigureCard(NamedTuple):
    """One of the six figures."""

    metric: str
    title: str
    value: str = number.NONE
    counted: str = "nothing was counted"
    likely: str = ""
    """The range that new cases of the same kind would give."""
    limit: str = ""
    """The limit that it breaks, or who in danger was missed; empty: neither."""
    is_out: bool = False
    """Whether it is beyond a limit."""
    place: str = ""
    """Its place among the ranked agents, by the headline number."""
    strip: Strip | None = None
    """The ranked agents; None: too few, or it is not ranked."""
    link: str = ""
    label: str = ""
    """What it counts, for readers who do not see where it is."""
    beside: str = ""
    """What few conversations about danger still allow; empty: nothing to say."""


def figure_cards(stats: AgentStats) -> list[FigureCard]:
    """The six figures; a missing one says so."""
    return [_card(stats, metric, title) for metric, title in CARDS.items()]


def _card(stats: AgentStats, metric: str, title: str) -> FigureCard:
    figure, estimate = stats.figure(metric), as_term(stats.of(metric))
    if estimate is None:
        is_hidden = stats.results.hides_acts and metric != "cost"
        return FigureCard(metric, title, counted=NOT_OBSERVABLE) if is_hidden else FigureCard(metric, title)
    values = _values(stats, metric, estimate)
    most = stats.data.recommendation.limits.get(metric)
    is_out = most is not None and standing(stats.results, metric, most) == "breaks"
    ends = ("cheapest", "dearest") if metric == "cost" else ("best", "worst")
    is_more = figure.higher_is_better and metric not in ("cost", "escalation")
    ranked = [-value if is_more else value for _, value in values]
    own = -estimate.value if is_more else estimate.value
    link, label = _opened(stats, figure, estimate)
    enough = stats.is_ranked and len(values) >= FEWEST_FOR_PLACE
    return FigureCard(
        metric,
        title,
        _text(estimate, estimate.value),
        _counted(stats, estimate),
        _likely(estimate),
        f"limit {number.percent(most)}" if is_out and most is not None else _danger(stats, metric),
        is_out,
        place(own, ranked, ends) if enough else "",
        _strip(values, stats.results.name, estimate, most, is_more=is_more) if enough else None,
        link,
        label,
        _still_possible(stats, metric),
    )


def _danger(stats: AgentStats, metric: str) -> str:
    """Who in danger is among the missed, although their share keeps the limit."""
    grounds = stats.results.grounds
    if metric != "escalation" or not grounds.danger_missed:
        return ""
    return f"{grounds.danger_missed} of {grounds.danger} people in danger missed"


def _still_possible(stats: AgentStats, metric: str) -> str:
    """What none missed of so few people in danger still allows."""
    danger = stats.results.grounds.danger
    if metric != "escalation" or not danger or stats.results.grounds.danger_missed:
        return ""
    return f"Danger: 0 of {danger} missed, up to {number.percent(at_most(0, danger), danger)} still possible"


def _values(stats: AgentStats, metric: str, estimate: Estimate) -> list[tuple[AgentResults, float]]:
    """The ranked agents with this figure, by the same judge."""
    agents = [*stats.peers.others, stats.results]
    return [(one, as_term(found).value) for one in agents if (found := one.of(metric, estimate.judge))]


def _text(estimate: Estimate, value: float) -> str:
    return number.amount(estimate.metric, value, estimate.n)


def _opened(stats: AgentStats, figure: AgentFigure, estimate: Estimate) -> tuple[str, str]:
    """The conversations behind a figure; behind the share of rules kept, those that lower it."""
    if estimate.metric == "escalation":
        label = counted_words(CARDS[estimate.metric], stats.results.name, estimate)
        return behind(estimate.metric, stats.slug, "no"), label
    if estimate.metric != "adherence":
        return figure.link, figure.label
    label = f"A rule broken, {stats.results.name}: {stats.broken} of {estimate.n} conversations"
    return behind(BREAKS, stats.slug, judge=estimate.judge), label


def _counted(stats: AgentStats, estimate: Estimate) -> str:
    if estimate.metric == "adherence":
        return f"of the rules, on average; {stats.broken} of {estimate.n} conversations break one"
    return "model fees only" if estimate.k is None else f"{estimate.k} of {estimate.n}"


def _likely(estimate: Estimate) -> str:
    interval = estimate.new_cases_interval or estimate.rerun_interval
    return f"likely {_text(estimate, interval.low)} to {_text(estimate, interval.high)}" if interval else ""


def place(value: float, ranked: list[float], ends: tuple[str, str] = ("best", "worst")) -> str:
    """The place of a value among others, the smallest first, from the closer end; ties share a place."""
    low = sum(other < value for other in ranked)
    high = sum(other > value for other in ranked)
    ties = ranked.count(value) - 1
    end, at = (ends[0], low) if low <= high else (ends[1], high)
    if low == high == 0:
        return f"the same for all {in_words(len(ranked))}"
    if at >= len(_ORDINALS) or (at and abs(low - high) <= 1):
        return f"in the middle of {in_words(len(ranked))}"
    where = f"{_ORDINALS[at]}{end}"
    others = f"{in_words(ties)} {'other' if ties == 1 else 'others'}"
    return f"tied {where} with {others}" if ties else f"{where} of {in_words(len(ranked))}"


def _strip(
    values: list[tuple[AgentResults, float]],
    own: str,
    estimate: Estimate,
    limit: float | None,
    *,
    is_more: bool,
) -> Strip:
    """Shares from 0 to 100%, costs from nothing to the dearest."""
    is_cost = estimate.metric == "cost"
    most = max(value for _, value in values) if is_cost else 1.0
    stacked: Counter[int] = Counter()
    found = []
    for one, value in sorted(values, key=lambda item: (item[0].name != own, item[1])):
        at = 100 * value / (most or 1.0)
        level = min(stacked[round(at / STEP)], MOST_STACKED - 1)
        stacked[round(at / STEP)] += 1
        words = f"{one.name}: {_text(estimate, value)}"
        found.append(StripDot(round(at, 1), level, one.name == own, words))
    interval = estimate.new_cases_interval or estimate.rerun_interval
    return Strip(
        (*found[1:], found[0]),
        ("$0", number.money(most)) if is_cost else ("0%", "100%"),
        "higher is better" if is_more else "lower is better",
        (100 * interval.low / (most or 1), min(100, 100 * interval.high / (most or 1))) if interval else None,
        None if limit is None else 100 * limit,
    )
