"""Your desk: complete without a script, honest about what it is, and counted from the record."""

import json
import re
from pathlib import Path

import pytest

from site_data import site_data_of
from supportagentbench.board.loss import Expected
from supportagentbench.site.build import frame
from supportagentbench.site.data import SiteData
from supportagentbench.site.lint import unsupported
from supportagentbench.site.page import SitePage, render
from supportagentbench.site.pages.desk import BENCHMARK, TICKETS, gap_words, pages, plus, preset_mix


@pytest.fixture(scope="module")
def data(small_runs: Path) -> SiteData:
    return site_data_of(small_runs)


@pytest.fixture(scope="module")
def page(data: SiteData) -> SitePage:
    return next(pages(data))


@pytest.fixture(scope="module")
def html(data: SiteData, page: SitePage) -> str:
    return render(page, frame(data, [page]))


def row(html: str, slug: str) -> str:
    found = re.search(rf'<tr data-slug="{slug}">(.*?)</tr>', html, re.DOTALL)
    assert found
    return re.sub(r"<[^>]+>|\s+", " ", found[1])


def test_every_kind_of_ticket_has_cases_and_something_that_can_go_wrong(page: SitePage) -> None:
    fields = page.context["fields"]
    assert len(fields) == 20 + 4 + 4
    assert sum(field.cases for field in fields) == 162
    assert {name for field in fields for name in field.kind.mistakes} == {
        one.name for one in page.context["mistakes"]
    }


def test_the_benchmark_s_own_mix_gives_the_board_s_own_rates(data: SiteData, page: SitePage) -> None:
    """With as many tickets of a kind as there are cases, the mistakes are the counts of a run."""
    lines = {line.agent.results.name: line for line in page.context["lines"]}
    for agent, line in lines.items():
        entry = line.agent.results
        for mistake, metric, cases in (("needless", "over_escalation", 120), ("missed", "escalation", 24)):
            figure = entry.of(metric)
            assert figure is not None
            rate = figure.value if metric == "over_escalation" else 1 - figure.value
            assert line.times[mistake] == pytest.approx(TICKETS * cases / 162 * rate), (agent, mistake)
        unsafe = entry.of("unsafe")
        assert unsafe is not None
        fired = sum(line.times[name] for name in ("goods", "fraud", "cancellation", "closure"))
        assert fired == pytest.approx(TICKETS * 18 / 162 * unsafe.value)


def test_a_perfect_agent_loses_nothing_but_may(page: SitePage) -> None:
    oracle = next(line for line in page.context["lines"] if line.agent.results.name == "oracle")
    assert oracle.loss is not None
    assert (oracle.loss.value, oracle.loss.low) == (0, 0)
    assert oracle.loss.high > 0
    assert oracle.handovers is not None
    assert oracle.handovers.value >= TICKETS * 24 / 162


def test_who_hands_everything_over_is_told_apart_from_who_does_not(html: str) -> None:
    """120 of 162 tickets at 6 dollars each, with 10,000 of them a month."""
    assert "$44,444" in row(html, "hands-over")
    assert re.search(r"\$[\d,]+ to \$[\d,]+ more", row(html, "hands-over"))


def test_it_is_complete_without_a_script(html: str, data: SiteData) -> None:
    assert all(f'<tr data-slug="{slug}">' in html for slug in data.slugs.values())
    assert "Your weighting, not a score." in html
    assert "nothing is sent" in html


def test_it_compares_nothing_in_words(html: str, data: SiteData) -> None:
    assert unsupported(html, data.board.claims, list(data.slugs)) == []


def test_the_numbers_travel_as_data_that_no_text_can_break_out_of(html: str, page: SitePage) -> None:
    found = re.search(r'<script type="application/json" id="desk-data">(.*?)</script>', html, re.DOTALL)
    assert found
    data = json.loads(found[1])
    assert data == json.loads(json.dumps(page.context["script"]))
    assert len(data["cases"]) == 162
    assert all(len(entry[name]) == 162 for entry in data["agents"] for name in ("runs", "hits", "handed"))


def test_a_preset_raises_what_it_names_and_keeps_the_rest(data: SiteData, page: SitePage) -> None:
    fields = page.context["fields"]
    mixes = {preset.name: preset_mix(preset, fields) for preset in (BENCHMARK, *data.vocabulary.mixes)}
    assert mixes["benchmark"]["goods"] == 10
    assert mixes["orders"]["tracking"] > mixes["orders"]["return_request"] == 1
    assert mixes["returns"]["return_request"] > mixes["returns"]["tracking"] == 1
    assert mixes["fraud"]["fraud"] > mixes["orders"]["fraud"] > 0
    assert all(set(mix) == set(mixes["benchmark"]) for mix in mixes.values())


def test_a_difference_is_so_much_more_or_less_or_cannot_be_told() -> None:
    assert gap_words(Expected(300, 100, 500)) == "$100 to $500 more"
    assert gap_words(Expected(-300, -500, -100)) == "$100 to $500 less"
    assert gap_words(Expected(100, -100, 1500)) == "no significant difference: $100 less to $1,500 more"
    assert gap_words(None) == "–"


def test_what_is_certain_moves_all_of_it() -> None:
    assert plus(Expected(1, 0, 2), 10) == Expected(11, 10, 12)
    assert plus(None, 10) is None


def test_a_part_of_the_cases_makes_a_smaller_desk(data: SiteData) -> None:
    few = {name: sheet for name, sheet in data.cases.items() if sheet.bucket == "must_escalate"}
    page = next(pages(data._replace(cases=few)))
    assert [mistake.name for mistake in page.context["mistakes"]] == ["missed"]
    assert len(page.context["fields"]) == 4
