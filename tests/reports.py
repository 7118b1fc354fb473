"""Reports in tests: real talks of every reference agent, and planted agents that claims tell apart."""

import asyncio
import atexit
from functools import cache
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp

from msgspec.structs import replace

from conversations import CASES, WORLD
from fronts import days_of, flock, rows_of, sheets_of, slugs_of
from supportagentbench.agents import find_agent
from supportagentbench.agents.baselines import REFERENCE
from supportagentbench.board.standings import make_board
from supportagentbench.customer.voice import ScriptedVoice
from supportagentbench.runner.run import header_of, run_agent
from supportagentbench.site.build import frame
from supportagentbench.site.dossier import Dossier
from supportagentbench.site.material import Material, gather
from supportagentbench.site.page import render
from supportagentbench.site.report import pages
from supportagentbench.site.shard import keep_in


@cache
def reference_folder() -> Path:
    """Where the runs, and the conversations kept for readers, lie."""
    folder = Path(mkdtemp())
    atexit.register(rmtree, folder, True)
    for agent in REFERENCE:
        for run in (1, 2):
            asyncio.run(_held(folder / "runs", agent, run))
    return folder


async def _held(root: Path, agent: str, run: int) -> None:
    whole = header_of(CASES, "all", agent, ScriptedVoice(), run, 0)
    chosen = tuple(case for case in whole.cases if case.endswith(("-1", "-1-twin")))
    await run_agent(
        CASES, replace(whole, cases=chosen), find_agent(agent, WORLD), ScriptedVoice(), root, at_once=4
    )


@cache
def reference_material() -> Material:
    """All reference agents, twice, over every trap, its twin, and a case of every other family."""
    folder = reference_folder()
    return gather([folder / "runs"], keep_in(folder / "kept"))


@cache
def flock_material() -> Material:
    """Planted agents: some that claims tell apart, one under the line, one of unknown cost."""
    runs = flock()
    board = make_board(runs)
    return Material(
        board=board,
        runs=runs,
        rows=rows_of(runs),
        cases=sheets_of(runs),
        excerpts=[],
        slugs=slugs_of(board),
        kept="all",
        days=days_of(board),
    )


def dossier_of(material: Material, agent: str) -> Dossier:
    return Dossier(material, next(one for one in material.board.entries if one.agent == agent))


def rendered(material: Material, **options: object) -> dict[str, str]:
    """Every report as text, by its path."""
    made = list(pages(material, **options))  # type: ignore[arg-type]
    return {page.path: render(page, frame(material, made)) for page in made}
