"""Reports in tests: real talks of every reference agent, and planted agents that claims tell apart."""

import asyncio
from functools import cache
from pathlib import Path

from msgspec.structs import replace

from board_pages import data_of, flock
from boards import played
from recorded import made_once
from site_data import drop
from supportagentbench.agents.shipped import REFERENCE
from supportagentbench.records.board import Estimate, Interval
from supportagentbench.site.build import frame
from supportagentbench.site.data.agent_stats import AgentStats
from supportagentbench.site.data.bundle import keep_in
from supportagentbench.site.data.quote import Said, in_bundles
from supportagentbench.site.data.site_data import SiteData, gather
from supportagentbench.site.pages.page import render
from supportagentbench.site.pages.report import pages


def reference_folder() -> Path:
    """Where the runs, and the conversations kept for readers, lie."""
    return made_once("reference", _play_all)


def _play_all(folder: Path) -> None:
    for agent in REFERENCE:
        for run in (1, 2):
            asyncio.run(played(folder / "runs", agent, run, ("-1", "-1-twin")))
    gather([folder / "runs"], keep_in(folder / "kept"))


@cache
def reference_data() -> SiteData:
    """All reference agents, twice, over every trap, its twin, and a case of every other family."""
    return gather([reference_folder() / "runs"], drop)


@cache
def flock_data() -> SiteData:
    """Planted agents: some that claims tell apart, one under the line, one of unknown cost."""
    return data_of(flock())


def agent_stats_of(data: SiteData, agent: str, said: Said | None = None) -> AgentStats:
    """An agent's figures, by its name in the runs or on pages."""
    found = next(one for one in data.board.agents if one.name.casefold() == agent.casefold())
    return AgentStats(data, found, said)


def kept_said() -> Said:
    """Every message of the reference agents."""
    return in_bundles(reference_folder() / "kept")


def share(k: int, n: int, low: float = 0.0, high: float = 1.0) -> Estimate:
    """A figure that was counted k times in n, with this interval."""
    return Estimate("escalation", k / n, k / n, n, (k / n,), k, Interval(low, high), Interval(low, high))


def with_estimates(*estimates: Estimate) -> AgentStats:
    """The first agent as if these were all its figures."""
    data = flock_data()
    return AgentStats(data, replace(data.board.agents[0], estimates=estimates, stability=()))


def rendered(data: SiteData, **options: object) -> dict[str, str]:
    """Every report as text, by its path."""
    made = list(pages(data, **options))  # type: ignore[arg-type]
    return {page.path: render(page, frame(data, made)) for page in made}
