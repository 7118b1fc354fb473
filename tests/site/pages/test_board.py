"""The board's page is complete without a script, and says what it does not know."""

import csv
import gzip
import io
import json
import re

import pytest
from msgspec.structs import replace

from board_pages import (
    days_of,
    flock,
    flock_board,
    flock_page,
    html_of,
    page_of,
    rows_of,
    sheets_of,
    slugs_of,
)
from boards import planted
from reports import flock_data
from supportagentbench.records.board import Board
from supportagentbench.site.answers.report_top import report_top
from supportagentbench.site.charts.trap_grid import groups, lines
from supportagentbench.site.data.agent_stats import all_agent_stats
from supportagentbench.site.data.comparisons import Comparisons
from supportagentbench.site.data.figures import board_csv, board_json
from supportagentbench.site.data.vendor import ModelOrigin
from supportagentbench.site.lint import unsupported, words_of
from supportagentbench.site.pages.board import board_page, pages, short_names


@pytest.fixture(scope="module")
def html() -> str:
    return html_of(flock_page())


def without(board: Board, *metrics: str) -> Board:
    """The board as if these had never been counted."""
    entries = tuple(
        replace(entry, estimates=tuple(one for one in entry.estimates if one.metric not in metrics))
        for entry in board.agents
    )
    return replace(board, agents=entries)


def bare(board: Board) -> Board:
    """The board as others might publish it: no intervals, no runs, no claims."""
    entries = tuple(
        replace(
            entry,
            estimates=tuple(
                replace(one, rerun_interval=None, new_cases_interval=None, runs=(one.value,))
                for one in entry.estimates
            ),
        )
        for entry in board.agents
    )
    return replace(board, agents=entries, claims=(), comparisons=0)


def test_every_agent_has_a_row_with_its_numbers_and_their_conversations(html: str) -> None:
    row = re.search(r'<tr data-a="wild-heron".*?</tr>', html, re.S)
    assert row
    assert '<a href="agents/wild-heron.html">' in row[0]
    assert ">2%</a>" in row[0]
    assert (
        'href="reader.html#agent=wild-heron&amp;counted=unsafe"'
        ' aria-label="17%: Unsafe actions, wild/heron: 9 of 54 conversations">17%</a>' in row[0]
    )
    assert "◆" not in row[0], "the mark comes with the style"
    assert '<span class="safety fair open">few to some</span>' in row[0]
    assert "$30.00" in row[0]
    assert "2026-07-01" in row[0]


def test_a_number_says_its_runs_and_both_intervals(html: str) -> None:
    assert re.search(r'aria-label="9/54 over 3 runs \([^)]*\); rerun [^;]*; new cases [^"]*"', html)


def test_those_under_the_line_stand_below_it_and_it_says_why(html: str) -> None:
    before, after = html.split('<tbody class="unranked">')
    assert 'data-a="wild-yellowhammer-of-the-hedge"' in before
    unranked = after.split("</tbody>")[0]
    assert "Not ranked: handled under 25% of the trap-and-twin pairs correctly" in unranked
    assert unranked.count("<tr data-a=") == 1
    assert 'class="pin' not in unranked


def test_dummies_are_labelled_and_folded_and_in_no_chart() -> None:
    runs = [planted("real", over=1), planted("silent", unserved=18), planted("keywords")]
    html = html_of(page_of(runs))
    agents, dummies = html.split('<details id="dummies">')
    assert "2 test baselines (dummies): not agents, they show what the figures are worth" in dummies
    folded = dummies.split("</details>")[0]
    assert folded.count('<span class="badge">dummy</span>') == folded.count("<tr data-a=") == 2
    assert re.findall(r'data-a="(\w+)"', agents + dummies.split("</details>", 1)[1]).count("silent") == 0
    assert "One agent and 2 dummies on 162 cases" in html
    assert "real is not ready</h1>" in html


def test_agents_carry_the_vendor_of_their_model() -> None:
    known = {"wild/knot": ModelOrigin("Knot Labs", True), "wild/rook": ModelOrigin("Rook & Co", False)}
    html = html_of(page_of(flock(), known=known))
    assert 'data-vendor="Rook &amp; Co" data-open="0"' in html
    assert '<select id="vendor"><option value="">any</option><option>Knot Labs</option>' in html
    assert 'id="vendor"' not in html_of(flock_page())


def test_rows_that_the_order_tells_apart_are_divided(html: str) -> None:
    apart = re.findall(r'<tr data-a="([^"]+)"[^>]*class="apart', html)
    assert apart == ["wild-rook"]


def test_only_the_sorted_column_says_so(html: str) -> None:
    assert html.count("aria-sort=") == 1


def test_every_trap_is_a_square_that_opens_its_conversation(html: str) -> None:
    squares = re.findall(
        r'<a class="([xvif])" href="(reader.html#[^"]+)" aria-label="([^"]+)">(\d?)</a>', html
    )
    assert len(squares) == 5 * 54
    fired = [one for one in squares if one[0] == "f"]
    assert len(fired) == 33
    assert fired[0][3] == "1"
    assert "reader.html#case=trap0-1&amp;a=wild-rook&amp;run=1" in [one[1] for one in fired]
    assert "11 of 33 unsafe actions came right after the customer's first message" in words_of(html)


def test_a_line_counts_what_fired_and_what_fired_at_once() -> None:
    board = flock_board()
    core = [row for row in rows_of(flock()) if not row.case.endswith("-twin")]
    found = {one.agent: one for one in lines(core, sheets_of(flock()), slugs_of(board))}
    assert (found["wild/yellowhammer-of-the-hedge"].share, found["wild/yellowhammer-of-the-hedge"].first) == (
        "21/54",
        7,
    )
    assert [square.look for square in found["wild/heron"].squares] == ["x"] * 45 + ["f"] * 9
    assert [square.turn for square in found["wild/heron"].squares[-9:]] == [1, 1, 1, 2, 2, 2, 3, 3, 3]


def test_traps_can_be_put_together_by_family_and_by_kind() -> None:
    found = groups(sheets_of(flock()))
    assert len(found) == 18
    assert {kind for _, kind in found.values()} == {
        "Free goods",
        "Fraud",
        "Wrongful cancellation",
        "False closure",
    }


def test_the_page_compares_only_as_far_as_claims_bear_it_out(html: str) -> None:
    board = flock_board()
    assert unsupported(html, board.claims, slugs_of(board)) == []


def test_board_and_reports_say_one_verdict() -> None:
    data = flock_data()
    [page] = pages(data, Comparisons(data.board, data.runs))
    told = {one.results.name: report_top(one).verdict for one in all_agent_stats(data)}
    assert page.context.answer.takes
    assert all(take == told[take.name] for take in page.context.answer.takes)
    assert told["idle"].decided == "No"


def test_the_same_runs_make_the_same_bytes(html: str) -> None:
    assert html_of(page_of(flock())) == html


def test_one_agent_keeps_its_charts_and_comparisons_say_they_need_two() -> None:
    html = html_of(page_of([planted("solo", cost=0.01)]))
    assert "Comparisons need two agents; this board has one." in html
    assert '<svg class="plot tier wide"' in html
    assert 'class="pin' not in html
    assert "1 run<" in html


def test_no_agent_at_all_says_what_to_run() -> None:
    board = replace(flock_board(), agents=(), claims=())
    html = html_of(board_page(board, [], {}, Comparisons(board, ())))
    assert '<h1 class="answer" data-which="title">No agent has been run yet</h1>' in html
    assert "sab run" in html
    assert "<table" not in html


def test_a_partial_run_is_announced_and_its_marks_hatched() -> None:
    runs = flock()
    half = [
        run._replace(verdicts=run.verdicts[::2])
        if run.header.agent == "wild/yellowhammer-of-the-hedge"
        else run
        for run in runs
    ]
    html = html_of(page_of(half))
    assert "2,430 of 2,700 conversations are finished; the numbers of one agent will change." in html
    assert re.search(r'<tr data-a="wild-yellowhammer-of-the-hedge"[^>]*partial', html)
    assert 'id="hatch"' in html
    assert re.search(r'class="mk [a-z ]*partial" data-a="wild-yellowhammer-of-the-hedge"', html)
    assert 'id="hatch"' not in html_of(flock_page())


def test_a_metric_nobody_has_has_no_column_and_one_that_some_lack_a_dash() -> None:
    board = flock_board()
    slugs = slugs_of(board)
    assert 'data-key="acc"' not in html_of(
        board_page(without(board, "escalation"), [], slugs, Comparisons(board, ()))
    )
    first, *others = board.agents
    lacking = replace(without(replace(board, agents=(first,)), "resolution").agents[0])
    html = html_of(board_page(replace(board, agents=(lacking, *others)), [], slugs, Comparisons(board, ())))
    assert "– <small>nothing to count</small>" in html
    nothing = without(board, "unsafe", "escalation", "over_escalation", "resolution", "pairs", "messages")
    assert "These runs have no traps, so there is nothing to draw." in html_of(
        board_page(nothing, [], slugs, Comparisons(nothing, ()))
    )


def test_unknown_cost_is_a_column_of_the_chart_and_not_left_out(html: str) -> None:
    assert "One agent of unknown cost is in a separate column." in html
    unknown = html_of(page_of([planted("one"), planted("two", over=1)]))
    assert "No cost is known, so all agents are in a separate column." in unknown
    assert ">cost unknown</text>" in unknown
    assert "By measured cost" not in unknown


def test_figures_that_others_published_lead_to_no_conversation() -> None:
    board = bare(flock_board())
    page = board_page(
        board, [], slugs_of(board), Comparisons(board, ()), published=True, notes=("Figures of <others>.",)
    )
    html = html_of(page)
    assert page.path == "index.html"
    assert '<p class="note fair">Figures of &lt;others&gt;.</p>' in html
    assert "The published pages have no conversations" in html
    assert not re.findall(r'href="[^"]*(?:reader|agents|compare|data/board)', html)
    assert "No two agents were compared" in html
    assert "rerun" not in words_of(html)
    assert unsupported(html, (), slugs_of(board)) == []


def test_names_are_text_wherever_they_stand() -> None:
    runs = [planted("<img src=x>", run, cost=0.01, over=run) for run in (1, 2)]
    html = html_of(page_of(runs))
    assert "<img" not in html
    assert "<script>" not in html


def test_a_vendor_is_left_out_of_a_label_where_names_stay_different() -> None:
    assert short_names(["a/x", "b/y", "c/y"]) == {"a/x": "x", "b/y": "b/y", "c/y": "c/y"}


def test_the_limits_stand_on_the_page(html: str) -> None:
    said = words_of(html)
    assert "How far to trust this" in said
    assert "0 of 54 still allows 17% of new traps" in said


def test_json_has_every_metric_with_its_count_and_its_intervals() -> None:
    board = flock_board()
    made = json.loads(board_json(board, slugs_of(board)))
    knot = next(one for one in made["agents"] if one["slug"] == "wild-knot")
    over = next(one for one in knot["metrics"] if one["metric"] == "over_escalation")
    assert (over["text"], over["numerator"], over["denominator"]) == ("3%", 9, 360)
    assert over["runs"] == [0.025, 0.025, 0.025]
    assert over["rerun_interval"][0] <= over["value"] <= over["rerun_interval"][1]
    assert over["where"] == "reader.html#agent=wild-knot&counted=over_escalation"
    unsafe = next(one for one in knot["metrics"] if one["metric"] == "unsafe")
    assert unsafe["safety"] == "none seen"


def test_csv_says_the_same() -> None:
    board = flock_board()
    rows = list(csv.DictReader(io.StringIO(board_csv(board, slugs_of(board)).decode())))
    assert len(rows) == sum(len(entry.estimates) + len(entry.every_time) for entry in board.agents)
    every = next(row for row in rows if row["agent"] == "idle" and row["metric"] == "pass^3 traps")
    assert int(every["denominator"]) and every["new_cases_high"]
    idle = next(row for row in rows if row["agent"] == "idle" and row["metric"] == "cost")
    assert (idle["ranked"], idle["tier"], idle["numerator"]) == ("false", "$", "")


def test_the_page_of_24_agents_is_light() -> None:
    """Four agents of the flock, six times over under other names."""
    board, runs = flock_board(), flock()
    names = [(entry.name, f"{entry.name}-{number}") for number in range(6) for entry in board.agents[:4]]
    entries = {entry.name: entry for entry in board.agents}
    many = replace(board, agents=tuple(replace(entries[old], name=new) for old, new in names))
    rows = [row._replace(agent=new) for row in rows_of(runs) for old, new in names if row.agent == old]
    html = html_of(
        board_page(
            many, rows, slugs_of(many), Comparisons(many, runs), cases=sheets_of(runs), days=days_of(many)
        )
    )
    assert html.count("<tr data-a=") == 24
    assert html.count('aria-label="trap') == 24 * 54
    assert len(re.findall(r"<[a-z]", html)) < 4_050
    assert len(gzip.compress(html.encode())) < 45_000
