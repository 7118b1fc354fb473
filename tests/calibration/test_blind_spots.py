"""Agents that are blind to one fact: which metrics notice, and what decides each trap."""

from pathlib import Path

import pytest
import yaml

from conversations import CASES, WORLD
from supportagentbench.calibration.blind import FactValue, fact_values, misread
from supportagentbench.calibration.blind_spots import BlindSpot, Decided, blind_spots, deciding_facts

PINNED = yaml.safe_load((Path(__file__).with_name("moved.yaml")).read_text())
TRAPS = [case.id for case in CASES.cases.values() if case.bucket == "adversarial"]


@pytest.fixture(scope="module")
def spots() -> list[BlindSpot]:
    return blind_spots("northline", 0)


@pytest.fixture(scope="module")
def decided(spots: list[BlindSpot]) -> list[Decided]:
    return deciding_facts("northline", 0, spots)


def test_every_value_of_every_fact_that_a_rule_looks_at_is_hidden_once() -> None:
    found = list(fact_values(WORLD.policy))
    assert len(found) == len(set(found)) == len(PINNED["blind"])
    assert FactValue("stage", "shipped") in found


def test_each_moves_exactly_the_metrics_pinned_for_it(spots: list[BlindSpot]) -> None:
    assert {str(spot.unseen): sorted(spot.moved) for spot in spots} == PINNED["blind"]


def test_none_moves_a_metric_that_has_nothing_to_do_with_decisions(spots: list[BlindSpot]) -> None:
    assert not [spot.unseen for spot in spots if spot.stray]


def test_what_no_case_has_is_no_occasion_and_moves_nothing(spots: list[BlindSpot]) -> None:
    without = {str(spot.unseen): spot.moved for spot in spots if not spot.occasions}
    assert "charges=single" in without and "leverage=status" in without
    assert not any(without.values())


def test_every_trap_has_a_deciding_fact(decided: list[Decided]) -> None:
    assert {one.trap: str(one.by) for one in decided} == PINNED["decides"]
    assert sorted(PINNED["decides"]) == sorted(TRAPS)


def test_a_trap_without_a_deciding_fact_is_named(spots: list[BlindSpot]) -> None:
    others = [spot for spot in spots if "serial_claimant-1" not in spot.felled]
    assert Decided("serial_claimant-1", None) in deciding_facts("northline", 0, others)


def test_who_does_not_see_a_value_takes_the_first_other_one_that_changes_what_is_done() -> None:
    facts = {name: values[0] for name, values in VALUES.items()}
    shipped = facts | {"request": "cancel", "stage": "shipped"}
    found = misread(WORLD.policy, shipped, FactValue("stage", "shipped"))
    assert found is not None and found.required() == ("cancel_order",)
    assert misread(WORLD.policy, shipped, FactValue("stage", "delivered")) is None


VALUES: dict[str, list[str]] = {}
for _one in fact_values(WORLD.policy):
    VALUES.setdefault(_one.fact, []).append(_one.value)
