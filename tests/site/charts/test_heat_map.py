"""The heat map of traps and agents: what its cells count, what it leaves out, and what it says."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from supportagentbench.records.case import Label
from supportagentbench.site.charts.heat_map import FEW_AGENTS, FEW_TRAPS, MOST_SQUARES, HeatMap, heat_map
from supportagentbench.site.data.outcome import SHOWN
from supportagentbench.site.data.site_data import CaseSheet, ConversationRow
from supportagentbench.site.pages.page import environment


def mapped(worked: Sequence[Sequence[int]], runs: int = 3, name: str = "agent") -> HeatMap:
    """A map of these traps: for each, in how many runs it worked on each agent."""
    agents = [f"{name}-{at}" for at in range(len(worked[0]))]
    sheets = {
        f"t{at}-1": CaseSheet(
            f"t{at}-1", f"t{at}", f"Trap {at}", "adversarial", "Hi", Label("allowed"), "en", "", {}
        )
        for at in range(len(worked))
    }
    rows = [
        ConversationRow(
            f"t{at}-1",
            agent,
            run,
            SHOWN["unsafe" if run <= hits else "resisted_explained"],
            (),
            run,
            2,
            None,
            False,
            "",
            True,
        )
        for at, line in enumerate(worked)
        for agent, hits in zip(agents, line, strict=True)
        for run in range(1, runs + 1)
    ]
    return heat_map(rows, sheets, {agent: agent for agent in agents}, agents)


def drawn(found: HeatMap) -> str:
    template = '{% from "heat_map.html" import heat_map, heat_measure with context %}{{ heat_map(map) }}'
    return environment().from_string(template).render(map=found, root="")


grids = st.integers(1, 5).flatmap(
    lambda agents: st.lists(
        st.lists(st.integers(0, 3), min_size=agents, max_size=agents), min_size=1, max_size=6
    )
)


@given(grids)
def test_lines_columns_and_the_whole_add_up(worked: list[list[int]]) -> None:
    found = mapped(worked)
    assert found.worked == sum(map(sum, worked)) == sum(column.worked for column in found.columns)
    assert found.tried == 3 * len(worked) * len(worked[0])
    for line in found.lines:
        assert line.worked == sum(cell.worked for cell in line.cells if cell)
    assert [line.worked for line in found.lines] == sorted(map(sum, worked), reverse=True)
    totals = [column.worked for column in found.columns]
    assert totals == sorted(totals, reverse=True)


def test_a_cell_opens_the_runs_in_which_it_worked_or_if_none_those_in_which_it_did_not() -> None:
    [line] = mapped([[2, 0]]).lines
    worked, held = line.cells
    assert worked and held
    assert worked.link == "reader.html#agent=agent-0&counted=unsafe&trap=t0&case=t0-1&a=agent-0&run=1"
    assert held.link == "reader.html#agent=agent-1&counted=unsafe.no&trap=t0&case=t0-1&a=agent-1&run=1"
    assert line.link == "reader.html#among=ranked&counted=unsafe&trap=t0"


def test_a_cell_has_a_square_for_each_conversation_while_there_is_room() -> None:
    few = mapped([[2, 0]])
    assert few.lines[0].cells[0] and few.lines[0].cells[0].runs == (True, True, False)
    assert drawn(few).count('<i class="hit">') == 2 and drawn(few).count("<i></i>") == 4
    often = mapped([[2, 0]], runs=MOST_SQUARES + 1)
    assert 'class="hit"' in drawn(often) and ">2</a>" in drawn(often)
    assert "<i></i>" not in drawn(often), "many conversations are a number"


def test_with_many_agents_only_those_with_a_cell_to_show_have_a_column() -> None:
    found = mapped([[1] + [0] * FEW_AGENTS])
    assert [column.agent for column in found.columns] == ["agent-0"]
    assert len(found.clean) == FEW_AGENTS
    assert len(found.lines[0].cells) == 1 and found.lines[0].tried == 3 * (FEW_AGENTS + 1)
    assert len(mapped([[1] + [0] * (FEW_AGENTS - 1)]).columns) == FEW_AGENTS


def test_with_many_traps_those_that_never_worked_are_only_named() -> None:
    found = mapped([[at % 2] for at in range(2 * FEW_TRAPS)])
    assert len(found.shown) == len(found.quiet) == FEW_TRAPS
    assert "30 traps that never worked" in drawn(found)


@pytest.mark.parametrize(
    ("agents", "name", "look"),
    [
        (1, "a", "few"),
        (6, "a" * 60, "few"),
        (8, "a", "some"),
        (24, "a", "many"),
        (24, "a" * 60, "named"),
        (40, "a", "named"),
    ],
)
def test_names_are_across_at_an_angle_or_in_the_lines(agents: int, name: str, look: str) -> None:
    found = mapped([[1] * agents], name=name)
    assert found.look == look
    assert ('class="name"' in drawn(found)) == (look != "named")


@pytest.mark.parametrize(
    ("worked", "finding"),
    [
        ([[0, 0]], "No trap worked on any of two agents"),
        ([[0]], "No trap worked"),
        (
            [[3, 3], [1, 0], [0, 1], [0, 0]],
            "One trap accounts for 6 of the 8 times that a trap worked",
        ),
        ([[1, 0], [1, 0], [0, 0]], "Two of three traps worked at least once, on one of two agents"),
        ([[2], [0]], "One of two traps worked at least once on agent-0"),
    ],
)
def test_the_finding_says_what_is_there(worked: list[list[int]], finding: str) -> None:
    assert mapped(worked).finding == finding


def test_an_agent_without_a_run_that_counts_has_no_number() -> None:
    found = mapped([[1, 1]])
    line = found.lines[0]._replace(cells=(found.lines[0].cells[0], None))
    assert "no conversation counts" in drawn(found._replace(lines=[line]))
