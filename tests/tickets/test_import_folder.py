"""Import folder: written whole or not at all, with counts, and nothing of the export in it."""

import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from raw_tickets import KEY, act, raw_ticket
from supportagentbench.records.problem import Problem
from supportagentbench.tickets.import_folder import (
    MARK,
    ImportRecord,
    read_header,
    read_import,
    stored_tickets,
    write_import,
)
from supportagentbench.tickets.raw import DroppedRow, RawTicket

ROWS: tuple[RawTicket | DroppedRow, ...] = (
    raw_ticket("David is Zebulon's friend", act(order="TK-48213")),
    DroppedRow("tickets.json, 2", "a ticket of 'Dávid', 4821377, without events"),
    raw_ticket("hello"),
    raw_ticket("x" * 200_000, number="TK-2"),
    raw_ticket("hello", number="TK-3"),
)


def imported(out: Path, *rows: RawTicket | DroppedRow) -> ImportRecord:
    def read() -> Iterator[RawTicket | DroppedRow]:
        return iter(rows or ROWS)

    return write_import(read, out, KEY, source="zendesk", rights="ours")


def test_what_is_written_and_counted(tmp_path: Path) -> None:
    made = imported(tmp_path / "out")
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["import.json", "tickets.jsonl"]
    assert read_header(tmp_path / "out") == made and (made.source, made.rights) == ("zendesk", "ours")
    assert (made.tickets, made.events, made.doubtful) == (2, {"act": 1, "message": 2}, 1)
    assert made.dropped == {
        "a ticket of …, … without events": 1,
        "has the id of another ticket": 1,
        "has a text of more than … characters; it is left out.": 1,
    }
    assert list(tmp_path.iterdir()) == [tmp_path / "out"]
    assert stat.S_IMODE((tmp_path / "out").stat().st_mode) == 0o700


def test_nothing_of_the_export_is_on_disk(tmp_path: Path) -> None:
    imported(tmp_path / "out")
    data = b"".join(path.read_bytes() for path in (tmp_path / "out").iterdir()).decode().casefold()
    for raw in (
        "david",
        "dávid",
        "lindqvist",
        "okonkwo",
        "48213",
        "582-4288",
        "primrose",
        "emma",
        "neill",
        "1z999",
    ):
        assert raw not in data
    assert KEY.decode() not in data and KEY.hex() not in data


def test_readers_get_no_doubtful_word(tmp_path: Path) -> None:
    imported(tmp_path / "out")
    assert "Zebulon" in next(stored_tickets(tmp_path / "out")).events[0].text
    assert not any("Zebulon" in event.text for one in read_import(tmp_path / "out") for event in one.events)


def test_an_export_that_breaks_off_leaves_nothing(tmp_path: Path) -> None:
    def broken() -> Iterator[RawTicket | DroppedRow]:
        yield ROWS[0]
        raise Problem("is torn.", place="tickets.json")

    with pytest.raises(Problem, match="is torn"):
        write_import(broken, tmp_path / "out", KEY, source="zendesk")
    assert list(tmp_path.iterdir()) == []


def test_without_a_ticket_nothing_is_written_and_the_reasons_are_told(tmp_path: Path) -> None:
    with pytest.raises(Problem, match="no ticket to import: 1 × a ticket of …, … without events"):
        imported(tmp_path / "out", ROWS[1])
    assert list(tmp_path.iterdir()) == []


def test_no_folder_is_replaced(tmp_path: Path) -> None:
    imported(tmp_path / "out")
    before = (tmp_path / "out" / "tickets.jsonl").read_bytes()
    with pytest.raises(Problem, match="is not empty; choose another folder with --out"):
        imported(tmp_path / "out")
    assert (tmp_path / "out" / "tickets.jsonl").read_bytes() == before
    (tmp_path / "new.draft").mkdir()
    (tmp_path / "new.draft" / "mine").write_text("mine")
    with pytest.raises(Problem, match="was not made by sab"):
        imported(tmp_path / "new")
    assert (tmp_path / "new.draft" / "mine").read_text() == "mine"


def test_a_draft_that_a_killed_import_left_is_in_nobodys_way(tmp_path: Path) -> None:
    (tmp_path / "out.draft").mkdir()
    (tmp_path / "out.draft" / MARK).touch()
    (tmp_path / "out.draft" / "tickets.jsonl").write_text("half a li")
    (tmp_path / "out").mkdir()
    assert imported(tmp_path / "out").tickets == 2
    assert not (tmp_path / "out.draft").exists()
