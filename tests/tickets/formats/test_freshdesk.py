"""Freshdesk: the description opens the talk; tickets without their conversations are not taken."""

import json
from pathlib import Path

from exported import dropped_in, rows_of, talk, tickets_in
from supportagentbench.records.ticket import TicketPerson
from supportagentbench.tickets.raw import DroppedRow, RawTicket


def test_the_talk_is_what_the_desk_shows_in_its_order() -> None:
    first, second = tickets_in("freshdesk", "freshdesk.json")
    assert talk(first.ticket) == [
        "customer message: Order K-8812 is late.",
        "human note: Carrier lost it?",
        "human message: It comes tomorrow.",
        "system status: resolved",
        "customer message: Still nothing.",
        "system status: reopened",
        "human status: merged",
        "system status: closed",
    ]
    assert talk(second.ticket) == ["customer message: Two files.", "human message: Found it."]


def test_what_the_ticket_says_of_itself() -> None:
    first, _ = tickets_in("freshdesk", "freshdesk.json")
    ticket = first.ticket
    assert (ticket.status, ticket.kind, ticket.channel, ticket.reopened) == ("closed", "Question", "email", 1)
    assert ticket.people == (
        TicketPerson("customer", "Sorcha Quill", ("sorcha@mail.example",), ("0851234567",), ids=("700",)),
        TicketPerson("human", ids=("12",)),
    )
    assert [one.person for one in ticket.events] == [0, 1, 1, None, 0, None, 1, None]
    assert ticket.events[4].attachments == ("door.jpg",)
    assert [one.at.day for one in ticket.events if one.at] == [10, 10, 10, 11, 11, 11, 11, 12]
    assert first.numbers == ("61", "K-8812")


def test_what_is_missing_is_counted() -> None:
    assert dropped_in("freshdesk", "freshdesk.json") == {
        "a part of a ticket that is not taken": 1,
        "a ticket without its conversations: load them with include=conversations": 1,
        "a part of a ticket that is not in the export": 1,
    }


def test_ten_conversations_may_be_the_first_ten_of_more(tmp_path: Path) -> None:
    parts = [{"id": n, "user_id": 3, "incoming": False, "body_text": f"{n}"} for n in range(10)]
    row = {"id": 1, "requester_id": 2, "description_text": "Hello", "source": 1}
    *_, found = rows_of(tmp_path / "a.json", json.dumps([{**row, "conversations": parts}]), "freshdesk")
    assert isinstance(found, DroppedRow)
    assert "more may be missing" in found.reason
    (whole,) = rows_of(tmp_path / "b.json", json.dumps([{**row, "conversations": parts[:9]}]), "freshdesk")
    assert isinstance(whole, RawTicket)


def test_a_ticket_that_the_desk_opened_begins_with_the_desk(tmp_path: Path) -> None:
    row = {
        "id": 1,
        "requester_id": 2,
        "description_text": "We found a fault.",
        "source": 10,
        "conversations": [],
    }
    (found,) = rows_of(tmp_path / "a.json", json.dumps([row]), "freshdesk")
    assert isinstance(found, RawTicket)
    assert talk(found.ticket) == ["human message: We found a fault."]
