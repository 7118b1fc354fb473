"""What a look-up shows, read through the views of its shop; what has another shape shows nothing."""

from typing import Any

import pytest

from supportagentbench.records.change import essence
from supportagentbench.records.view import (
    FieldView,
    GoodsShown,
    GoodsView,
    JourneyView,
    ParcelsView,
    RecordView,
    ShelfView,
    Views,
)

BOOKING = RecordView(
    tool="find_booking",
    key="booking",
    status="stage",
    began="booked",
    goods=GoodsView("rooms", "title", item="room", traits=("view",), line="row", quantity="nights"),
    parcels=ParcelsView("vouchers", "code", arrived="used", signed_by="clerk", lines="rows"),
    holder="guest.mail",
    writer="from",
    place="guest.town",
)
PAGE: dict[str, Any] = {
    "booking": "B-77",
    "stage": "confirmed",
    "booked": "2026-05-01",
    "rooms": [{"row": 1, "room": "R1", "title": "Garden", "view": "sea", "nights": 2}],
    "vouchers": [{"code": "V1", "used": "2026-05-02", "clerk": "Ann", "rows": [1]}, {"code": "V2"}],
    "guest": {"mail": "a@example.com", "town": "Leeds"},
}


def test_a_record_is_read_by_the_names_of_its_shop() -> None:
    record = BOOKING.read(PAGE)
    assert record
    assert (record.key, record.status, record.began) == ("B-77", "confirmed", "2026-05-01")
    assert record.goods == (GoodsShown("Garden", "R1", ("sea",), "1", "", "2"),)
    assert [(one.number, one.arrived, one.is_signed, one.lines) for one in record.parcels] == [
        ("V1", "2026-05-02", True, ("1",)),
        ("V2", "", False, ()),
    ]
    assert (record.holder, record.writer, record.place) == ("a@example.com", "", "Leeds")


@pytest.mark.parametrize(
    ("lines", "left"), [([[1]], True), ([[1], [2]], False), ([[1], []], False), ([], False)]
)
def test_goods_are_left_if_a_line_is_in_no_parcel(lines: list[list[int]], left: bool) -> None:
    rooms = [{"row": row, "room": f"R{row}", "title": "x"} for row in (1, 2)]
    record = BOOKING.read({"rooms": rooms, "vouchers": [{"rows": rows} for rows in lines]})
    assert record and record.has_goods_left is left


def test_a_shelf_is_a_page_or_a_list_of_pages_whose_name_its_rows_share() -> None:
    shelf = ShelfView("search", GoodsView("rooms", "house", item="room", in_stock="free"))
    page = {"house": "Dune", "rooms": [{"room": "R1", "free": 3}, {"room": "R2", "house": "Annex"}]}
    found = [(one.name, one.item, one.in_stock) for one in shelf.read(page)]
    assert found == [("Dune", "R1", 3), ("Annex", "R2", 0)]
    assert shelf.read([page, page]) == shelf.read(page) * 2


def test_a_journey_has_arrivals_and_signatures() -> None:
    journey = JourneyView("track", "booking", "code", "stops", "day", "what", arrival="there", signed_by="by")
    facts = {
        "booking": "B-77",
        "code": "V1",
        "stops": [{"day": "2026-05-02", "what": "there", "by": "Ann"}, {}],
    }
    way = journey.read(facts)
    assert way and (way.key, way.number) == ("B-77", "V1")
    assert [(scan.day, scan.is_arrival, scan.is_signed) for scan in way.scans] == [
        ("2026-05-02", True, True),
        ("", False, False),
    ]


@pytest.mark.parametrize(
    ("value", "read"), [(["a", "b"], ("a", "b")), ("a", ("a",)), ([], ()), (None, ()), ("", ())]
)
def test_a_field_is_read_as_texts(value: object, read: tuple[str, ...]) -> None:
    assert FieldView("find", "notes").read({"notes": value}) == read


@pytest.mark.parametrize(
    "facts", [None, [], "text", 7, {"rooms": 3, "vouchers": "x", "guest": []}, {"rooms": [[]]}]
)
def test_what_has_another_shape_shows_nothing(facts: object) -> None:
    record = BOOKING.read(facts)
    assert record is None or (record.goods, record.parcels, record.holder) == ((), (), "")
    assert ShelfView("search", GoodsView("rooms", "house")).read(facts) == ()
    assert FieldView("find", "notes").read(facts) == ()


@pytest.mark.parametrize("lines", [3, "12", {"a": 1}])
def test_a_parcel_whose_lines_are_no_list_holds_what_can_be_read(lines: object) -> None:
    record = BOOKING.read({"vouchers": [{"code": "V1", "rows": lines}]})
    assert record and record.parcels[0].lines == ()


def test_what_matters_of_a_row_of_goods_is_declared() -> None:
    goods = Views(record=BOOKING).essentials
    assert goods == ("row", "room", "nights")
    one = [{"row": 1, "room": "R1", "nights": 1, "why": "broken"}] * 2
    other = [{"row": 1, "room": "R1", "nights": 2, "why": "lost"}]
    assert essence(one, goods) == essence(other, goods)
    assert essence(one) != essence(other)
    assert essence(one, goods) != essence([other[0] | {"room": "R2"}], goods)
    assert Views().essentials is None


def test_arguments_are_found_by_their_role() -> None:
    views = Views(arguments={"row": "entry", "town": "destination_part", "code": "destination_part"})
    assert views.by_role["destination_part"] == ("town", "code")
    assert views.value_of("entry", {"row": "2"}) == "2" and views.value_of("article", {"row": "2"}) == ""
    assert views.names_any("entry", ("row",)) and not views.names_any("entry", ("town",))
