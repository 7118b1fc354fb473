"""Read: every format by its name; what is no format or has no rows is refused."""

import json
import sys
from pathlib import Path

import pytest

from exported import EXPORTS, rows_of, tickets_in
from supportagentbench.records.problem import Problem
from supportagentbench.tickets.raw import RawTicket
from supportagentbench.tickets.read import EXACT, FORMATS, read_tickets

MAP = "ticket=t,who=w,text=x,customer=c,desk=d@x.example"


def test_a_format_that_is_none_is_named() -> None:
    with pytest.raises(Problem, match=r"'zendsk' is not one of the formats .* Did you mean zendesk\?"):
        next(read_tickets("zendsk", [EXPORTS / "zendesk.json"]))


def test_no_file_is_a_problem() -> None:
    with pytest.raises(Problem, match="No file was given"):
        next(read_tickets("zendesk", []))


@pytest.mark.parametrize("name", sorted(set(FORMATS) - {"csv", "salesforce", "mail"}))
def test_an_export_without_a_row_is_a_problem(tmp_path: Path, name: str) -> None:
    with pytest.raises(Problem, match="There is not one row"):
        rows_of(tmp_path / "a.json", "[]", name, MAP)


@pytest.mark.parametrize(
    ("name", "files", "mark"),
    [
        ("zendesk", ["zendesk.json"], "Pim Oudekerk"),
        ("intercom", ["intercom.json"], "wren@blankets.example"),
        ("gorgias", ["gorgias.jsonl"], "teo@mugs.example"),
        ("freshdesk", ["freshdesk.json"], "12"),
        ("help-scout", ["help_scout.json"], "Ines Ko"),
        ("front", ["front.jsonl"], "gus"),
        ("salesforce", ["salesforce_emails.csv"], "Tents Support"),
        ("salesforce", ["salesforce_emails.csv", "salesforce_comments.csv"], "0055g000001"),
        ("mail", ["mail.mbox"], "help@tents.example"),
    ],
)
def test_the_user_can_say_who_is_a_bot(name: str, files: list[str], mark: str) -> None:
    (found, *_) = tickets_in(name, *files, columns=f"bot={mark}")
    said = [one for one in found.ticket.events if one.who == "bot" and one.kind == "message"]
    assert said
    assert all(one.person is not None and found.ticket.people[one.person].who == "bot" for one in said)


@pytest.mark.parametrize(
    ("name", "row"),
    [
        ("gorgias", {"id": 1, "messages": [{"id": 1, "body_text": "Hi", "sender": {"id": 2}}]}),
        (
            "freshdesk",
            {
                "id": 1,
                "requester_id": 2,
                "description_text": "Hi",
                "conversations": [{"id": 1, "body_text": "Ho"}],
            },
        ),
        ("help-scout", {"id": 1, "threads": [{"id": 1, "type": "chat", "body": "Hi"}]}),
        ("front", {"id": "cnv_1", "messages": [{"id": "m", "is_inbound": None, "text": "Hi", "body": ""}]}),
        ("salesforce", {"Id": "m", "ParentId": "c", "TextBody": "Hi"}),
        ("openai-chat", {"id": 1, "messages": [{"role": "narrator", "content": "Hi"}]}),
        (
            "atif",
            {"schema_version": "ATIF-v1.4", "session_id": "s", "steps": [{"source": "x", "message": "Hi"}]},
        ),
    ],
)
def test_a_ticket_is_not_taken_if_it_is_not_said_who_wrote_a_part(
    tmp_path: Path, name: str, row: object
) -> None:
    rows = rows_of(tmp_path / "a.json", json.dumps([row]), name)
    assert rows
    assert not [one for one in rows if isinstance(one, RawTicket)]


@pytest.mark.parametrize("name", FORMATS)
def test_a_file_that_is_not_there_is_a_problem(tmp_path: Path, name: str) -> None:
    with pytest.raises(Problem, match=r"none\.json"):
        list(read_tickets(name, [tmp_path / "none.json"], MAP))


@pytest.mark.parametrize("name", FORMATS)
def test_without_the_libraries_only_exact_formats_are_read(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "quotequail", None)
    wanted = "none.json" if name in EXACT else "pip install"
    with pytest.raises(Problem, match=wanted):
        list(read_tickets(name, [tmp_path / "none.json"], MAP))


def test_exact_formats_need_no_library(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("quotequail", "lxml.etree"):
        monkeypatch.setitem(sys.modules, name, None)
    for name, file in (("openai-chat", "openai_chat.jsonl"), ("atif", "atif.json"), ("abcd", "abcd.json")):
        rows = list(read_tickets(name, [EXPORTS / file]))
        assert any(isinstance(row, RawTicket) for row in rows)


def test_nothing_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    list(read_tickets("zendesk", [EXPORTS / "zendesk.json"]))
    assert list(tmp_path.iterdir()) == []
