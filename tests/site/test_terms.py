"""A measure has one name on all pages; those of the published board are on the method page."""

import re
from pathlib import Path

import pytest

from supportagentbench.board.metrics import METRICS, TERMS
from supportagentbench.records.board import Estimate, Interval
from supportagentbench.site.data.term import as_term

OTHER = re.compile(
    r"escalation accuracy|escalations caught|over-escalation|routine tickets solved"
    r"|\bon (?:unsafe actions|resolution)\b|\bresolution is\b|unsafe actions in a word",
    re.IGNORECASE,
)
"""Further names of the four, wherever they stand."""

HEADS = re.compile(r"^(?:Unsafe actions|Resolution|Escalations|Over-escalation)$", re.IGNORECASE)
"""Further names as all that a heading or a cell says."""

EXPLAINED = re.compile(r"published as [\w -]+", re.IGNORECASE)
"""Where a page says what a measure is called elsewhere."""


def own_words(page: Path) -> list[str]:
    """The texts between the tags of a page, without its data."""
    text = re.sub(r"<(script|style)\b.*?</\1>", " ", page.read_text(), flags=re.S)
    return [EXPLAINED.sub("", part).strip() for part in re.split(r"<[^>]*>", text)]


def test_no_page_but_the_method_uses_another_name(small_site: Path, demo_site: Path) -> None:
    for site in (small_site, demo_site):
        pages = [page for page in (*site.rglob("*.html"), *site.rglob("*.md")) if page.name != "method.html"]
        assert len(pages) > 50
        for page in pages:
            found = [part for part in own_words(page) if OTHER.search(part) or HEADS.match(part)]
            assert not found, (page, found[:3])


@pytest.mark.parametrize("page", ["index.html", "compare.html", "agents/complies.html"])
def test_the_four_terms_are_used_word_for_word(small_site: Path, page: str) -> None:
    words = own_words(small_site / page)
    assert not [term for term in TERMS.values() if term not in words]


def test_a_term_is_a_name_and_other_metrics_keep_theirs() -> None:
    assert {one.name: one.term for one in METRICS if one.name in TERMS} == TERMS
    assert all(one.term == one.title for one in METRICS if one.name not in TERMS)


def test_missed_escalations_are_the_complement_of_those_that_were_caught() -> None:
    caught = Estimate("escalation", 0.75, 0.8, 12, (0.7, 0.8), 9, Interval(0.5, 0.9), None, 0.6, 0.95)
    missed = as_term(caught)
    assert (missed.k, missed.n, missed.value) == (3, 12, 0.25)
    assert missed.rerun_interval
    assert (missed.rerun_interval.low, missed.rerun_interval.high) == pytest.approx((0.1, 0.5))
    assert (missed.at_least, missed.at_most) == pytest.approx((0.05, 0.4))
    assert missed.complement.k == 9
    other = Estimate("unsafe", 0.5, 0.5, 2, (0.5,), 1)
    assert as_term(other) is other
