"""Traps: which of them catch whom. A line a trap, a column an entry, a cell the runs in which it fired."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from supportagentbench.records.board import AgentResults, Estimate, Interval
from supportagentbench.site.data import CaseSheet, ConversationRow, SiteData
from supportagentbench.site.harms import HARMS, HarmKind, harm_of
from supportagentbench.site.page import SitePage, where
from supportagentbench.site.pages.cases import ranked
from supportagentbench.stats.rates import clustered_wilson


class TrapCell(NamedTuple):
    """One trap and one entry."""

    caught: int
    tried: int
    link: str

    @property
    def tint(self) -> str:
        """None, some, or more than half of the runs."""
        return "" if not self.caught else "much" if 2 * self.caught > self.tried else "some"


class TrapLine(NamedTuple):
    """One trap against all entries."""

    family: str
    failure: HarmKind | None
    cases: list[str]
    twins: list[str]
    cells: list[TrapCell | None]
    """In the order of the columns; None: no run of it counts."""
    caught: Estimate | None
    """Over the ranked agents."""
    served: Estimate | None
    """How often the benign twin was served by them."""


class TrapColumn(NamedTuple):
    """One entry's head and foot."""

    entry: AgentResults
    slug: str
    is_ranked: bool
    is_first_off: bool
    """Whether it is the first that stands under the line."""


class KindLine(NamedTuple):
    """One kind of failure over its traps."""

    failure: HarmKind
    traps: int
    caught: int
    tried: int


def pages(data: SiteData) -> Iterator[SitePage]:
    """The heat map of all traps."""
    duty = ranked(data)
    columns = columns_of(data, duty)
    lines = lines_of(data, [column.entry.name for column in columns], duty)
    yield SitePage(
        "traps.html",
        "traps.html",
        {
            "lines": lines,
            "columns": columns,
            "duty": duty,
            "runs": max(entry.runs for entry in data.board.agents),
            "kinds": kinds_of(lines),
        },
    )


def columns_of(data: SiteData, duty: Sequence[str]) -> list[TrapColumn]:
    """The ranked agents by how often traps caught them, then the others likewise; ties as on the board."""
    entries = sorted(
        data.board.agents,
        key=lambda entry: (entry.name not in duty, -found.mean if (found := entry.of("unsafe")) else 1.0),
    )
    first_off = next((entry.name for entry in entries if entry.name not in duty), None)
    return [
        TrapColumn(entry, data.slugs[entry.name], entry.name in duty, entry.name == first_off)
        for entry in entries
    ]


def lines_of(data: SiteData, agents: Sequence[str], duty: Sequence[str]) -> list[TrapLine]:
    """The traps, those that caught most on top."""
    sheets: dict[str, list[CaseSheet]] = defaultdict(list)
    for sheet in data.cases.values():
        if sheet.bucket == "adversarial" and not sheet.twin_of:
            sheets[sheet.family].append(sheet)
    rows: dict[str, list[ConversationRow]] = defaultdict(list)
    for row in data.rows:
        if row.outcome.grade != "none":
            rows[row.case].append(row)
    twins = {sheet.twin_of: name for name, sheet in data.cases.items() if sheet.twin_of}
    found = []
    for family, some in sheets.items():
        cases = [sheet.id for sheet in some]
        paired = [twins[case] for case in cases if case in twins]
        here = [row for case in cases for row in rows[case]]
        found.append(
            TrapLine(
                family,
                harm_of(some[0].label),
                cases,
                paired,
                [_cell([row for row in here if row.agent == agent], data) for agent in agents],
                _rate("unsafe", here, duty, "fired"),
                _rate("served", [row for case in paired for row in rows[case]], duty, "resolved"),
            )
        )
    return sorted(found, key=lambda line: (-line.caught.mean if line.caught else 1.0, line.family))


def _cell(rows: list[ConversationRow], data: SiteData) -> TrapCell | None:
    """What one entry did in one trap; it opens at the first run that fired."""
    if not rows:
        return None
    fired = [row for row in rows if row.outcome.name == "fired"]
    shown = (fired or rows)[0]
    link = where(case=shown.case, a=data.slugs[shown.agent], run=shown.run)
    return TrapCell(len(fired), len(rows), link)


def _rate(metric: str, rows: Iterable[ConversationRow], duty: Sequence[str], outcome: str) -> Estimate | None:
    """How often it ended so, entry by entry; the interval is for entries like these."""
    hits: dict[str, list[bool]] = defaultdict(list)
    for row in rows:
        if row.agent in duty:
            hits[row.agent].append(row.outcome.name == outcome)
    if not hits:
        return None
    k, n = sum(map(sum, hits.values())), sum(map(len, hits.values()))
    rates, weights = (
        [sum(some) / len(some) for some in hits.values()],
        [float(len(some)) for some in hits.values()],
    )
    like = Interval(*clustered_wilson(rates, list(hits), weights))
    return Estimate(metric, k / n, k / n, n, (k / n,), k, new_cases_interval=like)


def kinds_of(lines: Iterable[TrapLine]) -> list[KindLine]:
    """The kinds of failure, each over all of its traps and the ranked agents."""
    found = []
    for failure in HARMS:
        some = [line for line in lines if line.failure is failure]
        rates = [line.caught for line in some if line.caught]
        if some:
            caught = sum(rate.k or 0 for rate in rates)
            found.append(KindLine(failure, len(some), caught, sum(rate.n for rate in rates)))
    return found
