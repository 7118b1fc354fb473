"""Traps: one row per trap, one column per agent, and in each cell the runs with an unsafe action."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from supportagentbench.records.board import AgentResults, Estimate, Interval
from supportagentbench.records.vocabulary import Harm
from supportagentbench.site.charts.level_line import LevelLine, level_lines
from supportagentbench.site.data.links import behind
from supportagentbench.site.data.site_data import CaseSheet, ConversationRow, SiteData
from supportagentbench.site.naming import opened
from supportagentbench.site.pages.cases import ranked_names
from supportagentbench.site.pages.page import SitePage
from supportagentbench.site.pages.page_context import PageContext
from supportagentbench.stats.rates import like_these


class TrapCell(NamedTuple):
    """One trap and one agent."""

    unsafe: int
    tried: int
    link: str

    @property
    def tint(self) -> str:
        """None, some, or more than half of the runs."""
        return "" if not self.unsafe else "much" if 2 * self.unsafe > self.tried else "some"


class TrapLine(NamedTuple):
    """One trap and all agents."""

    family: str
    case_type: str
    harm: Harm | None
    cases: list[str]
    twins: list[str]
    cells: list[TrapCell | None]
    """In the order of the columns; None: no run counts."""
    unsafe: Estimate | None
    """Over the ranked agents."""
    twin_resolved: Estimate | None
    """How often the ranked agents resolved the honest twin."""


class TrapColumn(NamedTuple):
    """One agent's head and foot."""

    agent: AgentResults
    slug: str
    is_ranked: bool
    is_first_off: bool
    """Whether it is the first that is not ranked."""


class KindLine(NamedTuple):
    """One kind of harm over its traps."""

    harm: Harm
    traps: int
    unsafe: int
    tried: int


@dataclass(frozen=True)
class TrapsContext(PageContext):
    """The table of traps and agents."""

    TEMPLATES: ClassVar = ("traps.html",)

    lines: list[TrapLine]
    columns: list[TrapColumn]
    ranked: list[str]
    """The agents that shares are taken over."""
    levels: list[LevelLine]
    kinds: list[KindLine]
    """The traps by kind of harm."""

    @property
    def traps(self) -> int:
        """The number of traps."""
        return sum(len(line.cases) for line in self.lines)

    @property
    def in_a_cell(self) -> int:
        """The most conversations behind one cell."""
        return max((cell.tried for line in self.lines for cell in line.cells if cell), default=0)


def pages(data: SiteData) -> Iterator[SitePage[TrapsContext]]:
    """The table of all traps."""
    ranked = ranked_names(data.board)
    columns = columns_of(data, ranked)
    lines = lines_of(data, [column.agent.name for column in columns], ranked)
    yield SitePage(
        "traps.html",
        "traps.html",
        TrapsContext(
            lines=lines,
            columns=columns,
            ranked=ranked,
            levels=level_lines([one.agent for one in columns], data.slugs),
            kinds=kinds_of(lines, data.vocabulary.harms),
        ),
    )


def columns_of(data: SiteData, ranked: Sequence[str]) -> list[TrapColumn]:
    """The ranked agents by how often traps caught them, then the others; ties are in board order."""
    agents = sorted(
        data.board.agents,
        key=lambda agent: (agent.name not in ranked, -found.value if (found := agent.of("unsafe")) else 1.0),
    )
    first_off = next((agent.name for agent in agents if agent.name not in ranked), None)
    return [
        TrapColumn(agent, data.slugs[agent.name], agent.name in ranked, agent.name == first_off)
        for agent in agents
    ]


def lines_of(data: SiteData, agents: Sequence[str], ranked: Sequence[str]) -> list[TrapLine]:
    """The traps, those with the most unsafe actions first."""
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
                some[0].case_type,
                some[0].harm,
                cases,
                paired,
                [_cell([row for row in here if row.agent == agent], family, data) for agent in agents],
                _rate("unsafe", here, ranked, "unsafe"),
                _rate("resolution", [row for case in paired for row in rows[case]], ranked, "resolved"),
            )
        )
    return sorted(found, key=lambda line: (-line.unsafe.value if line.unsafe else 1.0, line.family))


def _cell(rows: list[ConversationRow], family: str, data: SiteData) -> TrapCell | None:
    """What one agent did in one trap; it lists the runs with an unsafe action, and opens the first."""
    if not rows:
        return None
    unsafe = [row for row in rows if row.outcome.name == "unsafe"]
    slug = data.slugs[rows[0].agent]
    first = {"case": unsafe[0].case, "a": slug, "run": unsafe[0].run} if unsafe else {}
    return TrapCell(len(unsafe), len(rows), behind("unsafe", slug, trap=family) + opened(**first))


def _rate(
    metric: str, rows: Iterable[ConversationRow], ranked: Sequence[str], outcome: str
) -> Estimate | None:
    """How often it ended this way, agent by agent; the interval is for other agents like these."""
    hits: dict[str, list[bool]] = defaultdict(list)
    for row in rows:
        if row.agent in ranked:
            hits[row.agent].append(row.outcome.name == outcome)
    if not hits:
        return None
    found, tried = [sum(some) for some in hits.values()], [len(some) for some in hits.values()]
    k, n = sum(found), sum(tried)
    like = Interval(*like_these(found, tried, list(hits)))
    return Estimate(metric, k / n, k / n, n, (k / n,), k, new_cases_interval=like)


def kinds_of(lines: Iterable[TrapLine], harms: Iterable[Harm]) -> list[KindLine]:
    """The kinds of failure, each over all of its traps and the ranked agents."""
    found = []
    for harm in harms:
        some = [line for line in lines if line.harm == harm]
        rates = [line.unsafe for line in some if line.unsafe]
        if some:
            unsafe = sum(rate.k or 0 for rate in rates)
            traps = sum(len(line.cases) for line in some)
            found.append(KindLine(harm, traps, unsafe, sum(rate.n for rate in rates)))
    return found
