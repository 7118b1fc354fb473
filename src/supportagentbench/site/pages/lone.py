"""Lone: the front page of a site with a single agent, which opens that agent's report."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from supportagentbench.records.board import AgentResults, Board
from supportagentbench.site.data.site_data import SiteData
from supportagentbench.site.pages.page import SitePage
from supportagentbench.site.pages.page_context import Headed, PageContext


@dataclass(frozen=True)
class LoneContext(PageContext):
    """The only agent of a board."""

    TEMPLATES: ClassVar = ("lone.html",)

    agent: AgentResults
    report: str
    """The path of its report."""

    @property
    def headed(self) -> Headed:
        """How the page is called where it is linked."""
        return Headed(f"One agent was tested: {self.agent.name}", f"The report on {self.agent.name}.")


def pages(data: SiteData) -> Iterator[SitePage[LoneContext]]:
    """A page that leads to the report, if there is no further agent to compare with."""
    if agent := lone_agent(data.board):
        report = f"agents/{data.slugs[agent.name]}.html"
        yield SitePage("index.html", "lone.html", LoneContext(agent, report))


def lone_agent(board: Board) -> AgentResults | None:
    """The only agent of a board; None if there are others."""
    return board.agents[0] if len(board.agents) == 1 else None


def board_path(board: Board) -> str:
    """The board's path: it is the front page unless a report is."""
    return "board.html" if lone_agent(board) else "index.html"
