"""Drawing a scene with several orders, parcels, serial numbers and senders."""

import pytest

from ladder import LADDER, SEAT, drawn

DELIVERED = {"ends": "delivered", "last": [30, 30]}


def test_a_plain_scene_is_drawn_as_northline_draws_it() -> None:
    scene = drawn(parcel=DELIVERED)
    [order] = scene.rows["orders"].values()
    assert (order.status, order.approvals, order.address_changed) == ("delivered", (), None)
    assert scene.sender is not None and scene.sender.email == order.email


def test_a_line_that_no_parcel_holds_has_not_shipped() -> None:
    lines = [{"kind": "suitcase"}, {"kind": "tote"}]
    scene = drawn(lines=lines, parcel={**DELIVERED, "lines": [2]})
    [order] = scene.rows["orders"].values()
    assert order.status == "shipped"
    assert [line.packed for line in order.lines] == [None, 1]


def test_every_parcel_has_its_own_way_and_number() -> None:
    lines = [{"kind": "suitcase"}, {"kind": "tote"}]
    more = [{"ends": "moving", "last": [2, 2], "lines": [2], "text": "LEAVE AT DOOR"}]
    scene = drawn(lines=lines, parcel={**DELIVERED, "lines": [1]}, more_parcels=more)
    first, second = scene.rows["parcels"].values()
    assert (first.lines, second.lines) == ((1,), (2,))
    assert first.tracking != second.tracking == scene.words["tracking2"]
    assert second.scans[-1].text == "LEAVE AT DOOR" and not first.scans[-1].text


def test_other_orders_are_the_same_persons() -> None:
    others = [{"placed": [90, 90], "parcel": {"ends": "signed", "last": [80, 80]}}, {"placed": [3, 3]}]
    scene = drawn(parcel=DELIVERED, others=others)
    orders = scene.rows["orders"]
    assert len(orders) == 3 and {order.email for order in orders.values()} == {*scene.rows["people"]}
    assert {scene.words["order2"], scene.words["order3"]} == {*orders} - {scene.subject}


def test_a_count_that_is_short_is_short_by_as_many_as_the_scene_says() -> None:
    line = {"kind": "organiser", "quantity": 5, "packed": "short", "short_by": 2, "serial": True}
    [order] = drawn(lines=[line], parcel=DELIVERED).rows["orders"].values()
    assert order.lines[0].packed == 3
    assert len({*order.lines[0].serials}) == 5


@pytest.mark.parametrize(
    ("writes_from", "same_name", "same_domain"),
    [("lookalike", True, True), ("relative", False, True), ("stranger", False, True), ("work", True, False)],
)
def test_whoever_writes_from_elsewhere_has_another_address(
    writes_from: str, same_name: bool, same_domain: bool
) -> None:
    scene = drawn(writes_from=writes_from)
    [person] = scene.rows["people"].values()
    assert scene.sender is not None and scene.sender.email != person.email
    assert (scene.sender.name == person.name) is same_name
    assert (scene.sender.email.split("@")[1] == person.email.split("@")[1]) is same_domain


def test_words_on_the_record_are_filled_in() -> None:
    scene = drawn(notes=["Send {item} again, says {colleague}."], gift_message="For {first}")
    [order] = scene.rows["orders"].values()
    assert order.notes == (f"Send {scene.words['item']} again, says {scene.words['colleague']}.",)
    assert order.gift_message == "For Amara"


def test_every_parcel_of_an_order_goes_to_the_same_country() -> None:
    """By a carrier that serves it, through that country's own places."""
    more = [{"ends": "moving", "last": [2, 2]}] * 3
    for number in range(12):
        seat = SEAT._replace(key=f"test/country {number}")
        scene = drawn(seat, parcel=DELIVERED, more_parcels=more)
        [order] = scene.rows["orders"].values()
        shop = LADDER.world.shop.catalogue
        carriers = {one.name for one in shop.carriers if order.address.country in one.countries}
        route = shop.routes[order.address.country]
        for parcel in scene.rows["parcels"].values():
            assert parcel.carrier in carriers
            assert {scan.place for scan in parcel.scans} <= {route.warehouse, route.hub, order.address.city}
