"""Northline's record of a real order, and its scene."""

from datetime import date
from typing import Any

import msgspec
import pytest

from conversations import WORLD
from supportagentbench.records.problem import Problem
from supportagentbench.world.kit import Grounding

KIT = WORLD.kit
TODAY = date(2026, 6, 29)


def grounding(facts: dict[str, str], **details: Any) -> Grounding:
    made = msgspec.convert(details, KIT.details)
    return Grounding(WORLD.shop._replace(today=TODAY), "t-1", "#7104", None, facts, made)


def drawn(facts: dict[str, str], **details: Any) -> dict[str, Any]:
    assert KIT.ground
    return KIT.ground(grounding(facts, **details)).rows


@pytest.mark.parametrize("name", [one.name for one in WORLD.catalogue.products])
def test_every_product_can_have_been_ordered_in_every_variant(name: str) -> None:
    """Also what is out of stock now, and what has too few variants for a case to be drawn."""
    product = next(one for one in WORLD.catalogue.products if one.name == name)
    for variant in product.variants:
        item = {"product": name, "colour": variant.colour, "size": variant.size}
        (order,) = drawn({"stage": "delivered"}, items=[item])["orders"].values()
        assert order.lines[0].variant == variant.id


def test_a_customer_has_as_many_earlier_claims_as_the_rule_counts() -> None:
    rows = drawn({"stage": "shipped", "delivery": "lost", "claims": "many"})
    assert sum(map(len, rows["claims"].values())) >= WORLD.policy.measures.many_claims


def test_an_unknown_colour_is_refused() -> None:
    with pytest.raises(Problem, match="has no Fjord Carry-On 38 in Beige"):
        drawn({}, items=[{"product": "Fjord Carry-On 38", "colour": "Beige"}])


def test_a_scene_says_the_same_for_any_order() -> None:
    assert KIT.scene_of
    found = KIT.scene_of(
        grounding({"stage": "delivered", "delivery": "signed", "age": "fresh"}, last_scan="2026-06-20"),
        {"line": 1},
    )
    assert (found.scene.parcel.ends, found.scene.parcel.last) == ("signed", (9, 9))
    assert found.arguments == {"line": 1} and found.words["order"] == "#7104"


def test_a_wanted_variant_is_drawn_as_well() -> None:
    assert KIT.scene_of
    items = [{"product": "Gritstone Trail Shoe", "colour": "Slate", "size": "US 9"}]
    found = KIT.scene_of(grounding({}, items=items), {"line": 1, "variant": "NL-GRT-SLT-10"})
    assert found.scene.swaps == "size" and found.arguments["variant"] == "{new_variant}"
    assert found.words["new_size"] == "US 10"


@pytest.mark.parametrize(
    ("facts", "arguments", "why"),
    [
        ({"stage": "cancelled"}, {}, "cancelled"),
        ({}, {"street": "1 Some Street"}, "new address"),
        ({}, {"variant": "NL-NONE"}, "no variant"),
    ],
)
def test_what_no_scene_can_say_is_refused(
    facts: dict[str, str], arguments: dict[str, str | int], why: str
) -> None:
    assert KIT.scene_of
    with pytest.raises(Problem, match=why):
        KIT.scene_of(grounding(facts), arguments)
