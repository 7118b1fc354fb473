"""Desk: what agents' mistakes would cost at the reader's own desk, with the reader's mix and prices."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from supportagentbench.board.claims import LEVEL
from supportagentbench.board.desk import (
    BENCHMARK,
    PERSON,
    TICKETS,
    AgentMonth,
    AgentOnDesk,
    Mistake,
    SupportDesk,
    cheapest_first,
    comparisons,
    desk_of,
    mistakes_made,
)
from supportagentbench.board.limits import LIMITS
from supportagentbench.board.loss import FREEDOM, GRID, IMAGINED, NEEDLESS, ONE_IN, Gap, Kind, quantiles
from supportagentbench.records.case import Bucket
from supportagentbench.records.vocabulary import TicketMix
from supportagentbench.site.answers.board_answer import limit_words
from supportagentbench.site.answers.desk_answer import (
    GROUPS,
    answer,
    breaks_words,
    counted,
    gap_words,
    share,
    signed,
)
from supportagentbench.site.data.counted import PRICED
from supportagentbench.site.data.links import behind
from supportagentbench.site.data.site_data import SiteData
from supportagentbench.site.pages.page import SitePage
from supportagentbench.site.pages.page_context import PageContext


@dataclass(frozen=True)
class DeskContext(PageContext):
    """What mistakes cost at a desk with the default mix and prices; the script computes others."""

    TEMPLATES: ClassVar = ("desk.html",)

    slugs: dict[str, str]
    groups: dict[str, list[Kind]]
    """The kinds of tickets, by group."""
    mix: dict[str, float]
    """The share of each kind, in percent."""
    mistakes: list[Mistake]
    presets: list[TicketMix]
    some_cost: bool
    """Whether the cost of any agent's calls is known."""
    unpriced: list[str]
    """Ranked agents whose calls have no known cost."""
    rows: list[AgentMonth]
    answer: list[str]
    shares: dict[str, float]
    """The share of each group of tickets in the mix."""
    benchmark: dict[str, float]
    """The same in the benchmark."""
    made: Counter[tuple[str, str]]
    """By agent and mistake, the conversations in which it was made."""
    script: dict[str, Any]
    """What the page's script needs."""
    tickets: ClassVar = TICKETS
    person: ClassVar = PERSON
    one_in: ClassVar = ONE_IN
    level: ClassVar = LEVEL
    limits: ClassVar = limit_words(LIMITS)
    signed: ClassVar = staticmethod(signed)
    counted: ClassVar = staticmethod(counted)

    @property
    def reference(self) -> str:
        """The agent that the others are compared with."""
        return cheapest_first(self.rows, within_first=True)[0].agent.results.name

    @property
    def tables(self) -> dict[str, list[AgentMonth]]:
        """The ranked agents, and below them the unranked ones."""
        return {
            "ranked": [row for row in self.rows if row.agent.is_ranked],
            "others": [row for row in self.rows if not row.agent.is_ranked],
        }

    @property
    def most(self) -> float:
        """The right end of the axis."""
        return (
            max((row.loss.high for row in self.rows if row.loss and row.agent.is_ranked), default=0.0) or 1.0
        )

    def gap_words(self, found: Gap | None) -> str:
        """A difference as text, corrected for all comparisons on the page."""
        return gap_words(found, comparisons(self.rows))

    def breaks(self, agent: AgentOnDesk) -> str:
        """The limits that an agent breaks, as text."""
        return breaks_words(agent)

    def behind(self, mistake: str, slug: str) -> str:
        """The conversations in which a mistake was counted."""
        return behind(f"{PRICED}{mistake}", slug)


def pages(data: SiteData) -> Iterator[SitePage[DeskContext]]:
    """The one page."""
    if desk := desk_of(data.board, data.runs):
        yield SitePage("desk.html", "desk.html", _context(desk, data))


def _context(desk: SupportDesk, data: SiteData) -> DeskContext:
    settings = desk.settings()
    rows = desk.cost_at(settings)
    buckets: list[Bucket] = list(dict.fromkeys(kind.bucket for kind in desk.kinds))
    return DeskContext(
        slugs=data.slugs,
        groups={GROUPS[bucket]: [kind for kind in desk.kinds if kind.bucket == bucket] for bucket in buckets},
        mix=dict(settings.mix),
        mistakes=desk.mistakes,
        presets=desk.presets,
        some_cost=any(agent.cost is not None for agent in desk.agents),
        unpriced=[one.results.name for one in desk.agents if one.cost is None and one.is_ranked],
        rows=rows,
        answer=answer(rows, desk, settings),
        shares={GROUPS[bucket]: share(desk.kinds, settings.mix, bucket) for bucket in buckets},
        benchmark={GROUPS[bucket]: share(desk.kinds, desk.mix_of(BENCHMARK), bucket) for bucket in buckets},
        made=Counter((agent, mistake) for mistake, agent, _ in mistakes_made(data.runs)),
        script=_script(desk, data.slugs),
    )


def _script(desk: SupportDesk, slugs: dict[str, str]) -> dict[str, Any]:
    """What the page's script needs to do the same arithmetic for another desk."""
    settings = desk.settings()
    return {
        "kinds": [
            {
                "name": kind.name,
                "mistakes": kind.mistakes,
                "group": GROUPS[kind.bucket],
                "abuse": kind.is_abuse,
            }
            for kind in desk.kinds
        ],
        "cases": [one.kind for one in desk.agents[0].trials],
        "agents": [
            {
                "slug": slugs[one.results.name],
                "name": one.results.name,
                "ranked": one.is_ranked,
                "breaks": breaks_words(one),
                "cost": one.cost,
                "runs": [trial.runs for trial in one.trials],
                "hits": [trial.mistakes for trial in one.trials],
                "handed": [trial.handed_over for trial in one.trials],
            }
            for one in desk.agents
        ],
        "imagined": IMAGINED,
        "freedom": FREEDOM,
        "grid": GRID,
        "level": LEVEL,
        "oneIn": ONE_IN,
        "double": quantiles(),
        "single": quantiles(1 / ONE_IN),
        "needless": NEEDLESS,
        "order": [preset.name for preset in desk.presets],
        "presets": {preset.name: desk.mix_of(preset) for preset in desk.presets},
        "prices": settings.prices,
        "titles": {one.name: one.title for one in desk.mistakes},
        "tickets": TICKETS,
        "person": PERSON,
    }
