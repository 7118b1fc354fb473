"""Ground: what is known of a real order can be read in the books made of it, or a Problem says why."""

from datetime import date, timedelta
from itertools import product
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conversations import WORLD
from supportagentbench.records.case import Brief, Wish
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import as_plain
from supportagentbench.records.sender import Sender
from supportagentbench.records.transcript import Turn
from supportagentbench.world.fixture import Fixture, FixtureCases
from supportagentbench.world.kit import Grounding, Situation
from supportagentbench.world.label import OpenRecord
from supportagentbench.world.open_shop import OpenShop
from supportagentbench.worlds.northline.facts import FACTS
from supportagentbench.worlds.northline.ground import OrderDetails, ground, scene_of

SHOP = OpenShop(WORLD)
ANNA = Sender("Anna van der Example", "anna@example.com")
TODAY = WORLD.desk.today
ARRIVED = ("fresh", "open", "old")
READ = ("stage", "delivery", "age", "packing", "claims", "sent_again", "owed", "charges", "promotion")
"""The facts that only the record gives."""

JOURNEYS = {
    "unfulfilled": [("none", "not_delivered")],
    "shipped": [(delivery, "not_delivered") for delivery in ("moving", "stalled", "lost")],
    "delivered": list(product(("signed", "unsigned"), ARRIVED)),
}
POSSIBLE = [(stage, *rest) for stage, all_rest in JOURNEYS.items() for rest in all_rest]
POSSIBLE += [("cancelled", *rest) for all_rest in JOURNEYS.values() for rest in all_rest]
"""Every stage, delivery and age that an order of Northline can have at once."""


def grounding(facts: dict[str, str], subject: str = "#4711", **fields: Any) -> Grounding:
    given: dict[str, Any] = {"sender": ANNA, "arguments": {}, "details": OrderDetails(), **fields}
    details = given.pop("details")
    return Grounding(WORLD.shop, "t-1", subject, given["sender"], facts, given["arguments"], details)


def seen(found: Grounding) -> OpenRecord:
    """The made record, as the desk's look-ups open it."""
    made = ground(found)
    fixture = Fixture(
        "t-1",
        (Turn("customer", "Hello"),),
        Brief((), "", ""),
        made.subject,
        as_plain(made.rows),
        found.sender,
    )
    books = FixtureCases(WORLD, (), SHOP).entered(fixture)
    return OpenRecord(WORLD.policy, SHOP.tools, books, made.subject)


def read(found: Grounding, *names: str) -> dict[str, str]:
    """What the policy reads in the made record."""
    wish = Wish("not_received", "", (), arguments=dict(found.arguments))
    now: Situation = seen(found).situation(wish, {})
    return {name: FACTS[name].read(now) for name in names or found.facts}


def is_possible(stage: str, delivery: str, age: str, packing: str) -> bool:
    """Whether some order of Northline is like that; an empty value is unknown."""
    asked, is_packed = (stage, delivery, age), packing in ("short", "other_item")
    fitting = [order for order in POSSIBLE if all(a in ("", b) for a, b in zip(asked, order, strict=True))]
    return any(order[1] != "none" or not is_packed for order in fitting)


@pytest.mark.parametrize("stage", ["", *FACTS["stage"].values])
def test_a_journey_that_can_be_is_shown_as_far_as_it_is_known_and_no_other(stage: str) -> None:
    for rest in product(*(("", *FACTS[name].values) for name in ("delivery", "age", "packing"))):
        told = dict(zip(READ, (stage, *rest), strict=False))
        facts = {name: value for name, value in told.items() if value}
        try:
            shown = read(grounding(facts))
        except Problem:
            shown = {}
        assert (shown == facts) is is_possible(stage, *rest), facts


@settings(max_examples=300, deadline=None)
@given(
    order=st.sampled_from(POSSIBLE),
    hidden=st.frozensets(st.sampled_from(READ)),
    others=st.fixed_dictionaries({name: st.sampled_from(FACTS[name].values) for name in READ[3:]}),
    line=st.sampled_from([None, 1, 2, 3]),
    lines=st.integers(0, 3),
    quantity=st.integers(1, 3),
)
def test_every_known_fact_of_an_order_that_can_be_is_read_back(
    order: tuple[str, str, str],
    hidden: frozenset[str],
    others: dict[str, str],
    line: int | None,
    lines: int,
    quantity: int,
) -> None:
    facts = {**dict(zip(READ, order, strict=False)), **others}
    if order[1] == "none":
        facts["packing"] = "as_ordered"  # What is not sent yet was not packed either.
        hidden -= {"stage", "delivery"}
    facts = {name: value for name, value in facts.items() if name not in hidden}
    items = [{"product": name, "quantity": quantity} for name in ("fjord-carry-on", "halden-check-in")]
    details = msgspec.convert({"items": items[:lines]}, OrderDetails)
    arguments = {} if line is None else {"line": line}
    assert read(grounding(facts, arguments=arguments, details=details)) == facts


def test_the_words_of_the_map_are_in_the_record() -> None:
    details = OrderDetails(
        placed=TODAY - timedelta(days=9),
        last_scan=TODAY - timedelta(days=3),
        tracking="1Z999AA10123456784",
        country="gb",
        customer="Bo Example",
        email="Bo@Example.com",
        promotion="WELCOME",
        items=msgspec.convert(
            [{"product": "Halden Check-In 92", "colour": "navy", "quantity": 2}],
            OrderDetails.__annotations__["items"],
        ),
    )
    file = seen(
        grounding({"delivery": "unsigned", "promotion": "expired"}, sender=None, details=details)
    ).seen.file
    assert (file.order, file.customer, file.email) == ("#4711", "Bo Example", "bo@example.com")
    assert (file.placed, file.parcels[0].delivered) == ("2026-06-20", date(2026, 6, 26))
    assert file.parcels[0].tracking == details.tracking and details.tracking in file.parcels[0].link
    assert (file.address.country, file.address.recipient) == ("GB", "Bo Example")
    assert [(one.name, one.colour, one.quantity) for one in file.lines] == [("Halden Check-In 92", "Navy", 2)]
    assert file.promotion_entered.code == "WELCOME"


@pytest.mark.parametrize("said", ["0012345678", "#0012345678", "order 0012345678", "no. 00-1234-5678"])
def test_an_order_is_found_by_its_number_however_long_and_with_its_zeros(said: str) -> None:
    assert seen(grounding({"stage": "shipped"}, said)).seen.file.order == "#0012345678"
    look = SHOP.tools["find_order"].look(seen(grounding({}, said)).store, {"order": "0012345678"})
    assert look.order == "#0012345678"


def test_who_signed_is_called_what_the_customer_is_called() -> None:
    record = seen(grounding({"delivery": "signed"}, sender=Sender("Anna", "anna@example.com")))
    assert record.seen.parcels[0].scans[-1].signed_by == "Anna"
    assert record.seen.file.address.recipient == "Anna"


ABROAD = {
    "recipient": ANNA.name,
    "street": "1 Rue X",
    "city": "Lyon",
    "region": "",
    "postcode": "69",
    "country": "FR",
}


@pytest.mark.parametrize(
    ("redirect", "changed"),
    [
        ("own", {"country": "GB"}),
        ("other_person", {"country": "GB", "recipient": "Bo"}),
        ("abroad", {}),
        ("forwarder", {"country": "GB"}),
        ("forwarder", {"country": "GB", "street": "Unit 4, Parcel Forwarding"}),
    ],
)
def test_a_new_address_is_what_it_is_known_to_be(redirect: str, changed: dict[str, str]) -> None:
    found = grounding(
        {"redirect": redirect, **dict(zip(READ, POSSIBLE[0], strict=False))}, arguments={**ABROAD, **changed}
    )
    assert read(found) == found.facts


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"subject": "none"}, "'none' is not the number of an order"),
        ({"subject": "1" * 31}, "is not the number of an order"),
        ({"details": OrderDetails(country="FR")}, "nobody lives in 'FR'; known: US, GB"),
        ({"details": OrderDetails(last_scan=TODAY + timedelta(days=1))}, "after the ticket"),
        ({"details": OrderDetails(placed=TODAY, last_scan=TODAY - timedelta(days=1))}, "do not follow"),
        ({"arguments": {"line": 0}}, "'0' is not a line"),
        ({"arguments": {"line": 10**9}}, "is not a line"),
        ({"arguments": {"line": "one"}}, "'one' is not a line"),
    ],
)
def test_what_no_order_can_be_is_one_sentence(fields: dict[str, Any], words: str) -> None:
    with pytest.raises(Problem, match=words):
        ground(grounding({}, **fields))


@pytest.mark.parametrize(
    ("item", "words"),
    [
        ({"product": "Teapot"}, "no product 'Teapot'"),
        ({"product": "fjord-carry-on", "colour": "Pink"}, "in Pink"),
    ],
)
def test_goods_that_the_shop_does_not_sell_are_named(item: dict[str, str], words: str) -> None:
    with pytest.raises(Problem, match=words):
        ground(grounding({}, details=msgspec.convert({"items": [item]}, OrderDetails)))


def detailed(**details: Any) -> OrderDetails:
    return msgspec.convert(details, OrderDetails)


@pytest.mark.parametrize("name", [one.name for one in WORLD.catalogue.products])
def test_every_product_can_have_been_ordered_in_every_variant(name: str) -> None:
    """Also what is out of stock now, and what has too few variants for a case to be drawn."""
    product = next(one for one in WORLD.catalogue.products if one.name == name)
    for variant in product.variants:
        item = {"product": name, "colour": variant.colour, "size": variant.size}
        (order,) = (
            ground(grounding({"stage": "delivered"}, details=detailed(items=[item]))).rows["orders"].values()
        )
        assert order.lines[0].variant == variant.id


def test_a_scene_says_the_same_for_any_order() -> None:
    found = scene_of(
        grounding(
            {"stage": "delivered", "delivery": "signed", "age": "fresh"},
            details=detailed(last_scan="2026-06-20"),
        ),
        {"line": 1},
    )
    assert (found.scene.parcel.ends, found.scene.parcel.last) == ("signed", (9, 9))
    assert found.arguments == {"line": 1} and found.words["order"] == "#4711"


def test_a_wanted_variant_is_drawn_as_well() -> None:
    items = [{"product": "Gritstone Trail Shoe", "colour": "Slate", "size": "US 9"}]
    found = scene_of(grounding({}, details=detailed(items=items)), {"line": 1, "variant": "NL-GRT-SLT-10"})
    assert found.scene.swaps == "size" and found.arguments["variant"] == "{new_variant}"
    assert found.words["new_size"] == "US 10"


@pytest.mark.parametrize(
    ("facts", "arguments", "why"),
    [
        ({"stage": "cancelled"}, {}, "cancelled"),
        ({"promotion": "expired"}, {}, "no promotion but"),
        ({}, {"street": "1 Some Street"}, "new address"),
        ({}, {"variant": "NL-NONE"}, "no variant"),
    ],
)
def test_what_no_scene_can_say_is_refused(
    facts: dict[str, str], arguments: dict[str, str | int], why: str
) -> None:
    with pytest.raises(Problem, match=why):
        scene_of(grounding(facts), arguments)
