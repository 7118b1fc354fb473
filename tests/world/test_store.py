"""The books: private copies, rows of other cases behind them, and every difference named."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date

import pytest

from supportagentbench.records.change import Change
from supportagentbench.records.record import Record
from supportagentbench.world.store import Store, Table, changes_between


class Box(Record):
    """A row nobody knows."""

    size: int
    label: str = ""


@dataclass
class Shed(Store):
    """Books with one table of records and one of plain values, which follow from the records."""

    bookkeeping = frozenset({"counts.*"})

    boxes: Table[Box] = field(default_factory=Table)
    counts: Table[int] = field(default_factory=Table)


def shed() -> Shed:
    return Shed(date(2026, 6, 29), boxes=Table({"a": Box(1)}), counts=Table({"a": 5}))


def test_a_copy_is_private() -> None:
    books = shed()
    copy = books.copy()
    copy.boxes["a"] = Box(2)
    copy.counts["b"] = 1
    assert books == shed()
    assert isinstance(copy, Shed) and copy.ticket == books.ticket


def test_every_changed_field_is_named_and_nothing_else() -> None:
    before = shed()
    after = before.copy()
    after.boxes["a"] = Box(1, "fragile")
    after.boxes["b"] = Box(3)
    after.counts["a"] = 4
    assert list(changes_between(before, after)) == [
        Change("boxes", "a", "label", "", "fragile"),
        Change("boxes", "b", "*", None, {"size": 3}),
        Change("counts", "a", "*", 5, 4, is_bookkeeping=True),
    ]


def test_a_row_that_was_taken_out_is_a_change() -> None:
    before = shed()
    after = before.copy()
    del after.counts["a"]
    assert list(changes_between(before, after)) == [Change("counts", "a", "*", 5, None, is_bookkeeping=True)]


def test_an_equal_row_is_no_change() -> None:
    before = shed()
    after = before.copy()
    after.boxes["a"] = Box(1)
    assert list(changes_between(before, after)) == []


class Behind:
    """Rows of other cases, and whether anybody looked for them."""

    def __init__(self) -> None:
        self.looked = 0

    def __call__(self) -> Mapping[str, Box]:
        self.looked += 1
        return {"b": Box(2), "a": Box(9)}


def test_rows_of_other_cases_are_looked_for_only_when_the_own_ones_do_not_answer() -> None:
    behind = Behind()
    rows = Table({"a": Box(1)}, behind)
    assert rows["a"] == rows.get("a") == Box(1) and "a" in rows
    assert behind.looked == 0
    assert rows["b"] == Box(2)
    assert rows.get("c") is None
    assert behind.looked == 2


def test_all_rows_are_there_once_the_own_ones_first() -> None:
    rows = Table({"a": Box(1)}, Behind())
    assert dict(rows) == {"a": Box(1), "b": Box(2)} and len(rows) == 2
    with pytest.raises(KeyError):
        rows["c"]


def test_a_write_to_a_row_of_another_case_is_a_change_of_that_row() -> None:
    before = Shed(date(2026, 6, 29), boxes=Table({"a": Box(1)}, Behind()))
    after = before.copy()
    after.boxes["b"] = Box(7)
    assert list(changes_between(before, after)) == [Change("boxes", "b", "size", 2, 7)]


def test_the_digest_names_the_content_and_not_what_is_behind_it() -> None:
    behind = Behind()
    books = Shed(date(2026, 6, 29), boxes=Table({"a": Box(1)}, behind), counts=Table({"a": 5}))
    assert books.digest() == shed().digest()
    assert behind.looked == 0
    books.counts["a"] = 4
    assert books.digest() != shed().digest()
