"""Layout boards: pages of boards of any size, from verdicts planted on the real cases of the shop.

No conversation is held, so a board of 40 agents takes seconds. Everything else is as a build does it.
"""

import dataclasses
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from msgspec.structs import replace

from board_pages import days_of, rows_of
from boards import verdict
from conversations import CASES, HEADER, WORLD
from supportagentbench.board.choice import recommended
from supportagentbench.board.desk import desk_of
from supportagentbench.board.standings import make_board
from supportagentbench.records.case import Case
from supportagentbench.records.usage_total import UsageTotal
from supportagentbench.records.verdict import Verdict
from supportagentbench.results.load import ScoredRun
from supportagentbench.site import build
from supportagentbench.site.data.comparisons import Comparisons
from supportagentbench.site.data.site_data import CaseSheet, SiteData, case_order, slugs_of


@dataclass(frozen=True)
class PlantedAgent:
    """How often an agent makes each mistake, as shares of its chances."""

    name: str
    over: float = 0.0
    unsafe: float = 0.0
    missed: float = 0.0
    unresolved: float = 0.0
    cost: float | None = 0.01
    """Dollars per conversation; None is unknown."""


def flock(count: int, name: str = "bird-{}") -> tuple[PlantedAgent, ...]:
    """So many agents that differ in everything; every fifth has no known cost."""
    return tuple(
        PlantedAgent(
            name.format(at + 1),
            over=(7 * at % 40) / 100,
            unsafe=(5 * at % 60) / 100,
            missed=(3 * at % 30) / 100,
            unresolved=(11 * at % 50) / 100,
            cost=None if at % 5 == 4 else 0.0007 * 2 ** (at % 8),
        )
        for at in range(count)
    )


def runs_of(agents: Iterable[PlantedAgent], runs: int = 3) -> list[ScoredRun]:
    return [_run(agent, run) for agent in agents for run in range(1, runs + 1)]


def _run(agent: PlantedAgent, run: int) -> ScoredRun:
    bills = () if agent.cost is None else (UsageTotal("agent", 1, 1, output=9, cost=agent.cost),)
    found = [
        replace(
            _verdict(case, place, agent), run=run, transcript=f"{case.id}/{agent.name}/{run}", bills=bills
        )
        for case, place in _places()
    ]
    header = replace(HEADER, agent=agent.name, run=run, cases=tuple(one.case for one in found))
    return ScoredRun(header, found)


@cache
def _places() -> list[tuple[Case, float]]:
    """Every case with its place in its group, from 0 to nearly 1."""
    groups: dict[str, list[Case]] = defaultdict(list)
    for case in CASES.cases.values():
        groups[_group(case)].append(case)
    return [(case, at / len(group)) for group in groups.values() for at, case in enumerate(group)]


def _verdict(case: Case, place: float, agent: PlantedAgent) -> Verdict:
    """The first cases of each group go wrong, so that shares are met as nearly as they can be."""
    match _group(case):
        case "adversarial":
            unsafe = place < agent.unsafe
            return verdict(case.id, "adversarial", unsafe=unsafe, held=not unsafe, engaged=True)
        case "must_escalate":
            return verdict(case.id, "must_escalate", escalated=place >= agent.missed)
        case _:
            over = place < agent.over
            solved = not over and place < 1 - agent.unresolved
            return verdict(case.id, "resolvable", case.twin_of, over_escalated=over, resolved=solved)


def _group(case: Case) -> str:
    return "twin" if case.twin_of else case.bucket


def site_data(agents: Iterable[PlantedAgent]) -> SiteData:
    """What pages of these agents are made of, without conversations."""
    runs = runs_of(agents)
    board = make_board(runs)
    desk = desk_of(board, runs)
    slugs = slugs_of([entry.name for entry in board.agents])
    return SiteData(
        board=board,
        runs=runs,
        rows=sorted(rows_of(runs), key=lambda row: row.case),
        cases=_sheets(),
        excerpts=[],
        slugs=slugs,
        kept="none",
        days=days_of(board),
        recommendation=recommended(board, desk),
        desk=desk,
    )


def _sheets() -> dict[str, CaseSheet]:
    words = WORLD.vocabulary
    found = [
        CaseSheet(
            id=case.id,
            family=case.family,
            case_type=words.case_type(case.family),
            bucket=case.bucket,
            opening=case.opening,
            label=case.label,
            language="en",
            twin_of=case.twin_of,
            record={},
            harm=words.harm_by(case.label.temptation or ""),
            title=words.case_title(case.id, case.family),
        )
        for case in CASES.cases.values()
    ]
    return {sheet.id: sheet for sheet in sorted(found, key=case_order)}


def written(data: SiteData, folder: Path, wanted: Iterable[str]) -> Mapping[str, Path]:
    """Those pages of a site that are wanted, with the data that they load; `agents/*` is any report."""
    comparisons = Comparisons(data.board, data.runs)
    pages = list(build._pages(data, comparisons, folder, None, None))
    by_path = {page.path: page for page in pages}
    found = {name: _named(name, by_path) for name in wanted}
    chosen = [page for path, page in by_path.items() if path in found.values() or "/" not in path]
    frame = dataclasses.replace(build.frame(data, chosen), pictures={})
    build.write_pages(folder, [by_path[path] for path in found.values()], frame)
    for path, content in build._files(data, comparisons, None, ""):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)
    return {name: folder / path for name, path in found.items()}


def _named(wanted: str, paths: Iterable[str]) -> str:
    """The first page of this name; a star stands for any."""
    return next(path for path in paths if Path(path).match(wanted) and path.endswith(".html"))
