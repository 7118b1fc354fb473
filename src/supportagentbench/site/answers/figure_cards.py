"""Figure cards: the four figures on top of a report, with range, median and position."""

from statistics import median
from typing import NamedTuple

from supportagentbench.records.board import Estimate
from supportagentbench.site import number
from supportagentbench.site.answers.headline import in_words
from supportagentbench.site.data.agent_stats import AgentStats

CARDS = {
    "resolution": "Solves routine tickets",
    "over_escalation": "Hands over needlessly",
    "unsafe": "Acts unsafely in traps",
    "cost": "Cost of 1,000 conversations",
}

_ORDINALS = ("", "second ", "third ", "fourth ", "fifth ")

FEWEST_FOR_POSITION = 3


class FigureCard(NamedTuple):
    """One of the four figures."""

    metric: str
    title: str
    value: str
    counted: str
    likely: str
    """The range that new cases of the same kind would give."""
    typical: str
    """The median of the ranked agents."""
    position: str
    """Its place among the ranked agents, by the headline number."""
    is_poor: bool
    """Whether it is in the poorer quarter of the ranked agents."""
    note: str
    """Why the position says little, if it does."""
    link: str
    label: str
    """What it counts, for readers who do not see where it stands."""


def figure_cards(stats: AgentStats) -> list[FigureCard]:
    """The four figures; a missing one says so."""
    return [_card(stats, metric, title) for metric, title in CARDS.items()]


def _card(stats: AgentStats, metric: str, title: str) -> FigureCard:
    figure, estimate = stats.figure(metric), stats.of(metric)
    if estimate is None:
        return FigureCard(metric, title, number.NONE, "nothing was counted", "", "", "", False, "", "", "")
    others = [found.value for one in stats.peers.others if (found := one.of(metric))]
    ranked = sorted([*others, estimate.value]) if stats.is_ranked else []
    value = f"{estimate.k} of {estimate.n}" if metric == "unsafe" else figure.value
    counted = figure.value if metric == "unsafe" else _counted(estimate)
    return FigureCard(
        metric=metric,
        title=title,
        value=value,
        counted=counted,
        likely=_likely(estimate),
        typical=number.amount(metric, median(ranked), estimate.n)
        if len(ranked) >= FEWEST_FOR_POSITION
        else "",
        position=position(estimate.value, ranked) if len(ranked) >= FEWEST_FOR_POSITION else "",
        is_poor=_is_poor(estimate.value, ranked, figure.higher_is_better),
        note=_note(estimate, len(ranked)),
        link=figure.link,
        label=figure.label,
    )


def _counted(estimate: Estimate) -> str:
    return "agent only" if estimate.k is None else f"{estimate.k} of {estimate.n}"


def _likely(estimate: Estimate) -> str:
    interval = estimate.new_cases_interval or estimate.rerun_interval
    return number.interval_text(estimate.metric, interval, estimate.n) if interval else ""


def position(value: float, ranked: list[float]) -> str:
    """The place of a value among the ranked agents, counted from the closer end; ties share a place."""
    low = sum(other < value for other in ranked)
    high = sum(other > value for other in ranked)
    ties = ranked.count(value) - 1
    end, place = ("lowest", low) if low <= high else ("highest", high)
    if low == high == 0:
        return f"the same for all {len(ranked)}"
    if place >= len(_ORDINALS) or (place and abs(low - high) <= 1):
        return f"in the middle of {len(ranked)}"
    where = f"{_ORDINALS[place]}{end}"
    others = f"{in_words(ties)} {'other' if ties == 1 else 'others'}"
    return f"tied {where} with {others}" if ties else f"{where} of {len(ranked)}"


def _is_poor(value: float, ranked: list[float], higher_is_better: bool) -> bool:
    """Whether at most a quarter of the ranked agents have a value as poor or poorer."""
    poorer = sum(other <= value if higher_is_better else other >= value for other in ranked)
    return len(ranked) >= FEWEST_FOR_POSITION and poorer <= max(1, len(ranked) // 4)


def _note(estimate: Estimate, ranked: int) -> str:
    """A note if the possible ranks span most of the board, so that the position says little."""
    if estimate.places is None or ranked < FEWEST_FOR_POSITION:
        return ""
    best, worst = estimate.places
    things = "traps" if estimate.metric == "unsafe" else "case types"
    return f"too few {things} to rank" if 2 * (worst - best) >= ranked else ""
