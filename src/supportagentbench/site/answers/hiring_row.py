"""Hiring row: an agent in one row: its verdict, what it costs a month and for what, its traps, its fault."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import floor, log10
from typing import NamedTuple

from supportagentbench.board.choice import settings_of
from supportagentbench.board.desk import PARTS, AgentMonth
from supportagentbench.board.recommendation import Decision, Recommendation
from supportagentbench.board.recommendation_words import DECISIONS, about, row_words
from supportagentbench.site.answers.diagnosis import diagnosis
from supportagentbench.site.data.links import behind
from supportagentbench.site.data.site_data import CaseSheet, ConversationRow, SiteData

PART_TITLES = {
    "fees": "model fees",
    "unsolved": "left unsolved",
    "needless": "needless handovers",
    "missed": "missed escalations",
    "given": "given away",
}
"""What a month is spent on, as the chart names it."""


class TrapMark(NamedTuple):
    """One trap conversation: whether it worked, and what a pointer shows."""

    worked: bool
    words: str = ""


class HiringRow(NamedTuple):
    """One contender."""

    name: str
    slug: str
    decision: Decision
    decided: str
    fault: str
    total: float | None
    """Dollars per month; None: not known."""
    low: float
    high: float
    parts: Mapping[str, float]
    """Dollars by part."""
    traps: tuple[tuple[TrapMark, ...], ...]
    """The runs of each trap, in one order for all agents."""
    worked: int
    of: int
    link: str
    """The conversations in which a trap worked."""

    @property
    def words(self) -> str:
        """The bar for readers who do not see it."""
        if self.total is None:
            return "What it costs is not known"
        spent = ", ".join(
            f"{PART_TITLES[part]} {about(self.parts[part])}" for part in PARTS if self.parts[part] >= 1
        )
        return f"{about(self.total)} per month, likely {about(self.low)} to {about(self.high)}: {spent}"

    @property
    def longest(self) -> str:
        """The part that is the largest."""
        return max(self.parts, key=lambda part: self.parts[part], default="")


class HiringChart(NamedTuple):
    """All rows on one axis."""

    rows: tuple[HiringRow, ...]
    most: float
    """Dollars at the right end of the axis."""
    ticks: tuple[float, ...]

    @property
    def titles(self) -> Mapping[str, str]:
        """The parts that any bar has."""
        shown = {part for row in self.rows for part in row.parts if row.parts[part] > 0}
        return {part: title for part, title in PART_TITLES.items() if part in shown}

    @property
    def named(self) -> dict[str, str]:
        """By part, the agent in whose bar its name is written: that with the longest such part."""
        longest = {
            part: max(self.rows, key=lambda row: row.parts.get(part, 0.0), default=None) for part in self.titles
        }
        return {part: row.slug for part, row in longest.items() if row and self.fits(row, part)}

    def fits(self, row: HiringRow, part: str) -> bool:
        """Whether the name of a part fits into a bar."""
        return self.share(row.parts[part]) > ROOM * len(PART_TITLES[part])

    def share(self, dollars: float) -> float:
        """A place on the axis, in percent."""
        return 100 * min(max(dollars / self.most, 0.0), 1.0)


ROOM = 1.45
"""Percent of the axis that a letter needs."""


def hiring_chart(data: SiteData) -> HiringChart:
    """The contenders in the order of the recommendation."""
    months: dict[str, AgentMonth] = {}
    if data.desk:
        settings = settings_of(data.desk, data.choice)
        months = {one.results.name: data.desk.month_of(one, settings) for one in data.desk.agents}
    names = [one.agent.name for one in data.recommendation.contenders]
    traps = trap_marks(data.rows, data.cases, names)
    rows = tuple(
        _row(one, months.get(one.agent.name), traps.get(one.agent.name, ()), data)
        for one in data.recommendation.contenders
    )
    most, step = axis_of(max((row.high for row in rows), default=0.0))
    return HiringChart(rows, most, tuple(step * number for number in range(int(most / step) + 1)))


def _row(
    one: Recommendation,
    month: AgentMonth | None,
    traps: tuple[tuple[TrapMark, ...], ...],
    data: SiteData,
) -> HiringRow:
    slug, lost = data.slugs[one.agent.name], month.loss if month else None
    marks = [mark for runs in traps for mark in runs]
    return HiringRow(
        name=one.agent.name,
        slug=slug,
        decision=one.decision,
        decided=DECISIONS[one.decision],
        fault=row_words(one, diagnosis(data, one.agent.name)),
        total=lost.value if lost else None,
        low=lost.low if lost else 0.0,
        high=lost.high if lost else 0.0,
        parts=month.parts if month and lost else {},
        traps=traps,
        worked=sum(mark.worked for mark in marks),
        of=len(marks),
        link=behind("unsafe", slug),
    )


def trap_marks(
    rows: Iterable[ConversationRow], cases: Mapping[str, CaseSheet], agents: Sequence[str]
) -> dict[str, tuple[tuple[TrapMark, ...], ...]]:
    """By agent, the runs of each trap; traps that worked on many come first, for all agents alike."""
    found: dict[str, dict[str, list[TrapMark]]] = defaultdict(lambda: defaultdict(list))
    worked: Counter[str] = Counter()
    for row in _trap_rows(rows, cases, agents):
        is_unsafe = row.outcome.name == "unsafe"
        worked[row.case] += is_unsafe
        at = f": gave in at message {row.unsafe_turn}" if row.unsafe_turn else ""
        words = f"{cases[row.case].case_type}, run {row.run}{at}" if is_unsafe else ""
        found[row.agent][row.case].append(TrapMark(is_unsafe, words))
    order = sorted({case for marks in found.values() for case in marks}, key=lambda one: (-worked[one], one))
    return {agent: tuple(tuple(marks[case]) for case in order if case in marks) for agent, marks in found.items()}


def _trap_rows(
    rows: Iterable[ConversationRow], cases: Mapping[str, CaseSheet], agents: Sequence[str]
) -> Iterator[ConversationRow]:
    """The conversations that the figure on traps counts."""
    for row in rows:
        sheet = cases[row.case]
        if row.agent in agents and sheet.bucket == "adversarial" and not sheet.twin_of:
            if row.outcome.name not in ("outside", "undecided"):
                yield row


def axis_of(reach: float) -> tuple[float, float]:
    """The right end of an axis that has room for a value, and a round step with at most four ticks."""
    if reach <= 0:
        return 1.0, 1.0
    power = 10.0 ** floor(log10(reach))
    step = next(size * power for size in (0.25, 0.5, 1, 2, 5) if reach / (size * power) <= 4)
    return reach, step
