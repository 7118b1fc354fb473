"""A scene is drawn so that its days, places and numbers fit together."""

from datetime import date

import msgspec
import pytest

from supportagentbench.records.problem import Problem
from supportagentbench.world.drawn_cases import DrawnCases, generate
from supportagentbench.world.folder import World
from supportagentbench.world.seed import numbered
from supportagentbench.worlds.northline.draw import business_days


def test_business_days_are_counted_without_weekends() -> None:
    friday, monday = date(2026, 6, 26), date(2026, 6, 29)
    assert business_days(friday, monday) == 1
    assert business_days(friday, friday) == 0
    assert business_days(date(2026, 6, 22), monday) == 5


@pytest.mark.parametrize("seed", range(4))
def test_a_parcel_leaves_as_long_after_the_order_as_processing_takes(northline: World, seed: int) -> None:
    store = generate(northline, numbered(seed)).store
    for parcel in store.parcels.values():
        left = parcel.scans[0].day
        assert 1 <= business_days(store.orders[parcel.order].placed, left) <= 2 and left.weekday() < 5


def test_a_parcel_starts_in_the_country_that_it_goes_to(cases: DrawnCases) -> None:
    routes = cases.world.catalogue.routes
    for parcel in cases.store.parcels.values():
        country = cases.store.orders[parcel.order].address.country
        assert parcel.scans[0].place == routes[country].warehouse


def test_a_country_without_a_route_is_named(northline: World) -> None:
    catalogue = msgspec.structs.replace(northline.catalogue, routes={})
    with pytest.raises(Problem, match="has no route to"):
        _ = generate(northline._replace(catalogue=catalogue)).drawn["tracking-1"]


def test_goods_that_were_not_packed_have_no_packed_variant(cases: DrawnCases) -> None:
    lines = [line for order in cases.store.orders.values() for line in order.lines if line.packed == 0]
    assert lines and not any(line.packed_variant for line in lines)


@pytest.mark.parametrize("seed", range(4))
def test_a_new_address_is_in_another_street(northline: World, seed: int) -> None:
    cases = generate(northline, numbered(seed))
    moved = 0
    for name in cases.names("all"):
        words = cases.drawn[name].words
        if "new_street" in words and "PO Box" not in words["new_street"]:
            home = cases.store.people[words["email"]].address.street.split(" ", 1)[1]
            moved += 1
            assert not words["new_street"].endswith(home)
    assert moved
