"""Desk row: unknown fields are ignored, and of rows with one number the newest counts."""

from pathlib import Path

import pytest

from supportagentbench.tickets.desk_row import DeskRow, Number, Text, desk_row, newest
from supportagentbench.tickets.export_file import JsonRow
from supportagentbench.tickets.raw import DroppedRow


class Case(DeskRow):
    """A row for these tests."""

    id: Number = None
    at: Text = None
    text: Text = None


def row(data: str) -> JsonRow:
    return JsonRow(Path("a.json"), "a.json, row 1", data.encode())


@pytest.mark.parametrize("number", ["7", '"7"', "7.5"])
def test_a_field_that_nobody_knows_is_ignored(number: str) -> None:
    found = desk_row(row(f'{{"id": {number}, "tomorrow": [1]}}'), Case, "a case")
    assert isinstance(found, Case)
    assert f"{found.id}" == number.strip('"')


def test_a_row_of_another_shape_says_so_without_its_words() -> None:
    found = desk_row(row('{"id": 7, "text": {"name": "Ada"}}'), Case, "a case")
    assert isinstance(found, DroppedRow)
    assert found.reason == "not a case (Expected `str | null`, got `object` - at `$.text`)"


@pytest.mark.parametrize(
    ("times", "text", "place"),
    [
        (("2026-03-01", "2026-03-02"), "second", "p1"),
        (("2026-03-02", "2026-03-01"), "first", "p2"),
        (("2026-03-01", "2026-03-01"), "second", "p1"),
        ((None, None), "second", "p1"),
    ],
)
def test_the_newest_row_counts_and_the_other_is_counted(
    times: tuple[str | None, str | None], text: str, place: str
) -> None:
    rows = [("p1", Case(id=7, at=times[0], text="first")), ("p2", Case(id=7, at=times[1], text="second"))]
    kept, dropped = newest(rows, lambda one: one.id, lambda one: one.at)
    assert [one.text for _, one in kept.values()] == [text]
    assert dropped == [DroppedRow(place, "a row that another one repeats")]


def test_a_row_without_a_number_is_counted() -> None:
    before = DroppedRow("p0", "not a case")
    rows: list[tuple[str, Case] | DroppedRow] = [before, ("p1", Case())]
    kept, dropped = newest(rows, lambda one: one.id)
    assert kept == {}
    assert dropped == [before, DroppedRow("p1", "a row without a number of its own")]
