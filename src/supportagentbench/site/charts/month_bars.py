"""Month bars: what each agent's month is spent on, in parts side by side, and the likely range of the sum."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from supportagentbench.board.desk import PARTS, AgentMonth
from supportagentbench.board.recommendation import BoardRecommendation
from supportagentbench.board.recommendation_words import about
from supportagentbench.site.answers.board_answer import AgentTake, take_of
from supportagentbench.site.charts.break_even import thousands, ticks

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


class MonthBars(NamedTuple):
    """The rows, in the order of the recommendation, and their axis."""

    bars: tuple[MonthBar, ...]
    axis: tuple[tuple[str, str], ...]
    """Places and their dollars."""
    titles: Mapping[str, str] = TITLES


def month_bars(
    found: BoardRecommendation, months: Sequence[AgentMonth], slugs: Mapping[str, str]
) -> MonthBars:
    """The contenders; where there is none, every agent."""
    by_name = {month.agent.results.name: month for month in months}
    takes = [take_of(one, slugs[one.agent.name]) for one in found.contenders or found.agents]
    reach = [lost.high for one in takes if (lost := by_name[one.name].loss)]
    most = max([1.0, *reach])
    axis = tuple((_place(dollars, most), thousands(dollars)) for dollars in ticks(most))
    return MonthBars(tuple(_bar(one, by_name[one.name], most) for one in takes), axis)


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
