"""The reader's page: what it offers before anything is chosen, and to whom scripts are off."""

import json
import re
from pathlib import Path

import pytest

from filed import FEW, HOSTILE, file_few
from site_data import drop
from supportagentbench.site.build import frame
from supportagentbench.site.data.site_data import SiteData, gather
from supportagentbench.site.lint import unsupported
from supportagentbench.site.pages.page import render
from supportagentbench.site.pages.reader import pages, starts


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> SiteData:
    return gather([file_few(tmp_path_factory.mktemp("few"))], drop)


@pytest.fixture(scope="module")
def html(data: SiteData) -> str:
    [page] = pages(data)
    return render(page, frame(data, [page]))


def test_it_begins_with_the_worst_of_ranked_agents_and_one_ticket_with_two_outcomes(data: SiteData) -> None:
    found = list(starts(data))
    assert "case=abusive_threatening-1&a=wavering&run=2" in found[0].link, "danger before money"
    assert "case=damaged_no_proof-1&a=wavering&run=2" in found[1].link
    assert "a=steady&b=wavering" in found[-1].link
    assert not any("hostile" in start.link for start in found), "it is not ranked"


def test_its_title_counts_what_went_well(data: SiteData) -> None:
    [page] = pages(data)
    assert page.context.headed.title.startswith("9 of 12 conversations went well")
    assert sum(one.times for one in page.context.ends) == 3


def test_what_does_not_lie_in_the_folder_is_no_place_to_begin(data: SiteData) -> None:
    nothing = data._replace(rows=[row._replace(is_kept=False) for row in data.rows])
    assert list(starts(nothing)) == []


def test_without_scripts_it_says_how_to_read_and_leads_to_every_case(html: str) -> None:
    off = re.search("<noscript>(.*?)</noscript>", html, re.DOTALL)
    assert off
    assert "sab show RUNS " in off[1] and " --model " in off[1]
    assert set(re.findall(r'href="cases/([^"]+)\.html"', off[1])) == set(FEW)


def test_rules_come_as_data_that_cannot_end_the_script(html: str, data: SiteData) -> None:
    block = re.search(r'<script type="application/json" id="words">(.*?)</script>', html, re.DOTALL)
    assert block
    words = json.loads(block[1])
    assert words["rules"] == {rule.id: rule.text for rule in data.headers[0].rules}
    assert words["acts"]["hand_over"] == "hand over to a human"


def test_names_of_agents_are_only_text(html: str) -> None:
    assert HOSTILE not in html
    assert "onerror='" not in html


def test_it_compares_nobody(html: str, data: SiteData) -> None:
    assert unsupported(html, data.board.claims, data.slugs) == []


def test_costs_and_judges_that_are_not_there_are_said_to_be_missing(html: str, small_site: Path) -> None:
    small = (small_site / "reader.html").read_text()
    assert "No cost is known" in small
    assert "No model judged these conversations" in small
    assert "No cost is known" not in html
    assert "No model judged these conversations" not in html
