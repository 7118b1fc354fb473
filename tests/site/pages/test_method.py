"""The method page is made from code and record, so it cannot say what is not so."""

import json
import re
from html import unescape
from pathlib import Path

import pytest
import yaml
from msgspec.structs import replace

from site_data import site_data_of
from supportagentbench.board.badges import RULES, WORDS
from supportagentbench.board.limits import LIMITS
from supportagentbench.board.metrics import METRICS, cards
from supportagentbench.board.recommendation import recommend
from supportagentbench.calibration.self_test import declared, self_test
from supportagentbench.records.board import CustomerFallbacks
from supportagentbench.records.fidelity import Fidelity
from supportagentbench.records.version import __version__
from supportagentbench.results.load import ScoredRun
from supportagentbench.site.answers.board_answer import board_answer
from supportagentbench.site.answers.limits import clean_sheet
from supportagentbench.site.answers.prose.sections import adherence
from supportagentbench.site.build import frame
from supportagentbench.site.data.agent_stats import AgentStats
from supportagentbench.site.data.index import ranked_agents
from supportagentbench.site.data.quote import kept_words
from supportagentbench.site.data.site_data import SiteData
from supportagentbench.site.lint import unsupported, words_of
from supportagentbench.site.number import percent
from supportagentbench.site.pages.method import CITATION, MethodContext, commands, pages, read_self_test
from supportagentbench.site.pages.page import SitePage, render
from supportagentbench.site.pages.rules import pages as rules_pages
from supportagentbench.world.folder import read_world

MOST_WORDS = 4_000


@pytest.fixture(scope="module")
def data(small_runs: Path) -> SiteData:
    return site_data_of(small_runs)


def page_of(data: SiteData) -> SitePage[MethodContext]:
    return next(pages(data, kept_words(data)))


@pytest.fixture(scope="module")
def page(data: SiteData) -> SitePage[MethodContext]:
    return page_of(data)


@pytest.fixture(scope="module")
def html(data: SiteData, page: SitePage[MethodContext]) -> str:
    return render(page, frame(data, [page]))


@pytest.fixture(scope="module")
def said(html: str) -> str:
    return " ".join(words_of(html).split())


def test_buckets_have_their_counts_and_what_is_ideal(page: SitePage[MethodContext], said: str) -> None:
    assert [(line.title, line.cases, len(line.families)) for line in page.context.buckets] == [
        ("Routine tickets", 120, 20),
        ("Tickets that need a person", 24, 4),
        ("Traps", 18, 18),
    ]
    assert "18 honest twins" in said


def test_every_metric_stands_on_a_card_with_all_it_says(page: SitePage[MethodContext], said: str) -> None:
    lines = page.context.cards
    assert {metric.name for line in lines for metric in line.metrics} >= {metric.name for metric in METRICS}
    beside_a_model = {"settled_resolution", "resolution_agreement"}
    assert {line.name for line in lines} == set(cards()) - beside_a_model, "only code judged these runs"
    for card in (card for name, card in cards().items() if name not in beside_a_model):
        assert all(threat in said for threat in card.threats)
        assert card.denominator in said and card.not_for in said


def test_a_harm_counts_the_traps_that_worked_on_ranked_agents(
    data: SiteData, page: SitePage[MethodContext], html: str
) -> None:
    lines = {line.harm.name: line for line in page.context.harms}
    assert set(lines) == {sheet.harm.name for sheet in data.cases.values() if sheet.harm}
    ranked = {agent.name for agent in ranked_agents(data.board)}
    for line in lines.values():
        fired = [
            row
            for row in data.rows
            if row.outcome.name == "unsafe"
            and data.cases[row.case].harm == line.harm
            and not data.cases[row.case].twin_of
            and row.agent in ranked
        ]
        assert line.unsafe == len(fired)
        assert line.link.replace("&", "&amp;") in html


def test_it_is_short(demo_site: Path) -> None:
    """Everything on the page counts, folded or not."""
    assert 1_500 < len(words_on(demo_site / "method.html")) <= MOST_WORDS


def words_on(path: Path) -> list[str]:
    page = path.read_text()
    body = page[page.index("<body") :]
    return re.sub(r"<(script|style).*?</\1>|<[^>]*>", " ", body, flags=re.DOTALL).split()


def test_the_drawing_has_a_sentence_for_every_station(page: SitePage[MethodContext], html: str) -> None:
    assert [one.title for one in page.context.stations] == [
        *("Customer", "Agent", "Tools", "Record", "Checks", "Verdict", "Judges"),
    ]
    assert html.count('<svg class="icon"') == len(page.context.stations)
    assert all(one.sentence in unescape(html) for one in page.context.stations)


def test_rules_are_counted_alike_on_every_page(data: SiteData, html: str) -> None:
    """All rules of the policy, also those that came up in no conversation of an agent."""
    rules = len(data.headers[0].rules)
    (page,) = rules_pages(data)
    shown = render(page, frame(data, [page]))
    assert shown.count('id="rule-') == rules and f"{rules} rules decide" in shown
    assert f"The desk's {rules} rules" in html
    for agent in data.board.agents:
        told = " ".join(adherence(AgentStats(data, agent)))
        assert {int(found) for found in re.findall(r"of (\d+) rules", told)} <= {rules}


def test_the_policy_is_what_the_agents_were_given(data: SiteData) -> None:
    (page,) = rules_pages(data)
    assert "A2. Before any change" in render(page, frame(data, [page]))


def test_none_of_54_allows_what_it_allows_on_the_board(data: SiteData, said: str) -> None:
    clean = clean_sheet(data.recommendation)
    assert clean is not None and clean.of == 54
    for bound in (clean.same, clean.new):
        assert f"0 of 54 allows up to {percent(bound, clean.of)}" in said
    assert percent(clean.new, clean.of) in board_answer(data.recommendation, data.slugs).doubt


def test_without_a_clean_agent_the_first_figure_has_both_ranges(data: SiteData) -> None:
    fell = [agent for agent in data.board.agents if (found := agent.of("unsafe")) and found.k]
    board = replace(data.board, agents=tuple(fell))
    names = {agent.name for agent in fell}
    some = data._replace(
        board=board,
        recommendation=recommend(board, LIMITS),
        runs=[run for run in data.runs if run.header.agent in names],
        rows=[row for row in data.rows if row.agent in names],
        excerpts=[],
        slugs={name: slug for name, slug in data.slugs.items() if name in names},
    )
    page = page_of(some)
    assert page.context.clean is None and page.context.doubtful is not None
    assert "54 of 54 traps: likely" in render(page, frame(some, [page]))


def test_what_dummies_do_is_what_the_board_says(demo_site: Path) -> None:
    page = (demo_site / "method.html").read_text()
    part = page[page.index('id="proof"') : page.index('id="customer"')]
    agents = json.loads((demo_site / "data/board.json").read_text())["agents"]
    dummies = [one for one in agents if f"agents/{one['slug']}.html" in part]
    assert len(dummies) == 8
    for one in dummies:
        [pairs] = [metric for metric in one["metrics"] if metric["metric"] == "pairs"]
        assert f">{pairs['numerator']} of {pairs['denominator']}</a> pairs right" in part


def test_rules_of_badges_are_printed_word_for_word(said: str) -> None:
    assert all(f"“{WORDS[badge]}”: {rule}" in said for badge, rule in RULES.items())


def test_it_compares_nothing_that_no_claim_bears_out(data: SiteData, html: str) -> None:
    assert unsupported(html, data.board.claims, list(data.slugs)) == []


def test_the_judge_that_is_code_is_called_so(said: str) -> None:
    assert "No model judged these runs." in said


def test_judges_that_are_models_are_held_against_each_other(data: SiteData) -> None:
    """A second judge that always says what the rules say agrees with them in everything."""
    runs = [
        ScoredRun(
            run.header,
            run.verdicts,
            (*run.judgements, *(replace(one, judge="some:model") for one in run.judgements)),
        )
        for run in data.runs
    ]
    board = replace(data.board, judges=("rules", "some:model"))
    page = page_of(data._replace(runs=runs, board=board))
    found = page.context.agreement
    assert found
    assert {judge.judge for judge in found.judges} == {"rules", "some:model"}
    assert all(kind.agreed == 1 for pair in found.pairs for kind in pair.kinds)
    assert "--judge some:model" in commands(data._replace(runs=runs, board=board))[1]
    html = render(page, frame(data, [page]))
    assert "some:model and rules, the same answer: " in html and "No model judged" not in html


def test_commands_are_what_it_takes(data: SiteData) -> None:
    first, *others = commands(data)
    assert first == (
        f"sab run {' '.join(data.slugs.values())} --world northline --set all --runs 3 --seed 0 --case-seed 0"
        " --customer scripted --channel email --out runs"
    )
    assert others == [
        "sab score runs",
        "sab board runs",
        "sab site build runs --out site",
        "sab site verify site",
    ]


def test_a_renamed_agent_is_run_under_the_name_in_its_runs(data: SiteData) -> None:
    shown = data._replace(
        runs=[run._replace(header=run.header.called(f"The {run.header.agent}")) for run in data.runs],
        recorded={f"The {shown}": recorded for shown, recorded in data.recorded.items()},
    )
    assert commands(shown)[0] == commands(data)[0]


def test_a_handbook_is_named_where_the_agents_worked_by_one(data: SiteData) -> None:
    runs = [ScoredRun(replace(run.header, desk="handbook"), *run[1:]) for run in data.runs]
    at_handbook = data._replace(runs=runs)
    assert " --channel email --desk handbook --out runs" in commands(at_handbook)[0]
    shown, usual = (
        render(page, frame(one, [page])) for one in (at_handbook, data) for page in rules_pages(one)
    )
    assert "work by a handbook to look things up in" in shown and "got this exact text" not in shown
    assert "handbook" not in usual and "got this exact text" in usual


def test_a_private_seed_is_not_given_away(data: SiteData) -> None:
    runs = [run._replace(header=replace(run.header, case_seed="private:abc")) for run in data.runs]
    assert "--private-seed SECRET" in commands(data._replace(runs=runs))[0]


def test_where_an_agents_code_ran_is_in_the_table_and_in_the_command(data: SiteData) -> None:
    runs = [run._replace(header=replace(run.header, isolation="process")) for run in data.runs]
    isolated = data._replace(runs=runs)
    assert "--isolate" in commands(isolated)[0] and "--isolate" not in commands(data)[0]
    page = page_of(isolated)
    assert "code ran in a separate process, with files, network and public cases open to it" in render(
        page, frame(isolated, [page])
    )


def test_it_is_cited_as_the_repository_says() -> None:
    path = Path(__file__).parents[3] / "CITATION.cff"
    facts = yaml.load(path.read_text(), yaml.CSafeLoader)
    assert {
        "title": facts["title"],
        "author": facts["authors"][0]["name"],
        "license": facts["license"],
    } == CITATION


def test_the_shipped_self_test_is_of_this_world_and_these_faults() -> None:
    found = read_self_test()
    assert found.package == __version__
    assert found.world_digest == read_world("northline").digest
    assert {kill.fault: (kill.about, kill.meant, kill.entailed) for kill in found.kills} == declared()
    assert all(kill.is_caught for kill in found.kills)
    assert {name for kill in found.kills for name in kill.moved} <= {metric.name for metric in METRICS}


@pytest.mark.slow
def test_the_shipped_self_test_is_what_prove_makes_today() -> None:
    assert read_self_test() == self_test("northline", 0)


def test_marred_conversations_are_counted_and_left_out_once_more(data: SiteData) -> None:
    entries = tuple(
        replace(
            entry,
            fidelity=Fidelity(9, 7, fell_back=2),
            fallbacks=CustomerFallbacks(2, 54, without=entry.estimates[:1], chance={"resolution": chance}),
        )
        for entry, chance in zip(data.board.agents, (0.0005, *[0.9] * 9), strict=False)
    )
    board = replace(data.board, agents=entries, fallback_chance=0.0005)
    marred = data._replace(board=board)
    text = " ".join(words_of(render(page := page_of(marred), frame(marred, [page]))).split())
    assert "2 of 54" in text
    assert "shares as uneven as these would have p < 0.001" in text
    picked = {word.agent: word.uneven for word in page.context.fidelity}
    assert picked == {entry.name: ["resolution"] if entry is entries[0] else [] for entry in entries}


def test_nobody_is_told_that_customers_are_like_people(said: str) -> None:
    assert "not validated against conversations with people" in said
