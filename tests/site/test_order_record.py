"""An order is laid out for people as a look-up showed it."""

from pathlib import Path

import pytest

from site_data import site_data_of
from supportagentbench.site.order_record import address_of, goods_names, goods_of, order_of


@pytest.fixture
def shown(small_runs: Path) -> dict[str, tuple[str, ...]]:
    order = site_data_of(small_runs).cases["serial_claimant-1"].order
    return {field.name: field.texts for field in order_of(order)}


def test_what_decides_a_case_can_be_read(shown: dict[str, tuple[str, ...]]) -> None:
    assert shown["status"] == ("delivered",)
    assert shown["placed"] == ("2026-06-17",)
    assert len(shown["claims in the last 12 months"]) == 4
    assert shown["claims in the last 12 months"][0].startswith("made 2026-04-09, order #353, kind damaged")


def test_that_there_is_nothing_is_said_where_it_may_decide(shown: dict[str, tuple[str, ...]]) -> None:
    assert shown["internal notes"] == ("none",)
    assert "saved addresses" not in shown


def test_every_order_of_the_set_can_be_laid_out(small_runs: Path) -> None:
    for sheet in site_data_of(small_runs).cases.values():
        fields = order_of(sheet.order)
        assert {"order", "status", "items", "parcels"} <= {field.name for field in fields}, sheet.id
        assert not any("{" in text or "[" in text for field in fields for text in field.texts), sheet.id


def test_goods_say_what_was_packed_if_it_is_another_variant() -> None:
    line = {"quantity": 2, "name": "Tote", "colour": "Oat", "variant": "T-OAT", "price": "68.00"}
    assert goods_of(line) == "2 × Tote, Oat (T-OAT), $68.00"
    assert goods_of({**line, "packed": 1, "packed_variant": "T-IND"}).endswith("; packed: 1 of T-IND")


def test_goods_are_known_by_variant() -> None:
    assert goods_names({"lines": [{"variant": "T-8", "name": "Slipper", "size": "US 8"}]}) == {
        "T-8": "Slipper, US 8"
    }


def test_an_address_is_one_line() -> None:
    assert (
        address_of({"street": "1 Elm St", "city": "Bath", "region": "", "country": "GB"})
        == "1 Elm St, Bath, GB"
    )


def test_an_order_that_nobody_looked_up_has_no_fields() -> None:
    assert order_of({}) == []
    assert goods_names({}) == {}
