"""Compare: any two agents. The differences and tests of every pair are worked out at build time."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from supportagentbench.board.claims import LEVEL
from supportagentbench.records.board import Board
from supportagentbench.records.record import Record, to_json
from supportagentbench.site import number
from supportagentbench.site.answers.checked_month import checked_words
from supportagentbench.site.answers.pair_view import (
    SHELVES,
    ComparedMetric,
    PairView,
    ShownGap,
    ShownValue,
    compared_metrics,
    pair_view,
    shown_gap,
    values_of,
)
from supportagentbench.site.data.bundle import as_script
from supportagentbench.site.data.comparisons import Comparisons
from supportagentbench.site.data.site_data import SiteData
from supportagentbench.site.pages.page import SitePage
from supportagentbench.site.pages.page_context import Headed, PageContext

CALL = "SAB.pairs("


class ComparedWith(Record):
    """An agent compared with one after it on the board."""

    gaps: dict[str, ShownGap]
    claims: tuple[str, ...] = ()
    """The board's claims about the two, corrected for all pairs."""


class Pairs(Record):
    """One agent, compared with every agent after it."""

    id: str
    values: dict[str, ShownValue]
    pairs: dict[str, ComparedWith]
    claims: tuple[str, ...] = ()
    """The board's claims about its runs."""


@dataclass(frozen=True)
class CompareContext(PageContext):
    """The page for any two agents."""

    TEMPLATES: ClassVar = ("compare.html",)

    pair: PairView | None
    """The agent to use and its nearest rival, or else the two nearest to use; None: there is one agent."""
    metrics: list[ComparedMetric]
    """Every metric shown."""
    level: str
    """The level of the tests, printed."""
    checked: dict[str, str]
    """By an agent's name in links, what it would cost with checks that would bring it within the limits."""
    shelves: ClassVar = SHELVES

    def parted(self, words: str) -> list[str]:
        """A sentence in parts, every other one the name of an agent, which stays on one line."""
        names = sorted((one.name for one in self.pair.agents), key=len, reverse=True) if self.pair else []
        return re.split(f"({'|'.join(map(re.escape, names))})", words) if names else [words]

    @property
    def headed(self) -> Headed:
        return Headed(self.pair.title, self.pair.answer) if self.pair else Headed("Compare two agents")

    @property
    def told(self) -> list[dict[str, object]]:
        """The metrics for the page's script."""
        return [{name: getattr(one, name) for name in one.__struct_fields__} for one in self.metrics]


def pages(data: SiteData, comparisons: Comparisons) -> Iterator[SitePage[CompareContext]]:
    """The page for any two agents; the address says which."""
    nearest = [one.agent.name for one in data.recommendation.agents if one.agent.name in data.slugs][:2]
    yield SitePage(
        "compare.html",
        "compare.html",
        CompareContext(
            pair=pair_view(data, comparisons, *nearest) if len(nearest) == 2 else None,
            metrics=compared_metrics(data.board, comparisons.tables),
            level=number.percent(LEVEL, 1),
            checked={
                data.slugs[one.agent.name]: words
                for one in data.recommendation.agents
                if one.agent.name in data.slugs and (words := checked_words(data, one.agent.name))
            },
        ),
    )


def files(data: SiteData, comparisons: Comparisons) -> Iterator[tuple[str, bytes]]:
    """One file per agent: its values, and its differences from every agent after it in the board's order."""
    places = {case: place for place, case in enumerate(data.cases)}
    for place, agent in enumerate(data.board.agents):
        content = Pairs(
            id=data.slugs[agent.name],
            values=dict(values_of(agent, data.slugs[agent.name], data.board)),
            pairs={
                data.slugs[other.name]: ComparedWith(
                    {
                        gap.metric: shown_gap(gap, places)
                        for gap in comparisons.all_pairs[agent.name, other.name]
                    },
                    _claims_about(data.board, agent.name, other.name),
                )
                for other in data.board.agents[place + 1 :]
            },
            claims=tuple(
                claim.sentence
                for claim in data.board.claims
                if claim.holds and claim.kind == "unstable" and claim.subject == agent.name
            ),
        )
        yield f"data/pairs/{data.slugs[agent.name]}.js", as_script(CALL, to_json(content))


def _claims_about(board: Board, first: str, second: str) -> tuple[str, ...]:
    return tuple(
        claim.sentence
        for claim in board.claims
        if claim.holds and {claim.subject, claim.other} == {first, second}
    )
