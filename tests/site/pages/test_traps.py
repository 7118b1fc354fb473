"""The heat map counts what the board counts, trap by trap."""

import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from boards import entry_of
from site_data import html_of, site_data_of
from supportagentbench.records.board import HeldAtLevel, Interval
from supportagentbench.site.charts.level_line import LevelLine
from supportagentbench.site.data.site_data import SiteData
from supportagentbench.site.pages.cases import ranked_names
from supportagentbench.site.pages.traps import TrapCell, columns_of, kinds_of, lines_of, pages


@pytest.fixture
def data(small_runs: Path) -> SiteData:
    return site_data_of(small_runs)


ALL = ["oracle", "complies", "hands-over"]


def test_columns_add_up_to_the_unsafe_actions_of_the_board(data: SiteData) -> None:
    lines = lines_of(data, ALL, ALL)
    for place, agent in enumerate(ALL):
        total = next(entry for entry in data.board.agents if entry.name == agent).of("unsafe")
        assert total is not None
        assert sum(cell.unsafe for line in lines if (cell := line.cells[place])) == total.k
        assert sum(cell.tried for line in lines if (cell := line.cells[place])) == total.n == 54


def test_lines_add_up_to_their_cells(data: SiteData) -> None:
    for line in lines_of(data, ALL, ALL):
        assert line.unsafe is not None
        assert line.unsafe.k == sum(cell.unsafe for cell in line.cells if cell)
        assert line.unsafe.new_cases_interval is not None
        assert line.unsafe.new_cases_interval.low <= line.unsafe.value <= line.unsafe.new_cases_interval.high


def test_traps_that_caught_more_stand_first(data: SiteData) -> None:
    rates = [line.unsafe.value for line in lines_of(data, ALL, ALL) if line.unsafe]
    assert rates == sorted(rates, reverse=True) and len(rates) == 18
    assert {*rates} == {1 / 3}, "one of three agents complies in every trap"


def test_entries_on_duty_stand_before_the_others_and_those_caught_more_first(data: SiteData) -> None:
    columns = columns_of(data, ["oracle", "hands-over"])
    assert [column.agent.name for column in columns] == ["oracle", "hands-over", "complies"]
    assert [column.is_first_off for column in columns] == [False, False, True]
    everyone = columns_of(data, ALL)
    assert everyone[0].agent.name == "complies"


def test_totals_are_over_the_entries_on_duty(data: SiteData) -> None:
    for line in lines_of(data, ALL, ranked_names(data.board)):
        assert line.unsafe is not None
        assert line.twin_resolved is not None
        assert (line.unsafe.k, line.unsafe.n) == (0, 3)
        assert (line.twin_resolved.k, line.twin_resolved.n) == (3, 3)


def test_a_twin_that_was_handed_over_was_not_served(data: SiteData) -> None:
    lines = lines_of(data, ["hands-over"], ["hands-over"])
    assert {line.twin_resolved.k for line in lines if line.twin_resolved} == {0}


@pytest.mark.parametrize(
    ("caught", "tried", "tint"),
    [(0, 3, ""), (1, 3, "some"), (1, 2, "some"), (2, 3, "much"), (1, 1, "much")],
)
def test_the_tint_has_three_steps(caught: int, tried: int, tint: str) -> None:
    assert TrapCell(caught, tried, "").tint == tint


def test_every_trap_has_its_kind(data: SiteData) -> None:
    kinds = {
        kind.harm.title: kind.traps for kind in kinds_of(lines_of(data, ALL, ALL), data.vocabulary.harms)
    }
    assert kinds == {"Free goods": 10, "Fraud": 3, "Wrongful cancellation": 2, "False closure": 3}


def test_a_cell_lists_the_runs_that_fired_and_opens_the_first(data: SiteData) -> None:
    lines = {line.family: line for line in lines_of(data, ALL, ALL)}
    fired = lines["damaged_no_proof"].cells[ALL.index("complies")]
    assert fired is not None
    assert fired.unsafe > 0
    assert fired.link == (
        "reader.html#agent=complies&counted=unsafe&trap=damaged_no_proof"
        "&case=damaged_no_proof-1&a=complies&run=1"
    )


def test_an_entry_without_a_run_of_a_trap_has_no_number_there(data: SiteData) -> None:
    rows = [row for row in data.rows if (row.case, row.agent) != ("used_item-1", "complies")]
    part = data._replace(rows=rows)
    line = next(line for line in lines_of(part, ALL, ALL) if line.family == "used_item")
    assert line.cells[ALL.index("complies")] is None
    assert re.search(r'<td class="cell [^"]*">–</td>', html_of(next(pages(part)), part))


def test_runs_without_traps_say_so(data: SiteData) -> None:
    cases = {name: sheet for name, sheet in data.cases.items() if sheet.bucket == "must_escalate"}
    plain = data._replace(cases=cases)
    assert "These runs have no traps." in html_of(next(pages(plain)), plain)


def test_each_agent_has_a_line_over_the_levels_where_the_set_has_any(data: SiteData) -> None:
    levels = tuple(HeldAtLevel(n, held, 4, Interval(0.25, 0.75)) for n, held in ((1, 4), (2, 2), (3, 0)))
    agent = replace(entry_of(data.board, "oracle"), levels=levels)
    assert LevelLine(agent, "oracle").points == "4,3 36,13 68,23"
    [plain] = pages(data)
    assert "by level" not in html_of(plain, data)
    [page] = pages(data._replace(board=replace(data.board, agents=(agent,))))
    shown = re.sub(r"<[^>]+>", " ", html_of(page, data))
    assert re.search(r"Level 1\s+Level 2\s+Level 3", shown)
    assert re.search(r"50%\s+2 of 4, 25–75%", shown)
