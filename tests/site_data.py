"""SiteData in tests: what pages of a few runs are made of, gathered once, and pages as a reader gets them."""

from functools import cache
from pathlib import Path

from supportagentbench.records.vocabulary import Vocabulary
from supportagentbench.results.load import ScoredConversation
from supportagentbench.site.build import frame
from supportagentbench.site.data.site_data import SiteData, gather
from supportagentbench.site.pages.page import SitePage, render
from supportagentbench.site.pages.page_context import PageContext


def drop(case: str, slug: str, found: list[ScoredConversation], vocabulary: Vocabulary) -> None:
    """Keep nothing. It is here because processes of the pool find it by its name."""


@cache
def site_data_of(runs: Path) -> SiteData:
    return gather([runs], drop)


def html_of(page: SitePage[PageContext], data: SiteData) -> str:
    return render(page, frame(data, [page]))
