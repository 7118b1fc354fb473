"""Every page that people share has a picture that says what the page says."""

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from site_data import html_of, site_data_of
from supportagentbench.site.build import frame
from supportagentbench.site.data.site_data import SiteData
from supportagentbench.site.pages import lone, report, traps
from supportagentbench.site.pages.page import SitePage
from supportagentbench.site.pages.page_context import Headed, PageContext
from supportagentbench.site.share.share_picture import QUESTION, SharePicture, share_path, titled


@dataclass(frozen=True)
class Called(PageContext):
    """A page with a title."""

    title: str

    @property
    def headed(self) -> Headed:
        return Headed(self.title, "A summary.")


@pytest.fixture
def data(small_runs: Path) -> SiteData:
    return site_data_of(small_runs)


def picture_of(address: str, html: str) -> str:
    found = re.search(rf'<meta property="{address}" content="([^"]*)">', html)
    assert found
    return found[1]


def test_a_page_that_is_shared_is_called_in_its_picture_as_in_links() -> None:
    pages = [
        SitePage(path, "x.html", Called(title)) for path, title in (("desk.html", "Found"), ("a.html", ""))
    ]
    assert titled([*pages, SitePage("index.html", "x.html", Called(""))], "Demo", "Bench") == {
        "desk.html": SharePicture("Found", "A summary.", "Demo", "Bench"),
        "index.html": SharePicture(QUESTION, "A summary.", "Demo", "Bench"),
    }


def test_an_agent_is_shown_with_its_verdict_its_cost_and_every_trap(cast_runs: Path) -> None:
    data = site_data_of(cast_runs)
    shown = frame(data, list(report.pages(data))).pictures
    assert {*shown} == {f"agents/{slug}.html" for slug in data.slugs.values()}
    bills = data.recommendation.desk.bills
    most = max(bill.total.value for bill in bills.values())
    for name, slug in data.slugs.items():
        agent, one = shown[f"agents/{slug}.html"].agent, data.recommendation.of(name)
        unsafe = one.agent.of("unsafe")
        assert agent and unsafe
        assert agent.decision == one.decision
        assert (sum(agent.traps), len(agent.traps)) == (unsafe.k, unsafe.n)
        assert sum(part.share for part in agent.costs) == pytest.approx(bills[name].total.value / most)


def test_a_dummy_has_no_picture_of_its_own(data: SiteData) -> None:
    dummies = {slug for name, slug in data.slugs.items() if data.recommendation.of(name).agent.is_dummy}
    assert dummies == {"complies", "hands-over"}
    assert {*frame(data, list(report.pages(data))).pictures} == {"agents/oracle.html"}


def test_a_lone_agent_is_on_the_front_page(small_runs: Path) -> None:
    data = site_data_of(small_runs / "oracle-1")
    pages = list(lone.pages(data))
    picture = frame(data, pages).pictures["index.html"]
    assert picture.agent and len(picture.agent.traps) == 18


def test_a_page_names_its_own_picture_or_the_front_pages(data: SiteData) -> None:
    (page,) = traps.pages(data)
    assert picture_of("og:image", html_of(page, data)) == "share/traps.png"
    other = html_of(page._replace(path="cases/x.html"), data)
    assert picture_of("og:image", other) == "../share/index.png"
    assert '<meta name="twitter:card" content="summary_large_image">' in other


def test_with_a_known_address_pictures_have_one_too(data: SiteData) -> None:
    about = type(data.about)(address="https://bench.example.org/a/")
    (page,) = traps.pages(data)
    found = picture_of("og:image", html_of(page, data._replace(about=about)))
    assert found == "https://bench.example.org/a/share/traps.png"


def test_the_path_of_a_picture_is_that_of_its_page() -> None:
    assert share_path("agents/gpt-5.4.html") == "share/agents/gpt-5.4.png"
