"""Own: how readers test their agents, for those who arrive with an agent and a minute."""

from collections.abc import Iterator
from dataclasses import dataclass
from shlex import quote
from typing import ClassVar

from supportagentbench.records.board import AgentResults
from supportagentbench.site.data.site_data import SiteData
from supportagentbench.site.number import money
from supportagentbench.site.pages.page import SitePage
from supportagentbench.site.pages.page_context import Headed, PageContext

PATH = "own.html"


@dataclass(frozen=True)
class OwnContext(PageContext):
    """The commands that test an agent at the shop of these pages."""

    TEMPLATES: ClassVar = ("own.html",)

    shop: str
    """The shop's name."""
    world: str
    """The option that chooses the shop."""
    tickets: int
    """How many tickets a run has."""
    twins: int
    """How many honest twins of traps it has besides."""
    spent: tuple[str, ...]
    """What one run cost the agents of this board, from the least to the most; empty if unknown."""
    at_invented: bool = False
    """Whether these are invented prices, because no agent is real."""

    @property
    def headed(self) -> Headed:
        return Headed(
            "Test your own agent in four commands",
            "Your Python code or a model, at the same desk with the same customers; you get these pages.",
        )


def pages(data: SiteData) -> Iterator[SitePage[OwnContext]]:
    """The one page."""
    header = data.headers[0]
    shop = data.vocabulary.shop or header.world.capitalize()
    tickets, conversations = len(data.core_cases), len(data.cases)
    context = OwnContext(
        shop,
        f"--world {quote(header.world)}",
        tickets,
        conversations - tickets,
        _spent(data, conversations),
        data.is_example,
    )
    yield SitePage(PATH, "own.html", context)


def _priced(data: SiteData) -> list[AgentResults]:
    """The agents whose prices say something: the real ones, or all of them if none is."""
    agents = [agent for agent in data.board.agents if not agent.is_dummy]
    return [agent for agent in agents if agent.name not in data.invented] or agents


def _spent(data: SiteData, conversations: int) -> tuple[str, ...]:
    """The least and the most that a run of this many conversations cost in model fees."""
    known = (agent.of("cost") for agent in _priced(data))
    dollars = [cost.value * conversations / 1000 for cost in known if cost and cost.value]
    return tuple(dict.fromkeys(map(money, (min(dollars), max(dollars))))) if dollars else ()
