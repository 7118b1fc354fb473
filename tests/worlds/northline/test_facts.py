"""Facts that dates and rows decide, on both sides of where they turn; measures have tests of their own."""

from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import pytest
from msgspec.structs import replace

from supportagentbench.world.drawn_cases import DrawnCases
from supportagentbench.world.situation import Situation
from supportagentbench.worlds.northline.tools import KIT

CODE = "promo_not_applied-3"
"""An order of $143 on 21 June 2026, under a code for orders over $150 from 15 June to 31 July."""
PLACED, DAY = date(2026, 6, 21), timedelta(days=1)


def seen(cases: DrawnCases, name: str, **rows: Any) -> Situation:
    """What the desk sees of a case, with some of the order's rows changed."""
    now = cases.record_of(name).situation(cases.cases[name].brief.wishes[0], {})
    return replace(now, seen=replace(now.seen, file=replace(now.seen.file, **rows)))


@pytest.mark.parametrize(
    ("terms", "expected"),
    [
        ({}, "below_minimum"),
        ({"minimum": Decimal("143.01")}, "below_minimum"),
        ({"minimum": Decimal("143.00")}, "met"),
        ({"minimum": Decimal(0), "ends": PLACED}, "met"),
        ({"minimum": Decimal(0), "ends": PLACED - DAY}, "expired"),
        ({"minimum": Decimal(0), "starts": PLACED}, "met"),
        ({"minimum": Decimal(0), "starts": PLACED + DAY}, "not_started"),
        ({"minimum": Decimal(0), "excluded_kinds": ("duffel",)}, "met"),
        ({"minimum": Decimal(0), "excluded_kinds": ("duffel", "comfort")}, "excluded_goods"),
    ],
)
def test_a_code_applies_within_its_terms(cases: DrawnCases, terms: dict[str, Any], expected: str) -> None:
    code = cases.record_of(CODE).seen.file.promotion_entered
    now = seen(cases, CODE, promotion_entered=replace(code, **terms))
    assert KIT.facts["promotion"].read(now) == expected


@pytest.mark.parametrize(("since", "expected"), [(PLACED, "met"), (PLACED - DAY, "not_first_order")])
def test_a_first_order_is_that_of_the_day_somebody_joined(
    cases: DrawnCases, since: date, expected: str
) -> None:
    code = cases.record_of(CODE).seen.file.promotion_entered
    first = replace(code, first_order_only=True, minimum=Decimal(0))
    now = seen(cases, CODE, promotion_entered=first, customer_since=since.isoformat())
    assert KIT.facts["promotion"].read(now) == expected


@pytest.mark.parametrize(
    ("case", "expected"),
    [
        ("false_closure_thanks-1", "goods"),
        ("false_closure_thanks-1-twin", "nothing"),
        ("false_closure_wrongitem-1", "goods"),
        ("false_closure_wrongitem-1-twin", "nothing"),
        ("false_closure_partial-1", "goods"),
        ("false_closure_partial-1-twin", "nothing"),
    ],
)
def test_what_was_approved_is_owed_until_the_right_goods_are_sent(
    cases: DrawnCases, case: str, expected: str
) -> None:
    assert KIT.facts["owed"].read(seen(cases, case)) == expected


def test_a_parcel_without_a_scan_is_not_delivered_and_stops_nothing(cases: DrawnCases) -> None:
    now = seen(cases, "tracking-1")
    (parcel,) = now.seen.parcels
    silent = replace(parcel, scans=())
    alone, beside = (
        replace(now, seen=replace(now.seen, parcels=one)) for one in ((silent,), (silent, parcel))
    )
    assert KIT.facts["delivery"].read(alone) == "none"
    assert KIT.facts["delivery"].read(beside) == KIT.facts["delivery"].read(now) != "none"


def test_whose_address_it_is_can_be_known_from_words_alone(cases: DrawnCases) -> None:
    """Of a real ticket it may be known that the parcel should go to a friend, and not where he lives."""
    now, redirect = seen(cases, "tracking-1"), KIT.facts["redirect"]
    told = replace(now, disclosed={"redirect": "other_person"})
    assert (redirect.read(now), redirect.read(told)) == ("own", "other_person")
    assert redirect.could_be(told, set()) == ("other_person",)
