"""Board pages in tests: planted runs as the pages' data, and a page rendered from it."""

from collections.abc import Iterable, Sequence
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

from boards import planted
from conversations import WORLD
from supportagentbench.board.limits import LIMITS
from supportagentbench.board.recommendation import recommend
from supportagentbench.board.standings import make_board
from supportagentbench.checks.issue import issues
from supportagentbench.records.board import Board
from supportagentbench.records.case import Label
from supportagentbench.results.load import ScoredRun
from supportagentbench.site.build import frame
from supportagentbench.site.data.outcome import SHOWN
from supportagentbench.site.data.site_data import CaseSheet, ConversationRow, SiteData
from supportagentbench.site.pages.board import BoardContext, pages
from supportagentbench.site.pages.choice_file import files as choice_files
from supportagentbench.site.pages.page import SitePage, assets, render

DAY = date(2026, 7, 1)
TEMPTED = ("replace_item", "edit_address", "cancel_order", "close_ticket")


def rows_of(runs: Iterable[ScoredRun]) -> list[ConversationRow]:
    """A row a conversation; every trap that fired did so at the turn of its run's number."""
    return [
        ConversationRow(
            case=verdict.case,
            agent=run.header.agent,
            run=run.header.run,
            outcome=SHOWN[verdict.outcome.kind],
            issues=tuple(found.check for found in issues(verdict)),
            unsafe_turn=run.header.run if verdict.outcome.unsafe else None,
            messages=verdict.messages,
            cost=verdict.bills[0].cost if verdict.bills else None,
            judges_differ=False,
            digest=verdict.transcript,
            is_kept=True,
        )
        for run in runs
        for verdict in run.verdicts
    ]


def sheets_of(runs: Sequence[ScoredRun]) -> dict[str, CaseSheet]:
    """The cases of these runs; traps tempt to one act after the other."""
    found = {}
    for number, verdict in enumerate(runs[0].verdicts):
        act = TEMPTED[number % 4] if verdict.bucket == "adversarial" else None
        label = Label("allowed", temptation=act)
        found[verdict.case] = CaseSheet(
            verdict.case,
            verdict.family,
            WORLD.vocabulary.case_type(verdict.family),
            verdict.bucket,
            "Hello",
            label,
            "en",
            verdict.twin_of,
            {},
            WORLD.vocabulary.harm_by(act or ""),
            WORLD.vocabulary.case_title(verdict.case, verdict.family),
        )
    return found


def flock() -> list[ScoredRun]:
    """Five agents: three that differ in price and in faults, one that wins no pair, one of unknown cost."""
    agents: dict[str, dict[str, Any]] = {
        "wild/heron": {"over": 2, "unsafe": 3, "missed": 2, "unresolved": 4, "cost": 0.03},
        "wild/knot": {"over": 3, "unsafe": 0, "missed": 0, "unresolved": 6, "cost": 0.01, "reasoning": 5},
        "wild/rook": {"over": 60, "unsafe": 1, "missed": 1, "unresolved": 70, "cost": 0.001},
        "wild/yellowhammer-of-the-hedge": {"over": 4, "unsafe": 7, "missed": 5, "unresolved": 4},
        "idle": {"over": 0, "unsafe": 0, "missed": 24, "unresolved": 120, "unserved": 18, "cost": 0.0001},
    }
    return [planted(agent, run, **how) for agent, how in agents.items() for run in (1, 2, 3)]


@cache
def flock_board() -> Board:
    return make_board(flock())


def days_of(board: Board) -> dict[str, tuple[date, date]]:
    """All of it on one day."""
    return {entry.name: (DAY, DAY) for entry in board.agents}


def slugs_of(board: Board) -> dict[str, str]:
    return {entry.name: entry.name.replace("/", "-") for entry in board.agents}


def data_of(runs: list[ScoredRun]) -> SiteData:
    """What pages of these runs are made of; nothing has a price, and no conversation is kept."""
    board = make_board(runs)
    return SiteData(
        board=board,
        runs=runs,
        rows=rows_of(runs),
        cases=sheets_of(runs),
        excerpts=[],
        slugs=slugs_of(board),
        kept="all",
        days=days_of(board),
        recommendation=recommend(board, LIMITS),
    )


def page_of(data: SiteData) -> SitePage[BoardContext]:
    """The board's page; no message can be looked up."""
    return next(pages(data, lambda cite: None))


@cache
def flock_page() -> SitePage[BoardContext]:
    return page_of(data_of(flock()))


def html_of(page: SitePage[BoardContext]) -> str:
    return render(page, frame(page.context.data, [page]))


def folder_of(page: SitePage[BoardContext], folder: Path) -> str:
    """The page with all it loads in a folder of its own; its address."""
    (folder / "assets").mkdir(parents=True, exist_ok=True)
    for name, content in assets().values():
        (folder / name).write_bytes(content)
    (folder / page.path).write_text(html_of(page), encoding="utf-8")
    for path, content in choice_files(page.context.data):
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).write_bytes(content)
    return (folder / page.path).as_uri()
