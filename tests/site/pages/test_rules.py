"""The rules stand under the headings of the policy, and what checks them is told in words."""

from pathlib import Path

from msgspec.structs import replace

from site_data import html_of, site_data_of
from supportagentbench.checks.catalogue import CATALOGUE
from supportagentbench.site.lint import words_of
from supportagentbench.site.pages.rules import pages


def test_headings_and_checks_are_words(small_runs: Path) -> None:
    data = site_data_of(small_runs)
    page = next(pages(data))
    assert set(page.context.titles) == set(page.context.rules)
    html = html_of(page, data)
    assert page.context.titles["A"] == "How we work" and ">How we work</h2>" in html
    said = " ".join(words_of(html).split())
    assert "breaks it if it does not reply in the customer's language. It applies to every ticket." in said
    assert "Checked by engaged" not in said
    assert not [name for name in CATALOGUE if "_" in name and name in said]


def test_a_policy_without_headings_keeps_the_letters(small_runs: Path) -> None:
    data = site_data_of(small_runs)
    [page] = pages(data)
    bare = page._replace(context=type(page.context)(replace(page.context.header, policy="Do what is right.")))
    assert ">Rules A</h2>" in html_of(bare, data)
