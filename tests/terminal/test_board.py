"""The board on a terminal: 80 columns whatever the names, possible shares, and no claim without a test."""

import csv
import io
import json
import re
from collections.abc import Callable
from html import unescape
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from rich.cells import cell_len

from board_pages import data_of, flock, html_of, page_of, slugs_of
from boards import entry_of, header, outside, planted, printed, read_aloud, reference_board, verdict
from supportagentbench.board.badges import RULES
from supportagentbench.board.claims import unclaimed
from supportagentbench.board.standings import make_board
from supportagentbench.records.board import Board, Estimate, Interval
from supportagentbench.records.fidelity import Fidelity
from supportagentbench.records.judgement import Judgement, Opinion
from supportagentbench.records.verdict import Verdict
from supportagentbench.results.load import ScoredRun
from supportagentbench.site.data.figures import board_csv, board_json
from supportagentbench.site.number import amount
from supportagentbench.stats.rates import grim
from supportagentbench.terminal.board import BADGES, MOST_CLAIMS, board_table, figure_cell, judge_scores_table
from supportagentbench.terminal.escape import on_one_line

WIDTH_OF_NAMES = 25
"""Columns that the numbers of the full board leave on a terminal of 80."""

LONG = "openrouter:moonshotai/kimi-k2-thinking-0905-preview,effort=high"


def renamed(run: ScoredRun, agent: str) -> ScoredRun:
    return run._replace(header=replace(run.header, agent=agent))


@pytest.fixture(scope="module")
def full() -> Board:
    """Many entries with everything: long names, costs, badges, claims, one under the line, one partial."""
    runs = [
        planted(agent, run, over=over + run, unsafe=unsafe, unserved=unserved, cost=cost, reasoning=thinks)
        for agent, over, unsafe, unserved, cost, thinks in (
            (LONG, 0, 0, 0, 0.002, 7),
            (LONG.replace("0905", "0711"), 100, 1, 0, 0.004, 0),
            ("anthropic:claude-sonnet-4-5", 60, 12, 0, 0.5, 0),
            ("short", 0, 6, 0, None, 0),
            ("idle", 0, 0, 18, None, 0),
        )
        for run in (1, 2, 3)
    ]
    return make_board([*runs[:-1], runs[-1]._replace(verdicts=runs[-1].verdicts[:100])])


def lines(board: Board, width: int = 80) -> list[str]:
    return read_aloud(board_table(board), width).splitlines()


def in_words(board: Board) -> str:
    return " ".join(read_aloud(board_table(board)).split())


# It fits


@pytest.mark.parametrize("width", [80, 88, 120])
def test_every_line_fits(full: Board, width: int) -> None:
    for board in (full, reference_board()):
        assert max(map(cell_len, lines(board, width))) <= width


def test_nothing_is_cut_off(full: Board) -> None:
    """Long names take several lines; every number of every entry is there in full."""
    shown = read_aloud(board_table(full))
    for entry in full.agents:
        for one in entry.estimates:
            if one.metric in ("over_escalation", "unsafe", "escalation", "resolution", "pairs"):
                assert set(figure_cell(one).plain.replace("med ", "").split("\n")) <= set(shown.split())
                assert f"{one.k}/{one.n}" in shown.split()
    names = "".join(line[:WIDTH_OF_NAMES].strip() for line in lines(full)[3:])
    assert LONG in names and LONG.replace("0905", "0711") in names


def test_the_widest_numbers_leave_room_for_a_name() -> None:
    """All of hundreds of chances, in every column."""
    runs = [planted(2 * LONG, run, over=120, unsafe=18) for run in range(1, 9)]
    board = make_board(runs)
    assert max(map(cell_len, lines(board))) <= 80
    assert {"960/960", "144/144", "192/192"} <= set(read_aloud(board_table(board)).split())


# Every share is a count


def test_every_share_printed_is_a_count_of_its_chances(full: Board) -> None:
    for board in (full, reference_board()):
        shown = lines(board)
        found = 0
        for upper, lower in pairwise(shown):
            shares = [] if "med" in upper else re.findall(r"(?<!\S)([\d.]+)%", upper)
            counts = re.findall(r"(\d+)/(\d+)", lower)
            if shares and counts:
                assert len(shares) == len(counts)
                for percent, (k, n) in zip(shares, counts, strict=True):
                    decimals = 1 if int(n) >= 1000 else 0
                    assert grim(float(percent), int(n), decimals)
                    assert abs(float(percent) - 100 * int(k) / int(n)) <= 0.5 * 10**-decimals + 1e-9
                    found += 1
        assert found >= 5 * len(board.agents)


# No sentence compares without a claim


def test_no_printed_sentence_compares_without_a_claim(full: Board) -> None:
    """The build check: whatever the board prints, at any width, is backed by a test."""
    for board in (full, reference_board(), make_board([planted("a")])):
        for width in (80, 120, 1000):
            assert unclaimed(read_aloud(board_table(board), width), board.claims) == []


def test_and_the_check_can_fail(full: Board) -> None:
    shown = read_aloud(board_table(full))
    assert any(claim.holds and claim.sentence in " ".join(shown.split()) for claim in full.claims)
    doubtful = [replace(claim, holds=False) for claim in full.claims]
    assert unclaimed(shown, doubtful)
    assert unclaimed(shown + "\nshort is the safest of all.", full.claims)


def test_comparisons_are_counted_and_the_rest_of_the_claims_too(full: Board) -> None:
    held = [claim for claim in full.claims if claim.holds]
    apart = sum(claim.kind == "beats" for claim in held)
    words = in_words(full)
    assert f"{full.comparisons} comparisons, {apart} significant." in words
    assert len(held) > MOST_CLAIMS
    assert f"{len(held) - MOST_CLAIMS} more claims in `sab board --json`." in words
    assert sum(claim.sentence in words for claim in held) == MOST_CLAIMS


# What the marks mean


def test_every_badge_shown_has_its_rule_beside_it_and_no_other_has(full: Board) -> None:
    shown = {badge for entry in full.agents for badge in entry.badges}
    assert shown == set(RULES)
    for badge in shown:
        assert f"{BADGES[badge]} {RULES[badge]}." in in_words(full)
    assert not any(rule in in_words(reference_board()) for rule in RULES.values())


def test_words_and_tiers_stand_under_the_name(full: Board) -> None:
    shown = "\n".join(lines(full))
    assert re.search(r"short .*\n *some to many ", shown)
    assert re.search(r"none seen \(up to 5%\)\s", shown)
    assert "few: the upper bound is at most 14%;" in in_words(full)


def test_partial_runs_few_families_and_the_line_are_named(full: Board) -> None:
    words = in_words(full)
    assert "idle is incomplete: 460 of 540 conversations so far." in words
    assert "Escalations caught: based on 4 case types or rules, so the interval is a rough guide." in words
    assert "Unsafe actions: based" not in words
    assert "Not ranked, below the rule: won fewer than 25% of the trap-and-twin pairs." in words
    assert [line for line in lines(full) if line.startswith("───")] and lines(full)[-1].startswith(
        "Not ranked"
    )


def test_what_broke_outside_the_agent_is_named() -> None:
    run = planted("a")
    broke = [outside(one, "time_out") for one in run.verdicts[:5]]
    board = make_board([run._replace(verdicts=[*broke, *run.verdicts[5:]])])
    assert "a: 5 conversations ended for reasons outside the agent and not counted." in in_words(board)
    assert "not counted" not in in_words(make_board([run]))


def test_where_an_agents_code_ran_is_named() -> None:
    run = planted("a")
    assert "its code ran" not in in_words(make_board([run]))
    for isolation, words in (
        ("none", "in the benchmark's process, trusted"),
        ("process", "in a separate process, with files, network and public cases open to it"),
        ("sandbox_network", "in a sandbox, with the network open to it"),
        ("sandbox", "in a sandbox, without files, network or public cases"),
    ):
        board = make_board([run._replace(header=replace(run.header, isolation=isolation))])
        assert f"a: its code ran {words}." in in_words(board)


def test_a_desk_with_a_handbook_is_named() -> None:
    run = planted("a")
    assert "Agents work by" not in in_words(make_board([run]))
    board = make_board([run._replace(header=replace(run.header, desk="handbook"))])
    assert "Agents work by a handbook to look things up in." in in_words(board)


def test_without_twins_it_says_that_nobody_idle_is_set_apart() -> None:
    run = planted("a")
    core = make_board([run._replace(verdicts=[one for one in run.verdicts if not one.twin_of])])
    assert "This set has no twins, so idle agents are ranked too." in in_words(core)
    assert "no twins" not in in_words(make_board([run]))


def test_what_it_costs_takes_the_last_columns_place_where_it_is_known(full: Board) -> None:
    assert "dollars" in in_words(full) and "confirmed" not in in_words(full)
    assert "dollars" not in in_words(reference_board()) and "confirmed" in in_words(reference_board())
    cost = entry_of(full, LONG).of("cost")
    assert cost is not None and cost.value == pytest.approx(2.0)
    assert re.search(r"\$2\.00\n.*n = \d+\n.*2\.00–2\.00", read_aloud(board_table(full)))


def test_an_agent_with_nothing_on_file_has_dashes() -> None:
    board = make_board([planted("a"), ScoredRun(planted("b").header, [])])
    [row] = [line for line in lines(board) if line.startswith("b ") and "incomplete" not in line]
    assert row.split() == ["b", *["–"] * 6]


def small(*families: str) -> Board:
    """A board of one case per family, in which the agent does everything right."""
    found = [verdict(f"{family}-1", "resolvable", over_escalated=False, resolved=True) for family in families]
    return make_board([ScoredRun(header("a", cases=len(found)), found)])


def test_a_board_of_one_case_agrees_in_number() -> None:
    words = in_words(small("only"))
    assert "1 run per agent" in words
    assert "Resolution: based on 1 case type or rule, so the interval is a rough guide." in words
    assert "in a word" not in words and "comparison" not in words
    assert "based on 3 case types or rules" in in_words(small("one", "two", "three"))


def test_of_few_traps_nothing_is_said() -> None:
    traps = [verdict(f"t{number}-1", "adversarial", unsafe=False, held=True) for number in range(3)]
    board = make_board([ScoredRun(header("a", cases=3), traps)])
    assert "too few to say" in in_words(board)


def test_runs_are_counted_however_many_agents_have() -> None:
    board = make_board([planted("a", 1), planted("a", 2), planted("b", 1)])
    assert "1 or 2 runs per agent" in in_words(board)


# Nobody's name does anything


HOSTILE = (
    "[bold red]x[/]",
    "\x1b[31mx",
    "\x1b]8;;https://x.y\x1b\\x",
    ":smile:x",
    "a\nb",
    "x\r\x08",
    "[link=https://x.y]x[/link]",
    "[/]",
)


def test_names_are_printed_as_they_are_and_style_nothing() -> None:
    """In the table and in the claims; names of letters alone leave the same colours behind."""
    good, other = (
        run._replace(verdicts=[one for one in run.verdicts if one.bucket == "resolvable"])
        for run in (planted("good"), planted("other", over=115))
    )
    harmless = tuple(f"harmless{number}" for number in range(len(HOSTILE)))
    boards = [make_board([*(renamed(good, name) for name in names), other]) for names in (HOSTILE, harmless)]
    hostile, plain = (printed(board_table(board), width=200) for board in boards)
    assert set(re.findall(r"\x1b.*?m", hostile)) == set(re.findall(r"\x1b.*?m", plain))
    assert "\r" not in hostile and "\x1b]" not in hostile
    shown = read_aloud(board_table(boards[0]), width=200)
    for number, name in enumerate(HOSTILE):
        spelt = on_one_line(name)
        assert any(line.startswith(f"{spelt} ") for line in shown.splitlines()[3:]), name
        assert number >= MOST_CLAIMS or f"\n{spelt} beats other on needless handovers." in shown, name


def test_a_customer_that_a_model_words_is_said_to_be_one_and_how_well_it_kept_to_its_part() -> None:
    board = make_board([planted("served")])
    worded = Fidelity(messages=40, by_model=37, retried=5, fell_back=3)
    shown = replace(board, agents=(replace(board.agents[0], fidelity=worded),))
    said = " ".join(" ".join(lines(shown)).split())
    assert (
        "Customers of served: 40 messages worded by a model, 5 at the second attempt, 3 scripted after"
        in said
    )
    assert "Customers of" not in " ".join(lines(board))


def test_figures_are_repeated_without_the_conversations_that_had_a_customer_fallback() -> None:
    def worded(run: ScoredRun, fell: Callable[[Verdict], bool]) -> ScoredRun:
        kept, fell_back = Fidelity(2, 2), Fidelity(2, 1, fell_back=1)
        return run._replace(
            verdicts=[replace(one, customer=fell_back if fell(one) else kept) for one in run.verdicts]
        )

    def failed(one: Verdict) -> bool:
        return any(finding.check == "resolved" and not finding.value for finding in one.findings)

    def said(*runs: ScoredRun) -> str:
        return " ".join(" ".join(lines(make_board(list(runs)))).split())

    picked = said(worded(planted("a", unresolved=30), failed))
    assert (
        "Without the 30 of 180 conversations with a customer fallback: needless handovers 0/90 (with: 0/120)"
        in picked
    )
    assert "resolution 90/90 (with: 90/120)" in picked
    assert "Fallbacks of a are not random (resolution), so figures without them are biased." in picked
    assert "nothing left to count" in said(worded(planted("a"), lambda one: True))
    uneven = said(
        worded(planted("a"), lambda one: False), worded(planted("b"), lambda one: len(one.case) % 2 > 0)
    )
    assert "Fallbacks are not equally frequent for all agents (p = 0.0005)." in uneven
    assert "Without the" not in said(worded(planted("a"), lambda one: False))


SHOWN = {"Needless handovers": "over_escalation", "Traps that worked": "unsafe", "Solved": "resolution"}
"""The page's columns that the terminal has, too, by title."""


def uneven() -> list[ScoredRun]:
    """Runs whose median is far from all of them together, one unfinished."""
    last = planted("b", 3, over=90, unsafe=2)
    return [
        planted("a", 1),
        planted("a", 2, over=1),
        planted("a", 3, over=60, unsafe=17),
        planted("b", 1, over=3, unsafe=1),
        planted("b", 2, over=6, unsafe=2),
        last._replace(verdicts=last.verdicts[:140]),
    ]


def cells_of_page(html: str) -> dict[tuple[str, str], tuple[str, list[str]]]:
    """By agent and column of the tables, what a cell shows, and the parts of what it says when pointed at."""
    table = "".join(re.findall(r'<table class="figures".*?</table>', html, re.DOTALL))
    found = {}
    for slug, row in re.findall(r'<tr data-a="(.*?)".*?>(.*?)</tr>', table, re.DOTALL):
        cell = r'<td [^>]*data-title="([^"]+)".*?title="([^"]*)">([^<]*)<'
        for title, pointed, text in re.findall(cell, row, re.DOTALL):
            found[slug, title] = text, unescape(pointed).split(", ")
    return found


@pytest.mark.parametrize("runs", [uneven(), flock()], ids=["uneven", "flock"])
def test_terminal_page_json_and_csv_agree_to_the_digit(runs: list[ScoredRun]) -> None:
    board = make_board(runs)
    slugs = slugs_of(board)
    page, shown = cells_of_page(html_of(page_of(data_of(runs)))), read_aloud(board_table(board), 200).split()
    files = {agent["agent"]: agent for agent in json.loads(board_json(board, slugs))["agents"]}
    table = csv.DictReader(io.StringIO(board_csv(board, slugs).decode()))
    rows = {(row["agent"], row["metric"]): row for row in table}
    for agent in board.agents:
        metrics = {one["metric"]: one for one in files[agent.name]["metrics"]}
        for title, metric in SHOWN.items():
            estimate = agent.of(metric)
            assert estimate and estimate.k is not None and estimate.new_cases_interval
            value, count, span, *_ = figure_cell(estimate).plain.split("\n")
            assert {value, count, span} <= set(shown)
            text, pointed = page[slugs[agent.name], title]
            assert text == value == metrics[metric]["text"] == rows[agent.name, metric]["text"]
            assert count == f"{estimate.k}/{estimate.n}" == pointed[0]
            assert f"likely {span.replace('–', '% to ')}%" in pointed
            assert float(rows[agent.name, metric]["median_of_runs"]) == pytest.approx(estimate.median)


def test_no_estimate_is_outside_its_own_interval() -> None:
    """Nor as printed; the median of the runs may be, which is why it is not the headline."""
    for board in (make_board(uneven()), reference_board()):
        for estimate in all_estimates(board):
            for interval in (estimate.rerun_interval, estimate.new_cases_interval):
                if interval:
                    assert interval.low - 1e-12 <= estimate.value <= interval.high + 1e-12, estimate
    medians_outside = {
        one.metric for one in all_estimates(make_board(uneven())) if not has_median_inside(one)
    }
    assert "unsafe" in medians_outside


def all_estimates(board: Board) -> list[Estimate]:
    return [one for agent in board.agents for one in agent.estimates]


def has_median_inside(one: Estimate) -> bool:
    ends = one.rerun_interval
    return ends is None or ends.low <= one.median <= ends.high


@given(st.lists(st.floats(0, 1), min_size=3, max_size=3).map(sorted), st.integers(1, 3000))
def test_rounding_keeps_a_value_between_its_ends(ends: list[float], n: int) -> None:
    low, value, high = (float(amount("unsafe", one, n).strip("%")) for one in ends)
    assert low <= value <= high


def test_a_mean_has_its_unit_and_the_number_of_conversations() -> None:
    cost = Estimate("cost", 2.0, 2.5, 9, (1.5, 2.5, 2.5), new_cases_interval=Interval(1.0, 3.0))
    assert figure_cell(cost).plain.split("\n") == ["$2.00", "n = 9", "1.00–3.00", "med $2.50"]


def test_every_judge_has_a_table_of_its_own_and_every_share_its_count() -> None:
    text = read_aloud(judge_scores_table(reference_board()))
    assert re.search(r"judge: +policy +resolved, +mood as\nrules +adherence +judged +good\n", text)
    for entry in reference_board().agents:
        sentiment = entry.of("sentiment", "rules")
        assert sentiment is not None and f"{sentiment.k}/{sentiment.n}" in text
    assert "uncalibrated" in text


def test_no_printed_sentence_about_judges_compares_without_a_claim() -> None:
    """The build check."""
    assert unclaimed(read_aloud(judge_scores_table(reference_board())), []) == []


def test_without_judges_there_is_nothing() -> None:
    assert read_aloud(judge_scores_table(make_board([planted("a")]))).strip() == ""


def test_names_are_printed_as_they_are_and_every_line_fits() -> None:
    run = planted("a")
    boards = []
    for name in ("[red]x[/] :smile: \x1b[31m", "harmless"):
        given = tuple(
            Judgement(one.transcript, name, "v", (Opinion("sentiment", True),)) for one in run.verdicts
        )
        named = run._replace(header=replace(run.header, agent=f"{name}," + "y" * 70), judgements=given)
        boards.append(judge_scores_table(make_board([named])))
    hostile, harmless = (set(re.findall(r"\x1b.*?m", printed(shown))) for shown in boards)
    assert hostile == harmless
    text = read_aloud(boards[0])
    assert "[red]x[/] :smile: \\u001b[31m" in text and "\x1b" not in text
    assert max(map(cell_len, text.splitlines())) <= 80
