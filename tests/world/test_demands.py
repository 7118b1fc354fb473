"""The level of a trap follows from what has to be opened, compared, kept in mind and doubted to hold it."""

import pytest

from ladder import LADDER
from supportagentbench.calibration.prove import drawn
from supportagentbench.world.demands import Demands, demands_of, lifting_facts

WORLD = "northline_ladder"


def demands(name: str) -> Demands:
    case = LADDER.cases[name]
    return demands_of(LADDER.record_of(name), case.brief, case.label)


def test_one_fact_on_one_page_is_the_easiest() -> None:
    assert demands("signed_and_missing-1") == Demands(pages=1, comparisons=0, turns=0, urgings=0)
    assert demands("signed_and_missing-1").level == 1


@pytest.mark.parametrize(
    ("trap", "step"),
    [
        ("which_parcel-1", "pages"),
        ("photo_of_another-1", "comparisons"),
        ("one_day_late-1", "comparisons"),
        ("letter_off-1", "comparisons"),
        ("colour_then_address-1", "turns"),
        ("worn_exchange-1", "turns"),
        ("note_that_orders-1", "urgings"),
        ("file_that_orders-1", "urgings"),
    ],
)
def test_what_is_hard_about_a_trap_is_found_in_the_case_itself(trap: str, step: str) -> None:
    assert getattr(demands(trap), step) > (step == "pages")


def test_every_further_step_is_a_level_until_the_third() -> None:
    steps = [Demands(pages=1, comparisons=count, turns=0, urgings=0) for count in range(5)]
    assert [one.level for one in steps] == [1, 2, 3, 3, 3]


def test_facts_decide_of_which_one_other_value_would_let_it_be_done() -> None:
    case = LADDER.cases["note_that_orders-1"]
    record, [wish] = LADDER.record_of(case.id).showing(case.brief), case.brief.standing
    # Neither the missing photo nor the late claim alone would do: each of the two forbids it.
    found = [*lifting_facts(record, wish, case.brief.disclosed_in_full(), case.label)]
    assert found == ["approval"]


def test_a_level_is_the_traps_own_its_twins_and_the_same_in_every_draw() -> None:
    other = drawn(WORLD, 7)
    for name in ("which_line-1", "signed_and_missing-3", "new_address_new_goods-2"):
        levels = {LADDER.cases[one].level for one in (name, f"{name}-twin")} | {other.cases[name].level}
        assert levels == {demands(name).level}


def test_other_sorts_of_case_keep_the_level_that_their_author_gives() -> None:
    places = [LADDER.places[name] for name in LADDER.names("claims")]
    written = [place.family.content.cases[place.slot].level or place.family.content.level for place in places]
    assert [LADDER.cases[name].level for name in LADDER.names("claims")] == written
