"""Month bars: what each agent's month is spent on, in parts side by side, and the likely range of the sum."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from supportagentbench.board.desk import PARTS, AgentMonth
from supportagentbench.board.recommendation import BoardRecommendation
from supportagentbench.board.recommendation_words import about
from supportagentbench.site.answers.board_answer import AgentTake, take_of
from supportagentbench.site.charts.break_even import axis_end, thousands, ticks

TITLES = {
    "fees": "model fees",
    "unsolved": "left unsolved",
    "needless": "needless handovers",
    "missed": "missed escalations",
    "given": "given away",
}
"""What the parts of a month are called."""


class MonthBar(NamedTuple):
    """One agent; lengths and places are percentages of the axis."""

    take: AgentTake
    sum: str
    """Empty: unknown."""
    parts: tuple[tuple[str, str], ...]
    """Each part's name and length."""
    low: str
    """Where the likely range begins."""
    span: str
    """How long it is."""
    said: str
    """The text for a reader without the picture."""
    named: frozenset[str] = frozenset()
    """The parts whose names stand in this bar."""


class MonthBars(NamedTuple):
    """The rows, in the order of the recommendation, and their axis."""

    bars: tuple[MonthBar, ...]
    axis: tuple[tuple[str, str], ...]
    """Places and their dollars."""
    titles: Mapping[str, str] = TITLES


ROOM = 1.35
"""Percent of the axis that a letter of a part's name needs."""


def month_bars(
    found: BoardRecommendation,
    months: Sequence[AgentMonth],
    slugs: Mapping[str, str],
    notes: Mapping[str, str] | None = None,
) -> MonthBars:
    """The contenders; where there is none, every agent. `notes`: what else is known of an agent."""
    by_name = {month.agent.results.name: month for month in months}
    takes = [
        take_of(one, slugs[one.agent.name], (notes or {}).get(one.agent.name, ""))
        for one in found.contenders or found.agents
    ]
    reach = [lost.high for one in takes if (lost := by_name[one.name].loss)]
    most = axis_end(max([1.0, *reach]))
    axis = tuple((_place(dollars, most), thousands(dollars)) for dollars in ticks(most))
    bars = tuple(_bar(one, by_name[one.name], most) for one in takes)
    longest = _longest([by_name[one.name] for one in takes], most)
    return MonthBars(
        tuple(
            bar._replace(named=frozenset(part for part, at in longest.items() if at == number))
            for number, bar in enumerate(bars)
        ),
        axis,
    )


def _longest(months: Sequence[AgentMonth], most: float) -> dict[str, int]:
    """By part, the bar in which it is longest, if its name has room there."""
    found = {}
    for part in PARTS:
        dollars, at = max(
            ((month.parts.get(part, 0.0), -at) for at, month in enumerate(months)), default=(0.0, 0)
        )
        if 100 * dollars / most > ROOM * len(TITLES[part]):
            found[part] = -at
    return found


def _bar(take: AgentTake, month: AgentMonth, most: float) -> MonthBar:
    lost = month.loss
    if lost is None:
        return MonthBar(take, "", (), "", "", f"{take.name}: unknown")
    said = ", ".join((*_told(month.parts), f"likely {about(lost.low)} to {about(lost.high)}"))
    return MonthBar(
        take,
        about(lost.value),
        tuple((part, _place(month.parts[part], most)) for part in PARTS),
        _place(lost.low, most),
        _place(lost.high - lost.low, most),
        f"{take.name}: {said}",
    )


def _told(parts: Mapping[str, float]) -> Iterator[str]:
    yield from (f"{TITLES[part]} {about(dollars)}" for part, dollars in parts.items() if dollars)


def _place(dollars: float, most: float) -> str:
    return f"{100 * dollars / most:.4g}%"
