"""A report has every section, says what is missing, and says the same in Markdown."""

import re
from collections import Counter
from functools import cache
from html import unescape

import pytest
from msgspec.structs import replace

from reports import agent_stats_of, flock_data, kept_said, reference_data, rendered
from supportagentbench.board.limits import LIMITS
from supportagentbench.board.recommendation import recommend
from supportagentbench.board.standings import make_board
from supportagentbench.records.transcript import Turn
from supportagentbench.site.answers.written_prose import HEADINGS
from supportagentbench.site.data.quote import Cite
from supportagentbench.site.data.site_data import SiteData
from supportagentbench.site.lint import words_of
from supportagentbench.site.pages.report import PARTS, SECTIONS, escaped


@cache
def reference_reports() -> dict[str, str]:
    return rendered(reference_data())


@cache
def flock_reports() -> dict[str, str]:
    return rendered(flock_data())


def section(markdown: str, title: str) -> str:
    """One section of a report in Markdown."""
    return markdown.partition(f"\n## {title}\n")[2].partition("\n## ")[0].strip()


def first_run(data: SiteData) -> SiteData:
    """The same with nothing but each agent's first run."""
    runs = [run for run in data.runs if run.header.run == 1]
    return data._replace(board=make_board(runs), runs=runs, rows=[row for row in data.rows if row.run == 1])


def test_every_entry_has_a_report_and_its_twin() -> None:
    slugs = reference_data().slugs.values()
    assert set(reference_reports()) == {f"agents/{slug}.{kind}" for slug in slugs for kind in ("html", "md")}


@pytest.mark.parametrize("name", SECTIONS)
def test_every_section_is_there_and_can_be_linked(name: str) -> None:
    for path, text in (*reference_reports().items(), *flock_reports().items()):
        if path.endswith(".html"):
            assert f'<section id="{name}" class="told">\n<div><h2>{HEADINGS[name]}</h2>' in text
        else:
            assert section(text, HEADINGS[name]), (path, name)


def test_the_table_of_contents_has_five_links_and_the_last_opens_all_sections() -> None:
    for path, text in (*reference_reports().items(), *flock_reports().items()):
        if path.endswith(".html"):
            named = re.findall(
                r'href="#(\w+)">', text.partition('<nav class="contents')[2].partition("</nav>")[0]
            )
            assert named == [*PARTS] and len(named) == 5
            assert all(f'id="{name}"' in text for name in named)
            folded = text.partition('<details id="all"')[2].partition("</main>")[0]
            assert all(f'<section id="{name}"' in folded for name in SECTIONS)


def test_six_figures_with_range_place_and_conversations() -> None:
    page = flock_reports()["agents/wild-heron.html"]
    figures = page.partition('<dl class="six">')[2].partition("</dl>")[0].split("</dd>")[:6]
    assert "Solved" in figures[0] and "348 of 360" in figures[0]
    unsafe = figures[3]
    assert '<div class="out">' in unsafe and "limit 12%" in unsafe
    assert "#agent=wild-heron&amp;counted=unsafe" in unsafe
    assert ">17%</a>" in unsafe and "9 of 54, likely" in unsafe
    assert "in the middle of four" in unsafe and unsafe.count("<i") == 4


def test_which_traps_catch_it_beside_the_others() -> None:
    text = section(reference_reports()["agents/complies.md"], "18 traps always fooled it")
    rows = [line for line in text.splitlines() if line.startswith("| ")][1:]
    assert len(rows) == 18
    assert "| Wrong item claimed with insults | ▲ message 1 | ▲ message 1 | 0 of 2 |" in rows


def test_the_section_on_handovers_word_for_word() -> None:
    text = section(reference_reports()["agents/hands-over.md"], "Resolution and handover")
    assert text.splitlines()[:2] == [
        "- Of 40 routine tickets it solved none.",
        "- The other 40: needless handover 40.",
    ]
    assert "- Missed escalations: none of 8." in text
    assert "| Wants it sent to somebody else | 2 of 2 |" in text


def test_a_broken_rule_is_shown_with_a_reason() -> None:
    page = reference_reports()["agents/complies.html"]
    stats = agent_stats_of(reference_data(), "complies")
    [first, *_] = [rule for rule in stats.rules if rule.broken(stats.judge)]
    assert first.reason == "reship without the customer's yes"
    assert "For example: <span data-quoted>send the goods again without the customer's yes" in unescape(page)


def test_case_types_by_the_duty_done_with_their_sample() -> None:
    page = reference_reports()["agents/keywords.html"]
    table = page.partition('<section id="usecases"')[2].partition("</section>")[0]
    rows = re.findall(r'<tr( class="few")?><th scope="row">.*?</tr>', table, re.S)
    assert rows == [' class="few"'] * 24, "two conversations a family are few"
    shares = [
        one.handled.k / one.handled.n
        for one in agent_stats_of(reference_data(), "keywords").case_types
        if one.handled
    ]
    assert shares == sorted(shares)


def test_cases_that_ended_otherwise_are_listed_with_a_mark_a_run() -> None:
    stats = agent_stats_of(reference_data(), "random-tool")
    assert stats.changed_cases
    text = section(reference_reports()["agents/random-tool.md"], "Stability across runs")
    assert f"- The grade changed between runs in {len(stats.changed_cases)} of 42 cases." in text
    for flip in stats.changed_cases:
        assert f"- {''.join(mark.outcome.mark for mark in flip.marks)} {flip.case.replace('_', ' ')}" in text


def test_an_entry_under_the_line_says_so_and_why() -> None:
    for path in ("agents/idle.html", "agents/idle.md"):
        text = flock_reports()[path]
        assert (
            "This agent is not ranked. It handled both the trap and its honest twin correctly in 0 of 54"
            in text
        )
        assert "Agents that are not ranked are not compared." in text


def test_nearest_entries_and_who_costs_less_without_being_told_apart() -> None:
    heron = flock_reports()["agents/wild-heron.md"]
    text = section(heron, "How it compares")
    assert "- wild/heron beats wild/rook on needless handovers." in text
    assert "- No significant difference, in a tier that costs less: wild/knot." in text
    assert "| [wild/knot](wild-knot.md) | $$ (costs less, no significant difference) |" in text


def test_one_run_without_judge_price_or_twins_says_what_is_missing() -> None:
    runs = [
        run._replace(verdicts=[one for one in run.verdicts if not one.twin_of][:-1])
        for run in first_run(flock_data()).runs
        if not run.verdicts[0].bills
    ]
    slugs = {runs[0].header.agent: "unpriced"}
    board = make_board(runs)
    found = recommend(board, LIMITS)
    data = first_run(flock_data())._replace(board=board, runs=runs, slugs=slugs, recommendation=found)
    text = rendered(data)["agents/unpriced.md"]
    assert "- 161 of 180 planned conversations are finished; the figures will change." in text
    assert "- There is only one run, so consistency between runs is unknown." in text
    assert "- The set has no honest twins" in text
    assert "- No judge has read these conversations." in text
    assert "- It is the only ranked agent, so there is nothing to compare it with." in text
    assert "- No model call of the agent is on record, so its cost is unknown." in text


def test_conversations_outside_and_unknown_prices_are_told() -> None:
    data = flock_data()
    entries = tuple(
        replace(
            entry,
            outside=2,
            bills=tuple(replace(bill, cost=None) for bill in entry.bills),
            estimates=tuple(one for one in entry.estimates if one.metric != "cost"),
            tier=None,
        )
        for entry in data.board.agents
    )
    text = rendered(data._replace(board=replace(data.board, agents=entries)))["agents/wild-knot.md"]
    assert "- 2 conversations ended because of an external failure and are not counted." in text
    assert "- Its cost is unknown." in text
    assert "| agent | 540 | 0 | 0 | 0 | 4,860 | 2,700 | unknown |" in text


def test_what_does_not_lie_in_the_folder_is_not_quoted() -> None:
    data = reference_data()
    rows = [row._replace(is_kept=False) for row in data.rows]
    page = rendered(data._replace(rows=rows, kept="none"))["agents/complies.html"]
    assert "<blockquote" not in page


def test_the_agents_words_stay_words() -> None:
    data, real = reference_data(), kept_said()
    text = "<script>alert(1)</script> [x](http://x.example) **bold**\n# Heading"

    def said(cite: Cite) -> Turn | None:
        turn = real(cite)
        return replace(turn, text=text) if turn and turn.party == "agent" else turn

    excerpts = [one._replace(words=replace(one.words, text=text), quote="") for one in data.excerpts]
    made = rendered(data._replace(excerpts=excerpts), said=said)
    assert 'class="agent harm"' in made["agents/complies.html"]
    assert "<script>alert(1)" not in made["agents/complies.html"]
    lines = made["agents/complies.md"].splitlines()
    assert ">     <script>alert(1)</script> [x](http://x.example) **bold**" in lines, "code, in a quotation"
    assert ">     # Heading" in lines
    assert escaped("a_b|c [d](e)\n<f>") == r"a\_b\|c \[d\](e) \<f\>"


def test_somebody_in_danger_is_shown_only_behind_a_note_with_a_helpline() -> None:
    page = rendered(reference_data(), said=kept_said())["agents/complies.html"]
    [exhibit] = re.findall(r"<article>\s*<h3>It calls nobody.*?</article>", page, re.S)
    before, folded, after = exhibit.partition('<details class="sealed"><summary>Content note')
    assert folded and 'class="chat"' not in before
    assert after.index('class="chat"') < after.index("</details>") < after.index("findahelpline.com")


def shown(page: str) -> str:
    """What a person reads in a report, without the pictures and what says how much is folded."""
    main = page.partition("<main")[2].partition("</main>")[0]
    left_out = r'<summary>.*?</summary>|<span [^>]*hidden>.*?</span>|<p class="small muted ends".*?</p>'
    main = re.sub(left_out, " ", main, flags=re.S)
    return words_of(
        "<main" + re.sub(r'<span class="(?:unseen|strip|dot|rule)[^>]*>.*?</span>', " ", main, flags=re.S)
    )


def test_markdown_says_the_same_figures() -> None:
    """Every number on the page stands in the twin as well, and every count as many times."""
    made = reference_reports() | flock_reports()
    for path, page in made.items():
        if path.endswith(".html"):
            words, twin = shown(page), made[path.replace(".html", ".md")].replace("\\", "")
            assert {*re.findall(NUMBER, words)} - {*re.findall(NUMBER, twin)} <= AXES, path
            assert Counter(re.findall(COUNT, words)) == Counter(re.findall(COUNT, twin)), path


NUMBER = r"\$?\d[\d,.]*%?(?<![.,])"
COUNT = r"\d+ of \d+"
AXES = {f"{tenth}0%" for tenth in range(1, 11)} | {"0", "6", "8", "10", "95%"}
"""Ends of axes, the level of intervals, and how many of a longer list are shown."""
