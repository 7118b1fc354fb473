"""Heat map: one line per trap, one column per agent, and in each cell how often the trap worked."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from supportagentbench.board.recommendation_words import in_words
from supportagentbench.records.vocabulary import Harm
from supportagentbench.site.data.links import behind
from supportagentbench.site.data.site_data import CaseSheet, ConversationRow
from supportagentbench.site.naming import opened, where

FEW_AGENTS = 12
"""Up to here every agent has a column; beyond, only those that a trap worked on."""

HORIZONTAL, ANGLED = 8, 24
"""The most columns with room for horizontal names, and for angled ones."""

LONGEST_ANGLED = 24
"""Characters of a name that can be angled."""

MOST_SQUARES, MOST_DRAWN = 5, 600
"""The most conversations that are drawn as squares: in one cell, and in the whole map."""

FEW_TRAPS = 30
"""Up to here every trap has a line; beyond, those that worked nowhere are only named."""


class HeatCell(NamedTuple):
    """One trap and one agent; it opens the conversations in which it worked, or if none, all of them."""

    agent: str
    worked: int
    tried: int
    link: str
    runs: tuple[bool, ...]
    """Its conversations in their order: whether it worked."""


class HeatColumn(NamedTuple):
    """One agent over all traps."""

    agent: str
    slug: str
    worked: int
    tried: int

    @property
    def link(self) -> str:
        return behind("unsafe", self.slug)


class HeatLine(NamedTuple):
    """One trap over the agents of the map."""

    family: str
    title: str
    harm: Harm | None
    cases: tuple[str, ...]
    cells: tuple[HeatCell | None, ...]
    """One per column; None: no conversation counts."""
    worked: int
    tried: int
    link: str
    """Empty: no address lists these conversations."""

    @property
    def caught(self) -> list[HeatCell]:
        """The cells in which it worked, the most first."""
        return sorted((one for one in self.cells if one and one.worked), key=lambda one: -one.worked)


class HeatMap(NamedTuple):
    """All traps and some agents."""

    lines: list[HeatLine]
    """Those that worked most come first."""
    columns: list[HeatColumn]
    clean: list[HeatColumn]
    """Agents without a column, because no trap worked on them."""

    @property
    def agents(self) -> int:
        return len(self.columns) + len(self.clean)

    @property
    def shown(self) -> list[HeatLine]:
        """The lines that are drawn."""
        return self.lines if len(self.lines) <= FEW_TRAPS else [line for line in self.lines if line.worked]

    @property
    def quiet(self) -> list[HeatLine]:
        """The lines that are only named."""
        return self.lines[len(self.shown) :]

    @property
    def worked(self) -> int:
        return sum(line.worked for line in self.lines)

    @property
    def tried(self) -> int:
        return sum(line.tried for line in self.lines)

    @property
    def in_a_cell(self) -> int:
        """The conversations behind each cell; 0: it differs."""
        found = {cell.tried for line in self.lines for cell in line.cells if cell}
        return found.pop() if len(found) == 1 else 0

    @property
    def has_squares(self) -> bool:
        """Whether a cell has a square for each of its conversations; otherwise it has their number."""
        return 0 < self.in_a_cell <= MOST_SQUARES and self.tried <= MOST_DRAWN

    @property
    def look(self) -> str:
        """How the columns are named: across, at an angle, or not at all because there is no room for them."""
        if len(self.columns) <= HORIZONTAL:
            return "few" if len(self.columns) <= HORIZONTAL - 2 else "some"
        longest = max(len(column.agent) for column in self.columns)
        return "many" if len(self.columns) <= ANGLED and longest <= LONGEST_ANGLED else "named"

    @property
    def finding(self) -> str:
        """What the map shows, in a sentence without a full stop."""
        worked = [line.worked for line in self.lines if line.worked]
        if not self.tried:
            return "Whether any trap worked is unknown"
        if not worked:
            return "No trap worked" + (
                f" on any of {in_words(self.agents)} agents" if self.agents > 1 else ""
            )
        half = next(n for n in range(1, len(worked) + 1) if 2 * sum(worked[:n]) >= self.worked)
        if self.agents > 1 and 4 * half <= len(self.lines) and half < len(worked):
            top = "One trap accounts" if half == 1 else f"{in_words(half).capitalize()} traps account"
            return f"{top} for {sum(worked[:half])} of the {self.worked} times that a trap worked"
        traps = (
            f"{in_words(len(worked)).capitalize()} of {in_words(len(self.lines))} traps worked at least once"
        )
        if self.agents == 1:
            return f"{traps} on {self.columns[0].agent}"
        caught = sum(column.worked > 0 for column in self.columns)
        return f"{traps}, on {in_words(caught)} of {in_words(self.agents)} agents"


def heat_map(
    rows: Iterable[ConversationRow],
    sheets: Mapping[str, CaseSheet],
    slugs: Mapping[str, str],
    agents: Sequence[str],
    among: str = "ranked",
) -> HeatMap:
    """The traps and these agents, both by how often traps worked; `among` is their group in the reader."""
    traps: dict[str, list[CaseSheet]] = defaultdict(list)
    for sheet in sheets.values():
        if is_trap(sheet):
            traps[sheet.family].append(sheet)
    found: dict[tuple[str, str], list[ConversationRow]] = defaultdict(list)
    for row in rows:
        if row.agent in agents and row.outcome.grade != "none" and is_trap(sheets[row.case]):
            found[sheets[row.case].family, row.agent].append(row)
    columns = [_column(agent, slugs[agent], [found[trap, agent] for trap in traps]) for agent in agents]
    columns.sort(key=lambda one: -one.worked)
    shown = columns if len(columns) <= FEW_AGENTS else [one for one in columns if one.worked]
    lines = []
    for family, some in traps.items():
        every = [_cell(found[family, one.agent], family, one) for one in columns]
        link = where(among=among, counted="unsafe", trap=family) if among else ""
        worked, tried = (sum(getattr(cell, name) for cell in every if cell) for name in ("worked", "tried"))
        cases = tuple(sheet.id for sheet in some)
        title, harm = some[0].case_type, some[0].harm
        lines.append(HeatLine(family, title, harm, cases, tuple(every[: len(shown)]), worked, tried, link))
    lines.sort(key=lambda line: (-line.worked, line.title))
    return HeatMap(lines, shown, columns[len(shown) :])


def is_trap(sheet: CaseSheet) -> bool:
    """Whether a case is a trap and not the honest twin of one."""
    return sheet.bucket == "adversarial" and not sheet.twin_of


def _column(agent: str, slug: str, cells: Iterable[Sequence[ConversationRow]]) -> HeatColumn:
    rows = [row for cell in cells for row in cell]
    return HeatColumn(agent, slug, sum(row.outcome.name == "unsafe" for row in rows), len(rows))


def _cell(rows: Sequence[ConversationRow], family: str, column: HeatColumn) -> HeatCell | None:
    """What one agent did in one trap; the link opens the first conversation of its list."""
    if not rows:
        return None
    unsafe = [row for row in rows if row.outcome.name == "unsafe"]
    first = (unsafe or rows)[0]
    listed = behind("unsafe", column.slug, "" if unsafe else "no", trap=family)
    return HeatCell(
        column.agent,
        len(unsafe),
        len(rows),
        listed + opened(case=first.case, a=column.slug, run=first.run),
        tuple(row.outcome.name == "unsafe" for row in rows),
    )
