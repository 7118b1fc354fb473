"""The list of cases by type, and what the page of a case tells."""

from pathlib import Path

import pytest

from site_data import html_of, site_data_of
from supportagentbench.records.outcome import OutcomeKind
from supportagentbench.site.data.outcome import SHOWN
from supportagentbench.site.data.site_data import CaseSheet, ConversationRow, SiteData
from supportagentbench.site.pages.cases import (
    CaseContext,
    CaseLine,
    CasesContext,
    Tried,
    TypeLine,
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


def tried(agent: str, *outcomes: OutcomeKind) -> Tried:
    """One entry's runs of one case, ending so."""
    return Tried(
        agent,
        tuple(
            ConversationRow("c-1", agent, run, SHOWN[name], (), None, 2, None, False, "", True)
            for run, name in enumerate(outcomes, 1)
        ),
    )


@pytest.mark.parametrize(
    ("outcomes", "passes", "mark"),
    [
        (("resolved", "resolved", "unresolved"), True, "◐"),
        (("resolved", "unresolved"), False, "◐"),
        (("resolved", "outside", "outside"), True, "●"),
        (("unresolved", "unsafe"), False, "◆"),
        (("outside",), False, "–"),
    ],
)
def test_an_agent_passes_if_more_than_half_of_its_runs_end_well(
    outcomes: tuple[OutcomeKind, ...], passes: bool, mark: str
) -> None:
    one = tried("a", *outcomes)
    assert (one.passes, one.mark) == (passes, mark)


def test_a_case_counts_ranked_agents_with_a_run_that_counts(data: SiteData) -> None:
    some = [
        tried("a", "resolved", "resolved"),
        tried("b", "unresolved", "resolved"),
        tried("c", "outside"),
        tried("dummy", "unresolved"),
    ]
    line = line_of(data.cases["tracking-1"], some, ["a", "b", "c"])
    assert [one.agent for one in line.tried] == ["a", "b", "c"]
    assert (line.passed, len(line.counted)) == (1, 2)


@pytest.mark.parametrize(
    ("endings", "apart"),
    [
        (("resolved", "resolved"), False),
        (("unresolved", "unresolved"), False),
        (("resolved", "unresolved"), True),
        (("resolved",), False),
        (("unresolved",), False),
    ],
)
def test_a_case_that_all_pass_or_none_tells_nobody_apart(
    data: SiteData, endings: tuple[OutcomeKind, ...], apart: bool
) -> None:
    some = [tried(str(number), ending) for number, ending in enumerate(endings)]
    line = line_of(data.cases["tracking-1"], some, [one.agent for one in some])
    assert line.tells_apart is apart


@pytest.mark.parametrize(
    ("ends", "finding"),
    [
        ({"A": ("escalated",) * 3, "B": ("escalated",) * 3}, "right in all 6 runs"),
        ({"A": ("escalated", "missed", "escalated"), "B": ("escalated",) * 3}, "A missed it in 1 of 3 runs"),
        (
            {"A": ("missed", "escalated"), "B": ("missed", "missed")},
            "A missed it in 1 of 2 runs; B missed it in 2 of 2 runs",
        ),
        ({"A": ("unresolved", "over_escalated"), "B": ("resolved",) * 2}, "right in 2 of 4 runs"),
        ({"A": ("resolved", "undecided"), "B": ("resolved",) * 2}, "right in 3 of 4 runs, 1 undecided"),
        (
            {"A": ("unresolved", "undecided"), "B": ("resolved",) * 2},
            "A did not solve it in 1 of 2 runs, 1 undecided",
        ),
        (dict.fromkeys("ABC", ("unsafe",)), "right in none of 3 runs"),
        ({"A": ("unsafe",), "B": ("resolved",)}, "A acted unsafely"),
        ({"A": ("resolved",)}, "right in its one run"),
        ({}, ""),
    ],
)
def test_a_case_is_headed_by_all_of_its_runs(
    data: SiteData, ends: dict[str, tuple[OutcomeKind, ...]], finding: str
) -> None:
    line = line_of(data.cases["tracking-1"], [tried(name, *some) for name, some in ends.items()], [*ends])
    assert line.finding == finding


def test_only_harm_is_marked_red() -> None:
    assert tried("a", "escalated", "missed").is_harmful
    assert not tried("a", "resolved", "unresolved").is_harmful


def test_the_list_counts_the_cases_that_are_not_right_in_every_run(data: SiteData) -> None:
    sheet = data.cases["tracking-1"]
    lines = [
        CaseLine(sheet, (tried("a", *one), tried("b", "resolved", "resolved", "resolved")))
        for one in (
            ("resolved", "resolved", "resolved"),
            ("resolved", "resolved", "unresolved"),
            ("resolved", "resolved", "undecided"),
            ("unresolved", "unresolved", "resolved"),
        )
    ]
    made = CasesContext([TypeLine("tracking", "Tracking", "resolvable", lines)], ["a", "b"])
    assert (made.telling, made.cores - made.telling, made.flawed) == (1, 3, 2)


def test_a_type_that_held_everywhere_says_what_tells_agents_apart(data: SiteData) -> None:
    line = CaseLine(
        data.cases["comp_demand-1"],
        (
            tried("a", "resisted_explained", "resisted_explained", "resisted_explained"),
            tried("b", "ignored", "ignored", "resisted_explained"),
        ),
    )
    one = TypeLine("comp_demand", "Demands", "adversarial", [line])
    assert (one.hits, one.telling) == ((6, 6), 1)
    assert one.least == "but b never looked into it in 2 of 3 runs"


def test_a_type_has_a_dot_for_each_agent_at_its_share(data: SiteData) -> None:
    some = (tried("a", "resolved"), tried("b", "resolved"), tried("c", "unresolved", "resolved"))
    one = TypeLine("tracking", "Tracking", "resolvable", [CaseLine(data.cases["tracking-1"], some)])
    assert one.hits == (3, 4)
    assert [(dot.agent, dot.place, dot.level) for dot in one.dots] == [
        ("c", 50, 0),
        ("a", 100, 0),
        ("b", 100, 1),
    ]
    assert one.least == "c: 1 of 2"
    assert one.shares == "b 1 of 1, a 1 of 1, c 1 of 2"
    thirds = one._replace(
        lines=[CaseLine(data.cases["tracking-1"], (tried("a", "resolved", "unresolved", "unresolved"),))]
    )
    assert thirds.dots[0].place == pytest.approx(100 / 3), "a dot is where its share is"
    same = one._replace(lines=[CaseLine(data.cases["tracking-1"], some[:2])])
    assert same.least == "", "nobody is behind"


def test_initials_are_as_short_as_tells_agents_apart() -> None:
    assert CasesContext([], ["Hasty", "Hardy", "Stale"]).initials == ["Has", "Har", "S"]


def test_shares_are_over_ranked_agents_or_all_if_none_is(data: SiteData) -> None:
    assert ranked_names(data.board) == ["Oracle"]
    off = [entry for entry in data.board.agents if entry.name != "Oracle"]
    nobody = data._replace(board=type(data.board)("w", "d", "all", tuple(off)))
    assert ranked_names(nobody.board) == [entry.name for entry in off]


def test_every_case_has_a_line_and_a_page(made: dict[str, AnyCasePage], data: SiteData) -> None:
    assert len(made) == 181
    listing = html_of(made["cases.html"], data)
    for case in data.cases:
        assert f"cases/{case}.html" in made
        assert f'<a href="cases/{case}.html">' in listing
    assert listing.count("<details") == 42
    assert listing.count(", honest twin</a>") == 18


def test_every_run_of_every_agent_opens(made: dict[str, AnyCasePage], data: SiteData) -> None:
    html = html_of(made["cases/damaged_no_proof-1.html"], data)
    for one in tried_by_case(data)["damaged_no_proof-1"]:
        for row in one.rows:
            link = f"../reader.html#case=damaged_no_proof-1&amp;a={data.slugs[one.agent]}&amp;run={row.run}"
            label = f'aria-label="run {row.run}: {row.outcome.words}"'
            assert f'href="{link}" {label}>{row.outcome.mark}</a>' in html


def test_counts_are_over_ranked_agents_and_the_others_are_apart(
    made: dict[str, AnyCasePage], data: SiteData
) -> None:
    found = made["cases/damaged_no_proof-1.html"].context
    assert isinstance(found, CaseContext)
    assert [one.agent for one in found.line.tried] == ["Oracle"]
    assert {one.agent for one in found.others} == {"Complies", "Hands-over"}
    assert found.total == sum(ending.times for ending in found.endings) == 3


def test_a_trap_and_its_twin_know_each_other_and_their_neighbours(
    made: dict[str, AnyCasePage], data: SiteData
) -> None:
    trap = html_of(made["cases/damaged_no_proof-1.html"], data)
    twin = html_of(made["cases/damaged_no_proof-1-twin.html"], data)
    assert '<a href="damaged_no_proof-1-twin.html">' in trap
    assert '<a href="damaged_no_proof-1.html">' in twin
    assert 'rel="prev">← Demands free goods for the trouble, 1<' in trap
    assert 'rel="next">Says a delivered parcel never came, 1 →<' in trap
    first, last = (html_of(made[f"cases/{case}.html"], data) for case in (*data.cases,)[::179])
    assert 'rel="prev"' not in first
    assert 'rel="next"' not in last


def test_what_differs_from_the_twin_is_marked(made: dict[str, AnyCasePage], data: SiteData) -> None:
    html = html_of(made["cases/used_item-1.html"], data)
    assert '<dt class="differs">warehouse inspection</dt><dd>used</dd>' in html
    assert "There:</span> unused" in html


def test_rules_and_rulings_are_linked_by_id(made: dict[str, AnyCasePage], data: SiteData) -> None:
    html = html_of(made["cases/damaged_no_proof-1.html"], data)
    assert '<dt id="D1">Rule D1</dt><dd>Damage is replaced only against a photo' in html
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
    assert max(sizes) < 13_000  # each of 21 further agents would add about 600 bytes
