"""The table of cases, and what the page of a case tells."""

from pathlib import Path

import pytest

from site_data import html_of, site_data_of
from supportagentbench.records.outcome import OutcomeKind
from supportagentbench.site.data.outcome import SHOWN
from supportagentbench.site.data.site_data import CaseSheet, ConversationRow, SiteData
from supportagentbench.site.pages.cases import (
    CaseContext,
    CasesContext,
    Tried,
    line_of,
    pages,
    ranked_names,
    tried_by_case,
)
from supportagentbench.site.pages.page import SitePage

AnyCasePage = SitePage[CaseContext | CasesContext]


@pytest.fixture
def data(small_runs: Path) -> SiteData:
    return site_data_of(small_runs)


@pytest.fixture
def made(data: SiteData) -> dict[str, AnyCasePage]:
    return {page.path: page for page in pages(data)}


def tried(agent: str, *outcomes: OutcomeKind, cost: float | None = None) -> Tried:
    """One entry's runs of one case, ending so."""
    return Tried(
        agent,
        tuple(
            ConversationRow("c-1", agent, run, SHOWN[name], (), None, 2, cost, False, "", True)
            for run, name in enumerate(outcomes, 1)
        ),
    )


@pytest.mark.parametrize(
    ("outcomes", "passes", "flips"),
    [
        (("resolved", "resolved", "unresolved"), True, True),
        (("resolved", "unresolved"), False, True),
        (("resolved", "outside", "outside"), True, False),
        (("unresolved", "unsafe"), False, False),
        (("outside",), False, False),
    ],
)
def test_an_entry_passes_if_more_than_half_of_its_runs_end_well(
    outcomes: tuple[OutcomeKind, ...], passes: bool, flips: bool
) -> None:
    one = tried("a", *outcomes)
    assert (one.passes, one.flips) == (passes, flips)


def test_a_case_in_numbers(data: SiteData) -> None:
    sheet = data.cases["tracking-1"]
    some = [
        tried("a", "resolved", "resolved", cost=0.01),
        tried("b", "unresolved", "resolved", cost=0.03),
        tried("c", "outside"),
        tried("off duty", "unresolved", cost=9.0),
    ]
    line = line_of(sheet, some, ["a", "b", "c"])
    assert line.passed is not None
    assert (line.passed.k, line.passed.n) == (1, 2)
    assert (line.flipped, line.repeated) == (1, 2)
    assert line.cost == pytest.approx(20.0)
    assert line.priced == 4


@pytest.mark.parametrize(
    ("endings", "flat"),
    [
        (("resolved", "resolved"), True),
        (("unresolved", "unresolved"), True),
        (("resolved", "unresolved"), False),
        (("resolved",), False),
    ],
)
def test_a_case_that_all_pass_or_none_does_not_discriminate(
    data: SiteData, endings: tuple[OutcomeKind, ...], flat: bool
) -> None:
    some = [tried(str(number), ending) for number, ending in enumerate(endings)]
    line = line_of(data.cases["tracking-1"], some, [one.agent for one in some])
    assert line.is_flat is flat


def test_shares_are_over_entries_on_duty_or_all_if_none_is(data: SiteData) -> None:
    assert ranked_names(data.board) == ["oracle"]
    off = [entry for entry in data.board.agents if entry.name != "oracle"]
    nobody = data._replace(board=type(data.board)("w", "d", "all", tuple(off)))
    assert ranked_names(nobody.board) == [entry.name for entry in off]


def test_every_case_has_a_line_and_a_page(made: dict[str, AnyCasePage], data: SiteData) -> None:
    assert len(made) == 181
    listing = html_of(made["cases.html"], data)
    for case in data.cases:
        assert f"cases/{case}.html" in made
        assert f'<a href="cases/{case}.html">' in listing
    assert listing.count('<span class="badge">honest twin</span>') == 18


def test_the_strip_has_a_mark_for_every_run(made: dict[str, AnyCasePage], data: SiteData) -> None:
    html = html_of(made["cases/damaged_no_proof-1.html"], data)
    for one in tried_by_case(data)["damaged_no_proof-1"]:
        runs = " ".join(f"{row.run}{row.outcome.letter}" for row in one.rows)
        marks = "".join(row.outcome.mark for row in one.rows)
        link = f"../reader.html#case=damaged_no_proof-1&amp;a={data.slugs[one.agent]}"
        assert f'<a href="{link}" data-runs="{runs}">{marks}</a>' in html
    assert '<span id="f" data-grade="bad">unsafe action</span>' in html


def test_a_trap_and_its_twin_know_each_other_and_their_neighbours(
    made: dict[str, AnyCasePage], data: SiteData
) -> None:
    trap = html_of(made["cases/damaged_no_proof-1.html"], data)
    twin = html_of(made["cases/damaged_no_proof-1-twin.html"], data)
    assert 'Its honest twin: <a href="damaged_no_proof-1-twin.html">' in trap
    assert 'Its trap: <a href="damaged_no_proof-1.html">' in twin
    assert 'rel="prev">← Demands free goods for the trouble, 1<' in trap
    assert 'rel="next">Says a delivered parcel never came, 1 →<' in trap
    first, last = (html_of(made[f"cases/{case}.html"], data) for case in (*data.cases,)[::179])
    assert 'rel="prev"' not in first
    assert 'rel="next"' not in last


def test_rules_and_rulings_are_linked_by_id(made: dict[str, AnyCasePage], data: SiteData) -> None:
    html = html_of(made["cases/damaged_no_proof-1.html"], data)
    assert '<dt id="D1">D1</dt><dd>Damage is replaced only against a photo' in html
    assert '<a href="#D1">D1</a>' in html


def test_words_of_the_record_stay_words(data: SiteData) -> None:
    evil = "</pre><script>alert(1)</script>"
    sheet: CaseSheet = data.cases["tracking-1"]
    changed = sheet._replace(opening=evil, record={"status": evil})
    hostile = data._replace(cases={**data.cases, "tracking-1": changed})
    page = next(page for page in pages(hostile) if page.path == "cases/tracking-1.html")
    html = html_of(page, hostile)
    assert evil not in html
    assert html.count("&lt;script&gt;alert(1)&lt;/script&gt;") == 3


def test_an_order_that_nobody_looked_up_is_said_to_be_unknown(data: SiteData) -> None:
    blind = data._replace(cases={"tracking-1": data.cases["tracking-1"]._replace(record={})})
    page = list(pages(blind))[1]
    assert "No agent looked it up" in html_of(page, blind)


def test_the_page_of_a_case_stays_light(made: dict[str, AnyCasePage], data: SiteData) -> None:
    sizes = [len(html_of(page, data).encode()) for path, page in made.items() if "/" in path]
    assert max(sizes) < 10_500  # each of 21 further entries would add about 250 bytes
