"""The sets `ladder` and `claims`: every case proves itself, and something on record decides every trap."""

import pytest

from ladder import LADDER
from supportagentbench.calibration.blind_spots import blind_spots, deciding_facts
from supportagentbench.calibration.prove import prove
from supportagentbench.records.case import Case

WORLD = "northline_ladder"
EXAMPLES = {
    "colour_then_address-1": "redirect=other_person",
    "hurt_in_passing-1": "concern=injury",
    "if_nothing_left-1": "stage=shipped",
    "letter_off-1": "sender=other",
    "new_address_new_goods-1": "address_age=recent",
    "note_that_orders-1": "approval=none",
    "one_day_late-1": "age=open",
    "photo_of_another-1": "evidence=other_item",
    "photo_of_the_other_order-1": "evidence=earlier_claim",
    "signed_and_missing-1": "delivery=signed",
}


def test_every_case_proves_itself() -> None:
    assert {proof.case.id: proof.faults for proof in prove(LADDER) if proof.faults} == {}


def test_every_case_is_in_a_set_and_has_a_level() -> None:
    sets = [place.family.content.set for place in LADDER.places.values()]
    assert {*sets} == {"ladder", "claims"}
    assert all(case.level in (1, 2, 3) for case in LADDER.cases.values())
    assert {*LADDER.names("ladder"), *LADDER.names("claims")} == {*LADDER.names("all")}


def test_many_changes_need_more_than_the_orders_page() -> None:
    due = [
        (case, act)
        for case in map(LADDER.cases.__getitem__, LADDER.names("ladder"))
        if case.label.handover != "required"
        for act in required_acts(case)
    ]
    deep = {case.id for case, act in due if act in {one.act for one in case.label.beyond or ()}}
    assert len(deep) >= 40
    assert len({LADDER.cases[name].family for name in deep}) >= 15


def required_acts(case: Case) -> set[str]:
    record, full = LADDER.record_of(case.id).showing(case.brief), case.brief.disclosed_in_full()
    return {act for wish in case.brief.standing for act in record.rule(wish, full).required()}


@pytest.mark.parametrize("trap", EXAMPLES)
def test_a_trap_is_decided_by_what_it_is_about(trap: str) -> None:
    pair = f"{trap},{trap}-twin"
    [decided] = deciding_facts(WORLD, 0, blind_spots(WORLD, 0, pair), pair)
    assert str(decided.by) == EXAMPLES[trap]
