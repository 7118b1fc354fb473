"""A printed board is shown by our rules: ties as ties, kept apart, and without conversations."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from studies.published import SHIPPED, Band, Published, PublishedMetric, PublishedOrder, PublishedRow
from studies.published.audit import audit
from studies.published.audit.sheet import Sheet
from studies.published.deep_report import DeepReports, read_reports
from studies.published.load import read_published
from studies.published.pages import build_pages, published_board, published_frame, published_pages
from studies.published.pages.board_page import PublishedContext, cases_to_tell, published_context
from studies.published.pages.column import columns
from studies.published.pages.model_page import ModelContext, model_contexts, path_of
from studies.published.pages.take import take
from supportagentbench.records.problem import Problem
from supportagentbench.site.lint import unsupported
from supportagentbench.site.pages.page import render
from supportagentbench.stats.rates import fisher, wilson

PUBLISHED = read_published()
REPORTS = read_reports(SHIPPED, PUBLISHED)
SHEET = Sheet(PUBLISHED)


@pytest.fixture(scope="module")
def site() -> dict[str, str]:
    shared = published_frame(PUBLISHED)
    return {page.path: render(page, shared) for page in published_pages(PUBLISHED, REPORTS)}


@pytest.fixture(scope="module")
def board() -> PublishedContext:
    return published_context(SHEET, {}, 36)


@pytest.fixture(scope="module")
def models() -> dict[str, ModelContext]:
    return {model.name: model for model in model_contexts(SHEET, audit(PUBLISHED), REPORTS)}


# The board


def test_every_row_stands_in_the_printed_order_with_a_mark_in_every_column(board: PublishedContext) -> None:
    lines = [line for group in board.groups for line in group.lines]
    assert [line.name for line in lines] == [row.name for row in PUBLISHED.rows]
    assert all(line.vendor and line.tier and all(line.marks) and line.take for line in lines)


def test_a_mark_is_the_printed_figure_with_one_run_s_worth_of_evidence() -> None:
    over = columns(SHEET)[0]
    mark, scale = over.marks["grok-4.3"], over.marks["grok-4.3"].at / 0.025
    assert (mark.text, mark.hits, over.cases) == ("2.5%", 3, 120)
    assert (mark.low / scale, mark.high / scale) == pytest.approx(wilson(3 / 120, 120))
    assert columns(SHEET)[1].marks["qwen3.7-max"].text == "7%"  # missed: 100% less the printed 93%


def test_a_mark_is_red_only_where_the_corrected_test_of_the_audit_holds() -> None:
    assert {column.metric: (column.tied, column.beyond) for column in columns(SHEET)} == {
        "over_escalation": (23, ["qwen3.7-plus"]),
        "escalation": (24, []),
        "unsafe": (24, []),
    }


def test_the_zone_of_ties_ends_between_the_last_tie_and_the_first_that_is_none() -> None:
    over, missed, _ = columns(SHEET)
    assert over.marks["sonnet-4.6"].at < over.tie < over.marks["qwen3.7-plus"].at
    assert missed.tie == 100


def test_the_title_is_what_the_tests_show(board: PublishedContext) -> None:
    assert board.headed.title.startswith("All 24 models fell for traps, and there they tie.")
    assert "Only qwen3.7-plus hands over" in board.headed.title
    assert [claim.holds for claim in board.claims] == [True]


def test_without_a_held_test_the_title_tells_nobody_apart() -> None:
    rows = tuple(row for row in PUBLISHED.rows if row.name != "qwen3.7-plus")
    same = Sheet(replace(PUBLISHED, rows=rows, claims=(), orders=PUBLISHED.orders[:1]))
    found = published_context(same, {}, 0)
    assert "No test tells any of them from the best." in found.headed.title
    assert len(found.groups) == 1 and not found.claims


def test_numbers_of_the_explanations_are_computed(board: PublishedContext) -> None:
    widest = board.widest
    assert widest and (widest.least, widest.most, widest.cases) == (2, 7, 18)
    assert widest.p == pytest.approx(0.121, abs=0.001)
    assert [(count.apart, count.pooled, count.pairs) for count in board.pair_counts] == [
        (2, 32, 276),
        (0, 16, 276),
        (0, 0, 276),
    ]
    assert (board.cheapest, board.cases) == ((1, 8), 162)


@given(st.floats(0.05, 0.4), st.floats(0.1, 0.5))
@settings(max_examples=10)
def test_that_many_cases_tell_two_rates_apart(low: float, gap: float) -> None:
    cases = cases_to_tell(low, low + gap, 0.05)
    assert cases > 0
    assert fisher((round(low * cases), cases), (round((low + gap) * cases), cases)) < 0.05


def test_that_many_cases_are_more_if_more_is_compared() -> None:
    assert cases_to_tell(2 / 18, 7 / 18, 0.05) < cases_to_tell(2 / 18, 7 / 18, 0.05 / 276)
    assert cases_to_tell(0.3, 0.3, 0.05) == 0


# In a line


def test_a_take_counts_and_names_what_ties_for_less(board: PublishedContext) -> None:
    takes = {row.name: take(SHEET, row, columns(SHEET)) for row in PUBLISHED.rows}
    assert takes["grok-4.3"] == "1 in 40 handed over; 1 in 24 missed."
    assert takes["gpt-5.5"] == "None missed; the only one at $$$$."
    assert takes["gpt-5.4"] == "None missed; gpt-5.4-mini ties at $$."
    assert takes["qwen3.7-plus"] == "Hands over clearly more than grok-4.3."


@pytest.mark.parametrize("row", PUBLISHED.rows, ids=lambda row: row.name)
def test_no_take_compares_without_a_test(row: PublishedRow) -> None:
    said = take(SHEET, row, columns(SHEET))
    assert unsupported(f"<p>{said}</p>", (), [one.name for one in PUBLISHED.rows]) == []
    assert ("clearly" in said) == (row.name == "qwen3.7-plus")


# Reports


def test_a_report_has_its_figures_among_all_models_that_print_them(models: dict[str, ModelContext]) -> None:
    assert set(models) == {"kimi-k2.7-code", "kimi-k2.6", "qwen3.7-plus"}
    figures = {figure.title: figure for figure in models["kimi-k2.7-code"].figures}
    assert {title: (figure.text, len(figure.dots)) for title, figure in figures.items()} == {
        "Routine tickets solved": ("≈95%", 15),
        "Needless handovers": ("9%", 24),
        "Escalation accuracy": ("88%", 24),
        "Traps that worked": ("4 of 18", 24),
        "Policy followed": ("0.75", 3),
        "Price tier": ("$$", 24),
    }
    assert all(sum(dot.own for dot in figure.dots) == 1 for figure in figures.values())


def test_dots_of_a_strip_never_lie_on_each_other(models: dict[str, ModelContext]) -> None:
    for figure in models["qwen3.7-plus"].figures:
        assert len({(dot.x, dot.level) for dot in figure.dots}) == len(figure.dots)


def test_traps_of_a_report_add_up_to_what_the_board_prints(models: dict[str, ModelContext]) -> None:
    for model in models.values():
        row = PUBLISHED.row(model.name)
        assert sorted(trap.runs for trap in model.printed.caught) == sorted(row.fired["unsafe"])
        assert f"{model.fired}/{model.trap_cases * model.runs}" == row.pooled["unsafe"]
        assert len(model.trap_lines) + model.unnamed == model.trap_cases
        assert not {trap.trap for trap in model.printed.caught} & set(model.printed.held)


def test_limits_are_ours_and_figures_theirs(models: dict[str, ModelContext]) -> None:
    broken = {name: [line.title for line in model.broken] for name, model in models.items()}
    assert broken == {
        "kimi-k2.7-code": ["Traps that worked", "Missed escalations"],
        "kimi-k2.6": ["Traps that worked"],
        "qwen3.7-plus": ["Needless handovers"],
    }


def test_a_report_says_what_the_audit_says_of_it(models: dict[str, ModelContext]) -> None:
    ends = {name: [one.outcome for one in model.examined] for name, model in models.items()}
    assert ends["kimi-k2.7-code"].count("contradicted") == 2
    assert ends["kimi-k2.7-code"].count("undecided") == 2
    assert ends["kimi-k2.6"].count("undecided") == 1 and "contradicted" not in ends["kimi-k2.6"]
    assert models["qwen3.7-plus"].badge == "weak adversarial safety"
    assert not models["kimi-k2.6"].badge


def test_reports_are_beside_the_board_or_there_are_none(tmp_path: Path) -> None:
    assert read_reports(tmp_path / "board.json", PUBLISHED) == DeepReports()
    (tmp_path / "board-reports.json").write_text('{"reports": 1}')
    with pytest.raises(Problem, match=r"board-reports\.json: is not a file of reports"):
        read_reports(tmp_path / "board.json", PUBLISHED)
    other = json.loads(SHIPPED.with_name("northline-2026-07-reports.json").read_text())
    other["reports"][0]["name"] = "nobody"
    (tmp_path / "board-reports.json").write_text(json.dumps(other))
    with pytest.raises(Problem, match="'nobody', which is not on the board"):
        read_reports(tmp_path / "board.json", PUBLISHED)


# The site


def links(html: str) -> Iterator[str]:
    for part in html.split('href="')[1:]:
        yield part.split('"')[0].partition("#")[0]


def test_it_is_kept_apart_and_its_links_lead_to_its_own_pages(tmp_path: Path) -> None:
    build_pages(PUBLISHED, tmp_path / "site", REPORTS)
    pages = {str(path.relative_to(tmp_path / "site")): path for path in (tmp_path / "site").rglob("*.html")}
    assert set(pages) == {
        *("index.html", "audit.html", "own.html"),
        *(path_of(report.name) for report in REPORTS.reports),
    }
    for path in pages.values():
        html = path.read_text()
        assert "Figures as published, July 2026; not measured here" in html
        assert "SupportAgentBench by Adelante, getadelante.com/eval, July 2026" in html
        assert [link for link in links(html) if link and not (path.parent / link).is_file()] == []


def test_names_link_to_reports_where_there_are_any(site: dict[str, str]) -> None:
    assert all(f'href="{path_of(one.name)}"' in site["index.html"] for one in REPORTS.reports)
    assert site["index.html"].count('href="models/') == len(REPORTS.reports)


def test_the_audit_shows_every_statement_by_its_outcome(site: dict[str, str]) -> None:
    assert "support 10, contradict 9 and leave 17 undecided" in site["audit.html"]
    assert [site["audit.html"].count(f"<i>{sign}</i>") for sign in "✕?✓"] == [9, 17, 10]
    assert "an agent that does nothing (0%, 0/18, 0%)" in site["audit.html"]


def test_it_compares_nothing_that_its_own_figures_do_not_bear_out() -> None:
    tested, shared = published_board(SHEET), published_frame(PUBLISHED)
    names = [entry.name for entry in tested.agents]
    for page in published_pages(PUBLISHED, REPORTS):
        claims = (*tested.claims, *page.context.claims)
        assert unsupported(render(page, shared), claims, names) == []


def test_pairs_are_told_apart_as_the_audit_tells_them() -> None:
    claims = published_board(SHEET).claims
    assert {(claim.metric, claim.subject, claim.other) for claim in claims if claim.holds} == {
        ("over_escalation", "grok-4.3", "qwen3.7-plus"),
        ("over_escalation", "deepseek-v4-flash", "qwen3.7-plus"),
    }
    assert sum(claim.metric == "unsafe" for claim in claims) == 276


def other_board(rows: list[tuple[int, int]]) -> Published:
    """A board of other measures, with long and hostile names."""
    bands = (Band("fine", 0, 3), Band("bad", 4, 10))
    return Published(
        source="<b>a board</b>",
        runs=1,
        metrics=(
            PublishedMetric("solved", "Solved", "higher", 50),
            PublishedMetric("broken", "Broken", "lower", 10, bands),
        ),
        orders=(PublishedOrder("default", (("solved",), ("broken",))),),
        rows=tuple(
            PublishedRow(f"<i>{'n' * 60}{place}", {"solved": f"{a}/50", "broken": f"{b}/10"})
            for place, (a, b) in enumerate(rows)
        ),
    )


@pytest.mark.parametrize("rows", [[(0, 0)] * 2, [(50, 10)] * 2, [(0, 10), (50, 0)], [(25, 5)] * 40])
def test_any_board_is_shown(rows: list[tuple[int, int]], tmp_path: Path) -> None:
    build_pages(other_board(rows), tmp_path / "site")
    html = (tmp_path / "site" / "index.html").read_text()
    assert html.count('<th scope="row">') == len(rows)
    assert "<i>nnn" not in html and "<b>a board" not in html
    assert "trap" not in html.partition("<main")[2].partition('<div class="why"')[0]
