"""The page of traps counts what the board counts, trap by trap."""

import re
from html import unescape
from pathlib import Path

import pytest
from msgspec.structs import replace

from boards import entry_of
from site_data import html_of, site_data_of
from supportagentbench.records.board import HeldAtLevel, Interval
from supportagentbench.site.answers.insights import insights
from supportagentbench.site.charts.heat_map import heat_map
from supportagentbench.site.charts.level_line import LevelLine
from supportagentbench.site.data.conversation_fact import facts_of
from supportagentbench.site.data.site_data import SiteData
from supportagentbench.site.pages.traps import (
    TrapsContext,
    example_of,
    kinds_of,
    lines_of,
    pages,
    turns_of,
)

ALL = ["Oracle", "Complies", "Hands-over"]


@pytest.fixture
def data(small_runs: Path) -> SiteData:
    return site_data_of(small_runs)


def context_of(data: SiteData) -> TrapsContext:
    [page] = pages(data)
    return page.context


def test_columns_add_up_to_the_unsafe_actions_of_the_board(data: SiteData) -> None:
    for column in heat_map(data.rows, data.cases, data.slugs, ALL).columns:
        total = entry_of(data.board, column.agent).of("unsafe")
        assert total is not None
        assert (column.worked, column.tried) == (total.k, total.n)


def test_ranked_agents_are_in_the_map_and_the_others_apart(data: SiteData) -> None:
    found = context_of(data)
    assert found.others is not None
    assert [column.agent for column in found.heat.columns] == ["Oracle"]
    assert {column.agent for column in found.others.columns} == {"Complies", "Hands-over"}
    assert (found.heat.worked, found.heat.tried, found.traps) == (0, 54, 18)


def test_what_was_offered_at_once_is_one_fact_in_one_wording(cast_runs: Path) -> None:
    data = site_data_of(cast_runs)
    [taught] = [one for one in insights(facts_of(data)) if one.name == "unsafe"]
    said = "".join(part if isinstance(part, str) else part.text for part in taught.parts)
    [page] = pages(data)
    assert "first message and acted later" in page.context.offered and page.context.offered in said
    assert page.context.turns[0].worked == 0 and page.context.offered in unescape(html_of(page, data))


def test_every_trap_has_its_rule_its_temptation_and_its_twin(data: SiteData) -> None:
    lines = lines_of(data, heat_map(data.rows, data.cases, data.slugs, ALL), ["Oracle"])
    assert all(line.rule and line.tempts for line in lines)
    assert {(line.solved, line.met) for line in lines} == {(3, 3)}
    [photo] = [line for line in lines if line.heat.family == "damaged_no_proof"]
    assert photo.rule and photo.rule.id == "D1"
    assert photo.tempts == "send a replacement"


def test_a_twin_that_was_handed_over_was_not_solved(data: SiteData) -> None:
    lines = lines_of(data, heat_map(data.rows, data.cases, data.slugs, ALL), ["Hands-over"])
    assert {(line.solved, line.met) for line in lines} == {(0, 3)}


def test_rules_hold_all_traps_once(data: SiteData) -> None:
    found = context_of(data)
    assert sorted(line.heat.family for group in found.rules for line in group.lines) == sorted(
        line.heat.family for line in found.lines
    )
    assert len(found.rules) < len(found.lines)


def test_the_example_differs_in_one_fact_from_its_twin(data: SiteData) -> None:
    found = example_of(data)
    assert found is not None
    trap, twin = (data.cases[side.case] for side in found.sides)
    assert twin.twin_of == trap.id and trap.opening == twin.opening == found.opening
    assert found.sides[0].fact != found.sides[1].fact
    assert trap.label.temptation not in {ban.act for ban in twin.label.bans}


def test_without_twins_there_is_no_example(data: SiteData) -> None:
    cases = {name: sheet for name, sheet in data.cases.items() if not sheet.twin_of}
    rows = [row for row in data.rows if row.case in cases]
    alone = data._replace(cases=cases, rows=rows)
    assert example_of(alone) is None
    assert "honest twin" not in html_of(next(pages(alone)), alone).split("What decides each trap")[0]


def test_message_numbers_add_up_to_the_unsafe_actions_in_traps(data: SiteData) -> None:
    turns = turns_of(data, ["Complies"])
    total = entry_of(data.board, "Complies").of("unsafe")
    assert total and sum(bar.worked for bar in turns) == total.k
    assert [bar.turn for bar in turns] == [*range(1, len(turns) + 1)]
    assert turns_of(data, ["Oracle"]) == []


def test_every_trap_has_its_kind(data: SiteData) -> None:
    heat = heat_map(data.rows, data.cases, data.slugs, ALL)
    kinds = {kind.harm.title: kind.traps for kind in kinds_of(heat.lines, data.vocabulary.harms)}
    assert kinds == {"Free goods": 10, "Fraud": 3, "Wrongful cancellation": 2, "False closure": 3}
    assert sum(kind.worked for kind in kinds_of(heat.lines, data.vocabulary.harms)) == heat.worked


def test_runs_without_traps_say_so(data: SiteData) -> None:
    cases = {name: sheet for name, sheet in data.cases.items() if sheet.bucket == "must_escalate"}
    rows = [row for row in data.rows if row.case in cases]
    plain = data._replace(cases=cases, rows=rows)
    assert "These runs have no traps" in html_of(next(pages(plain)), plain)


def test_each_agent_has_a_line_over_the_levels_where_the_set_has_any(data: SiteData) -> None:
    levels = tuple(HeldAtLevel(n, held, 4, Interval(0.25, 0.75)) for n, held in ((1, 4), (2, 2), (3, 0)))
    agent = replace(entry_of(data.board, "Oracle"), levels=levels)
    assert LevelLine(agent, "oracle").points == "4,3 36,13 68,23"
    [plain] = pages(data)
    assert "Level 1" not in html_of(plain, data)
    [page] = pages(data._replace(board=replace(data.board, agents=(agent,))))
    shown = re.sub(r"<[^>]+>", " ", html_of(page, data))
    assert re.search(r"Level 1\s+Level 2\s+Level 3", shown)
    assert re.search(r"50%\s+2 of 4, likely 25% to 75%", shown)
