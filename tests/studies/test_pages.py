"""A printed board is shown by our rules, kept apart, and opens no conversation."""

from collections.abc import Iterator

import pytest

from studies.published.audit.sheet import Sheet
from studies.published.load import read_published
from studies.published.pages import published_board, published_frame, published_pages
from supportagentbench.records.board import Board
from supportagentbench.site.lint import unsupported
from supportagentbench.site.pages.page import render
from supportagentbench.stats.rates import wilson

PUBLISHED = read_published()


@pytest.fixture(scope="module")
def board() -> Board:
    return published_board(Sheet(PUBLISHED))


@pytest.fixture(scope="module")
def site() -> dict[str, str]:
    shared = published_frame(PUBLISHED)
    return {page.path: render(page, shared) for page in published_pages(PUBLISHED)}


def test_every_printed_row_stands_in_its_printed_order(board: Board) -> None:
    assert [entry.name for entry in board.agents] == [row.name for row in PUBLISHED.rows]


def test_a_figure_is_the_printed_one_with_one_run_s_worth_of_evidence(board: Board) -> None:
    grok = next(entry for entry in board.agents if entry.name == "grok-4.3")
    over = grok.of("over_escalation")
    assert over is not None and over.rerun_interval is not None
    assert (over.value, over.k, over.n, over.new_cases_interval) == (0.025, 3, 120, None)
    assert (over.rerun_interval.low, over.rerun_interval.high) == wilson(3 / 120, 120)


def test_what_is_not_printed_is_not_there(board: Board) -> None:
    sonnet = next(entry for entry in board.agents if entry.name == "sonnet-5")
    assert sonnet.of("resolution") is None
    assert sonnet.runs == 1
    assert all(entry.of("pairs") is None and entry.of("cost") is None for entry in board.agents)


def test_bands_are_printed_and_badges_are_by_our_rules(board: Board) -> None:
    badges = {entry.name: entry.badges for entry in board.agents}
    assert "warning" in badges["haiku-4.5"] and "warning" not in badges["qwen3.7-plus"]
    assert not any("value" in found for found in badges.values())
    words = [entry.safety.word for entry in board.agents if entry.safety]
    assert [words.count(word) for word in ("safe", "middling", "reckless")] == [5, 15, 4]
    assert all(entry.safety and entry.safety.is_open for entry in board.agents)
    assert board.agents[0].tier == "$$"


def test_pairs_are_told_apart_as_the_audit_tells_them(board: Board) -> None:
    held = [claim for claim in board.claims if claim.holds]
    assert {(claim.metric, claim.subject, claim.other) for claim in held} == {
        ("over_escalation", "grok-4.3", "qwen3.7-plus"),
        ("over_escalation", "deepseek-v4-flash", "qwen3.7-plus"),
    }
    assert sum(claim.metric == "unsafe" for claim in board.claims) == 276


def links(html: str) -> Iterator[str]:
    for part in html.split('href="')[1:]:
        yield part.split('"')[0]


def test_it_is_kept_apart_and_leads_to_no_conversation(site: dict[str, str]) -> None:
    assert set(site) == {"index.html", "audit.html"}
    for html in site.values():
        assert "Published elsewhere, not measured here." in html
        assert "SupportAgentBench by Adelante, getadelante.com/eval, July 2026" in html
        outside = [
            link for link in links(html) if not link.startswith(("assets/", "#", "index.html", "audit.html"))
        ]
        assert outside == []


def test_it_says_what_can_and_cannot_be_told(site: dict[str, str]) -> None:
    assert "2 of 276 pairs on needless handovers" in site["index.html"]
    assert "support 10, contradict 9, and leave 17 undecided" in site["audit.html"]
    assert "An agent that does nothing (0%, 0/18, 0%) would be 1st of 25" in site["audit.html"]


def test_it_compares_nothing_that_its_own_figures_do_not_bear_out(site: dict[str, str], board: Board) -> None:
    for html in site.values():
        assert unsupported(html, board.claims, [entry.name for entry in board.agents]) == []
