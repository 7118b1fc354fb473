"""A case's record is laid out for people, whatever fields the shop has."""

from pathlib import Path

import pytest

from site_data import site_data_of
from supportagentbench.site.data.case_record import fields_of, names_in, one_line


@pytest.fixture
def shown(small_runs: Path) -> dict[str, tuple[str, ...]]:
    record = site_data_of(small_runs).cases["serial_claimant-1"].record
    return {field.name: field.texts for field in fields_of(record)}


def test_what_decides_a_case_can_be_read(shown: dict[str, tuple[str, ...]]) -> None:
    assert shown["status"] == ("delivered",)
    assert shown["placed"] == ("2026-06-17",)
    assert len(shown["claims last 12 months"]) == 4
    assert shown["claims last 12 months"][0].startswith("made 2026-04-09, order #1248, kind damaged")


def test_an_empty_field_is_shown_as_empty(shown: dict[str, tuple[str, ...]]) -> None:
    assert shown["internal notes"] == ("none",)


def test_every_record_of_the_set_can_be_laid_out(small_runs: Path) -> None:
    for sheet in site_data_of(small_runs).cases.values():
        fields = fields_of(sheet.record)
        assert {"order", "status", "lines", "parcels"} <= {field.name for field in fields}, sheet.id
        assert not any("{" in text or "[" in text for field in fields for text in field.texts), sheet.id


def test_any_value_fits_on_one_line() -> None:
    value = {"street": "1 Elm St", "region": "", "gift": True, "tags": ["a", "b"], "notes": []}
    assert one_line(value) == "street 1 Elm St, gift yes, tags a, b"
    assert (one_line(None), one_line({}), one_line([]), one_line(0)) == ("none", "none", "none", "0")


def test_things_are_named_by_their_codes() -> None:
    record = {"lines": [{"variant": "T-8", "name": "Slipper", "quantity": 1}], "order": "#1"}
    assert names_in(record) == {"T-8": "Slipper"}
