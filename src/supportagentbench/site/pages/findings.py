"""Findings: what the conversations taught, each with its test, and which handover mistakes agents made."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from supportagentbench.records.claim import Claim
from supportagentbench.site.answers.insight import Insight
from supportagentbench.site.answers.insights import insights
from supportagentbench.site.charts.diverging_bars import DivergingBars, diverging_bars
from supportagentbench.site.data.conversation_fact import facts_of
from supportagentbench.site.data.site_data import SiteData
from supportagentbench.site.pages.page import SitePage
from supportagentbench.site.pages.page_context import Headed, PageContext

PATH = "findings.html"


@dataclass(frozen=True)
class FindingsContext(PageContext):
    """The long form of what the board says in a sentence each."""

    TEMPLATES: ClassVar = ("findings.html",)

    taught: Sequence[Insight]
    """The findings, the most telling first."""
    bars: DivergingBars | None
    """Missed escalations and needless handovers; None: no agent has both figures."""

    @property
    def headed(self) -> Headed:
        return Headed("What we learned from the conversations", "Each finding with its numbers and its test.")

    @property
    def claims(self) -> tuple[Claim, ...]:
        return tuple(one.claim for one in self.taught if one.claim)


def pages(data: SiteData) -> Iterator[SitePage[FindingsContext]]:
    """The one page."""
    bars = diverging_bars(data.board, data.slugs, data.recommendation.limits)
    yield SitePage(PATH, "findings.html", FindingsContext(insights(facts_of(data)), bars))
