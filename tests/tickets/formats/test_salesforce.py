"""Salesforce: two tables are one talk; a cell that looks like a formula is text."""

import json
from pathlib import Path

import pytest

from exported import dropped_in, rows_of, talk, tickets_in
from supportagentbench.records.problem import Problem
from supportagentbench.records.ticket import TicketPerson
from supportagentbench.tickets.raw import RawTicket

TABLES = ("salesforce_emails.csv", "salesforce_comments.csv")


def test_the_talk_is_both_tables_by_time() -> None:
    (found,) = tickets_in("salesforce", *TABLES)
    assert talk(found.ticket) == [
        "customer message: =SUM(1,2) poles are missing.",
        "human note: Check batch 7.",
        "human message: A new pole is on its way.",
        "human message: A pole was sent today.",
    ]
    assert found.ticket.subject == "Pole missing"
    assert found.ticket.people == (
        TicketPerson("customer", "Leopold Szabo", ("leopold@mail.example",)),
        TicketPerson("human", "Tents Support", ("help@tents.example",)),
        TicketPerson("human", ids=("0055g000001",)),
    )
    assert [one.person for one in found.ticket.events] == [0, 2, 1, 2]


def test_the_order_of_the_files_does_not_matter() -> None:
    (one,), (other,) = tickets_in("salesforce", *TABLES), tickets_in("salesforce", *reversed(TABLES))
    assert talk(one.ticket) == talk(other.ticket)


def test_a_draft_is_counted() -> None:
    assert dropped_in("salesforce", *TABLES) == {"deleted, or a draft that was never sent": 1}


def test_json_is_read_as_well(tmp_path: Path) -> None:
    mail = {"Id": "m1", "ParentId": "c1", "Incoming": True, "TextBody": "Hi", "FromAddress": "a@mail.example"}
    case = {"Id": "c1", "CaseNumber": "00012", "Subject": "A pole", "Status": "Closed"}
    records = {"totalSize": 3, "records": [mail, mail, case]}
    no_case = rows_of(tmp_path / "b.json", json.dumps([mail]), "salesforce")
    assert [row.ticket.subject for row in no_case if isinstance(row, RawTicket)] == [""]
    dropped, found = rows_of(tmp_path / "a.json", json.dumps(records), "salesforce")
    assert "repeats" in str(dropped)
    assert isinstance(found, RawTicket)
    assert (found.ticket.subject, found.ticket.status, found.numbers) == ("A pole", "Closed", ("c1", "00012"))


def test_another_table_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Problem, match=r"a\.csv:1: has neither a column ParentId nor CaseNumber"):
        rows_of(tmp_path / "a.csv", "Id,Name\n1,Ada\n", "salesforce")
