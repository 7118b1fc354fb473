"""Signs of a choice are read off headers: runs that are missing, other seeds, cases picked by name."""

import pytest
from msgspec.structs import replace

from conversations import CASES, HEADER
from supportagentbench.records.run import Run
from supportagentbench.records.selection import part_sign, planned_cases, selection_signs


def header(chosen: str, run: int = 1, seed: int = 0) -> Run:
    """A run of these cases, chosen in this way."""
    return replace(HEADER, run=run, seed=seed, set=chosen, cases=tuple(CASES.names(chosen)))


def test_runs_that_are_missing_and_other_seeds_are_signs() -> None:
    assert selection_signs([header("core"), header("core", run=2)]) == ()
    signs = selection_signs([header("core", run=3, seed=9)])
    assert [sign.split(":")[0] for sign in signs] == ["runs 1–2 are not here", "seed 9 instead of 0"]


@pytest.mark.parametrize("chosen", sorted(CASES.sets))
def test_no_set_of_the_world_is_a_part(chosen: str) -> None:
    assert part_sign([header(chosen)], planned_cases([header(chosen)])) == ""


@pytest.mark.parametrize(
    ("chosen", "count"),
    [("tracking-1", "1 case"), ("tracking", "6 cases"), ("tracking-1, damaged_no_proof-1-twin", "2 cases")],
)
def test_cases_that_were_picked_by_name_or_by_type_are_one(chosen: str, count: str) -> None:
    said = f"only {count}, chosen by name: a part of the set, which suggests no agent"
    assert part_sign([header("core"), header(chosen, run=2)], {}) == said


def test_a_set_and_a_case_more_are_chosen_by_name() -> None:
    assert "chosen by name" in part_sign([replace(header("core"), set="core,tracking-1")], {})


def test_who_planned_fewer_cases_of_the_same_draw_has_a_part() -> None:
    whole = header("core")
    fewer = replace(whole, cases=whole.cases[2:])
    planned = planned_cases([fewer, whole])
    assert part_sign([whole], planned) == ""
    assert f"only {len(whole.cases) - 2} cases, 2 fewer than others" in part_sign([fewer], planned)
    assert part_sign([replace(fewer, case_seed="7")], planned) == "", "another draw"
