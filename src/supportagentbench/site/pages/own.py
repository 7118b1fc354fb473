"""Own: how to test an agent of one's own, on one page, for whoever arrives with a question and a link."""

from collections.abc import Iterator
from typing import ClassVar

from supportagentbench.site.data.site_data import SiteData
from supportagentbench.site.pages.page import SitePage
from supportagentbench.site.pages.page_context import Headed, PageContext

PATH = "own.html"


class OwnContext(PageContext):
    """The commands that test an agent; it has no figures."""

    TEMPLATES: ClassVar = ("own.html",)

    @property
    def headed(self) -> Headed:
        return Headed("Test your own agent", "Three commands: install, run your agent, open the pages.")


def pages(data: SiteData) -> Iterator[SitePage[OwnContext]]:
    """The one page."""
    yield SitePage(PATH, "own.html", OwnContext())
