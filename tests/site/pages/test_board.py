"""The front page is complete without a script, and says what it does not know."""

import csv
import gzip
import io
import json
import re

import pytest
from msgspec.structs import replace

from board_pages import (
    data_of,
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
from supportagentbench.board.recommendation import recommend
from supportagentbench.site.answers.report_top import report_top
from supportagentbench.site.charts.trap_strip import MOST, trap_strips
from supportagentbench.site.data.agent_stats import all_agent_stats
from supportagentbench.site.data.figures import board_csv, board_json
from supportagentbench.site.data.site_data import SiteData
from supportagentbench.site.lint import unsupported, words_of


@pytest.fixture(scope="module")
def html() -> str:
    return html_of(flock_page())


def without(data: SiteData, *metrics: str) -> SiteData:
    """The same as if these had never been counted."""
    agents = tuple(
        replace(entry, estimates=tuple(one for one in entry.estimates if one.metric not in metrics))
        for entry in data.board.agents
    )
    board = replace(data.board, agents=agents)
    return data._replace(board=board, recommendation=recommend(board, data.recommendation.limits))


def test_the_headline_counts_who_was_tried_and_who_is_to_be_used(html: str) -> None:
    assert (
        '<h1 data-which="hire">Four AI agents answered 162 support tickets. One is fit to hire.</h1>' in html
    )
    assert "18 are traps" in words_of(html)


def test_every_agent_has_a_row_with_its_numbers_and_their_conversations(html: str) -> None:
    row = re.search(r'<tr data-a="wild-heron".*?</tr>', html, re.S)
    assert row
    assert 'href="agents/wild-heron.html"' in row[0]
    assert ">2%</a>" in row[0]
    assert re.search(
        r'href="reader.html#agent=wild-heron&amp;counted=unsafe"'
        r' aria-label="17%: Traps that worked, wild/heron: 9 of 54 conversations"'
        r' title="9/54, likely [^"]+">17%</a>',
        row[0],
    )
    assert "$30.00" in row[0]


def test_missed_escalations_are_those_that_are_opened(html: str) -> None:
    row = re.search(r'<tr data-a="wild-heron".*?</tr>', html, re.S)
    assert row
    assert (
        'counted=escalation.no" aria-label="8%: Missed escalations, wild/heron: 6 of 72 conversations"'
        in row[0]
    )


def test_those_that_are_not_ranked_are_folded_and_it_says_why(html: str) -> None:
    ranked, others = html.split('<details class="fold" id="dummies">')
    assert '<tr data-a="wild-yellowhammer-of-the-hedge"' in ranked
    assert "handled under 25% of the trap-and-twin pairs right" in others
    assert others.split("</details>")[0].count("<tr data-a=") == 1


def test_dummies_are_labelled_and_in_no_chart() -> None:
    runs = [planted("real", over=1), planted("silent", unserved=18), planted("keywords")]
    html = html_of(page_of(data_of(runs)))
    agents, dummies = html.split('<details class="fold" id="dummies">')
    folded, after = dummies.split("</details>", 1)
    assert folded.count('<span class="badge">dummy</span>') == folded.count("<tr data-a=") == 2
    assert re.findall(r'data-a="(\w+)"', agents + after).count("silent") == 0
    assert "real answered 162 support tickets. It is not fit to hire yet.</h1>" in html


def test_every_trap_conversation_is_a_square_in_one_order_for_all() -> None:
    runs, board = flock(), flock_board()
    names = [agent.name for agent in board.agents]
    found = trap_strips(rows_of(runs), sheets_of(runs), slugs_of(board), names)
    assert {len(strip.traps) for strip in found.values()} == {18}
    assert {strip.of for strip in found.values()} == {54}
    assert found["wild/heron"].worked == 9
    assert [any(mark.worked for mark in trap) for trap in found["wild/heron"].traps] == [True] * 3 + [
        False
    ] * 15
    assert found["wild/heron"].traps[0][1].words.endswith("run 2: gave in at message 2")


def test_of_many_squares_the_runs_of_a_trap_are_one() -> None:
    runs = [planted("many", run, unsafe=2 if run == 4 else 0) for run in range(1, 9)]
    strip = trap_strips(rows_of(runs), sheets_of(runs), {"many": "many"}, ["many"])["many"]
    assert strip.of == 18 * 8 > MOST
    assert [len(trap) for trap in strip.traps] == [1] * 18
    assert (strip.worked, sum(trap[0].worked for trap in strip.traps)) == (2, 2)


def test_the_page_compares_only_as_far_as_claims_support_it(html: str) -> None:
    board = flock_board()
    assert unsupported(html, (*board.claims, *flock_page().context.claims), slugs_of(board)) == []


def test_board_and_reports_say_one_verdict() -> None:
    data = flock_data()
    told = {one.results.name: report_top(one).verdict for one in all_agent_stats(data)}
    takes = page_of(data).context.answer.takes
    assert takes
    assert all(take.decision == told[take.name].decision for take in takes)
    assert told["idle"].decided == "No"


def test_the_same_runs_make_the_same_bytes(html: str) -> None:
    assert html_of(page_of(data_of(flock()))) == html


def test_one_agent_has_a_headline_of_its_own_and_comparisons_say_they_need_two() -> None:
    html = html_of(page_of(data_of([planted("solo", cost=0.01)])))
    assert "Comparisons need two agents; this board has one." in html
    assert "solo answered 162 support tickets." in html
    assert "one run each" in html


def test_no_agent_at_all_says_what_to_run() -> None:
    data = flock_data()
    empty = replace(data.board, agents=(), claims=())
    html = html_of(
        page_of(data._replace(board=empty, recommendation=recommend(empty, data.recommendation.limits)))
    )
    assert "No agent has been run yet.</h1>" in html
    assert "sab run" in html
    assert "<table" not in html


def test_a_partial_run_is_announced() -> None:
    half = [
        run._replace(verdicts=run.verdicts[::2]) if run.header.agent.endswith("hedge") else run
        for run in flock()
    ]
    html = html_of(page_of(data_of(half)))
    assert "2,430 of 2,700 conversations are finished; the figures of one agent will change." in html
    assert "of 540 conversations finished" in html


def test_a_metric_nobody_has_has_no_column_and_one_that_some_lack_a_dash() -> None:
    data = flock_data()
    assert 'data-key="missed"' not in html_of(page_of(without(data, "escalation")))
    first, *others = data.board.agents
    lacking = without(data._replace(board=replace(data.board, agents=(first,))), "resolution").board.agents[0]
    board = replace(data.board, agents=(lacking, *others))
    some = data._replace(board=board, recommendation=recommend(board, data.recommendation.limits))
    assert "<span>–</span>" in html_of(page_of(some))


def test_without_traps_nobody_is_suggested() -> None:
    assert "none is suggested.</h1>" in html_of(page_of(without(flock_data(), "unsafe")))


def test_names_are_text_wherever_they_stand() -> None:
    runs = [planted("<img src=x>", run, cost=0.01, over=run) for run in (1, 2)]
    html = html_of(page_of(data_of(runs)))
    assert "<img" not in html
    assert "<script>" not in html


def test_the_limits_stand_on_the_page(html: str) -> None:
    said = words_of(html)
    assert "How much to trust this" in said
    assert "Even after 0 of 54, up to 17% of new traps could work" in said


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
    runs = [
        planted(f"agent-{number}", run, over=number, unsafe=number % 5, missed=number % 3, cost=0.01)
        for number in range(24)
        for run in (1, 2, 3)
    ]
    html = html_of(page_of(data_of(runs)))
    assert html.count("<tr data-a=") >= 24
    assert len(gzip.compress(html.encode())) < 45_000
