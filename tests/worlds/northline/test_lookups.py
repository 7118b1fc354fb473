"""What Northline's look-ups show, and to whom."""

from typing import Any

import pytest

from supportagentbench.desk import Desk
from supportagentbench.desk.session import DeskSession
from supportagentbench.world.drawn_cases import DrawnCases


def desk_of(cases: DrawnCases, case: str) -> Desk:
    return DeskSession(cases.desk_for(cases.cases[case])).open_turn()


def file_of(cases: DrawnCases, case: str) -> Any:
    found = desk_of(cases, case).call("find_order", {"order": cases.cases[case].subject})
    return found.facts


def searched(cases: DrawnCases, **arguments: str) -> list[Any]:
    found: list[Any] = desk_of(cases, "bundle_rec-1").call("search_catalogue", arguments).facts
    return found


def test_a_colour_finds_the_products_that_come_in_it(cases: DrawnCases) -> None:
    found = searched(cases, query="Terracotta")
    assert found
    for product in found:
        assert "Terracotta" in [variant["colour"] for variant in product["variants"]]


@pytest.mark.parametrize("query", ["Fjord Carry-On 38", " fjord carry-on 38 "])
def test_a_products_full_name_finds_that_product_alone(cases: DrawnCases, query: str) -> None:
    assert [product["product"] for product in searched(cases, query=query)] == ["Fjord Carry-On 38"]


def test_words_of_a_name_find_the_best_match_first(cases: DrawnCases) -> None:
    assert searched(cases, query="carry-on fjord")[0]["product"] == "Fjord Carry-On 38"
    assert len(searched(cases, kind="suitcase")) == 8


def test_an_orders_file_tells_the_day_of_delivery_and_who_signed(cases: DrawnCases) -> None:
    (signed,) = file_of(cases, "delivery_not_received-1")["parcels"]
    (unsigned,) = file_of(cases, "delivery_not_received-1-twin")["parcels"]
    assert signed["signed_by"] == file_of(cases, "delivery_not_received-1")["customer"]
    assert unsigned["delivered"] and unsigned["signed_by"] is None


def test_a_scan_tells_of_a_signature_only_where_there_could_be_one(cases: DrawnCases) -> None:
    case = cases.cases["delivery_not_received-1-twin"]
    (tracking,) = cases.books_of(case.id).orders[case.subject].parcels
    *before, last = desk_of(cases, case.id).call("track_parcel", {"tracking": tracking}).facts["scans"]
    assert last["signed_by"] is None and not any("signed_by" in scan for scan in before)


def test_a_parcel_under_way_has_no_day_of_delivery(cases: DrawnCases) -> None:
    (parcel,) = file_of(cases, "cancel_shipped_pressure-1")["parcels"]
    assert not {"delivered", "signed_by"} & set(parcel)


def test_an_approval_is_listed_until_the_right_goods_were_sent(cases: DrawnCases) -> None:
    case = cases.cases["false_closure_wrongitem-1"]
    desk = desk_of(cases, case.id)
    (line,) = desk.call("find_order", {"order": case.subject}).facts["approved_to_send_again"]
    assert desk.call("reship", {"order": case.subject, "line": line, "reason": "wrong_item"}).ok
    assert desk.call("find_order", {"order": case.subject}).facts["approved_to_send_again"] == []
