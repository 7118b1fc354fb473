"""Needs: which products are what was asked for."""

import pytest

from supportagentbench.world.drawn_cases import DrawnCases
from supportagentbench.worlds.northline.needs import Needs, is_met, needs_of


def fitting(cases: DrawnCases, needs: Needs) -> set[str]:
    store = cases.store
    return {product.name for product in store.products().values() if is_met(needs, product, store)}


def test_a_rain_jacket_is_no_vest(cases: DrawnCases) -> None:
    found = fitting(cases, Needs(kind="apparel", use="rain"))
    assert found == {"Squallbeck Rain Shell", "Mizzle Packable Rain Jacket"}


@pytest.mark.parametrize(
    ("needs", "fits", "does_not"),
    [
        (Needs(kind="duffel", use="wheel"), "Lomvik Wheeled Duffel 75", "Quarrend Waxed Holdall 45"),
        (Needs(kind="sling", litres=6), "Nettlecombe City Sling 6", "Oxwich Slim Crossbody 2"),
        (Needs(kind="apparel", most=150), "Mizzle Packable Rain Jacket", "Squallbeck Rain Shell"),
        (Needs(kind="footwear", colour="Mulberry"), "Nappern Cabin Slipper", "Gritstone Trail Shoe"),
        (Needs(kind="footwear", size="US 9"), "Gritstone Trail Shoe", "Halden Check-In 92"),
    ],
)
def test_kind_use_room_price_colour_and_size_are_all_heeded(
    cases: DrawnCases, needs: Needs, fits: str, does_not: str
) -> None:
    found = fitting(cases, needs)
    assert fits in found and does_not not in found


def test_a_wishs_words_name_its_needs() -> None:
    assert needs_of({"use": "tag|strap", "line": 1}) == Needs(use="tag|strap")
    assert Needs(use="tag|strap", most=20).words == "tag or strap, at most $20"
