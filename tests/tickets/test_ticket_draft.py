"""Ticket draft: events by time, people put together, and nothing is left out without being counted."""

from datetime import UTC, datetime

import pytest

from exported import talk
from supportagentbench.records.ticket import SupportTicket, TicketAct
from supportagentbench.tickets.plain_text import LARGEST_MESSAGE
from supportagentbench.tickets.raw import DroppedRow, RawTicket
from supportagentbench.tickets.ticket_draft import MOST_EVENTS, TicketDraft, plain_arguments, words


def draft() -> TicketDraft:
    return TicketDraft("zendesk", "../7", "a.json, row 1")


def ticket_of(one: TicketDraft) -> SupportTicket:
    (found,) = one.rows()
    assert isinstance(found, RawTicket)
    return found.ticket


def test_events_are_by_time_and_one_without_follows_the_one_before() -> None:
    one = draft()
    one.says("human", "p", plain="second", at="2026-03-02T10:00:00Z")
    one.does("human", TicketAct("refund"), "p")
    one.says("customer", "p", plain="first", at=datetime(2026, 3, 2, 9, tzinfo=UTC))
    assert talk(ticket_of(one)) == ["customer message: first", "human message: second", "human act: refund"]


def test_the_desks_number_is_not_the_tickets_id() -> None:
    one = draft()
    one.says("customer", "p", plain="Hi")
    (found,) = one.rows()
    assert isinstance(found, RawTicket)
    assert found.ticket.id.startswith("raw-")
    assert found.numbers == ("../7",)
    other = TicketDraft("front", "../7", "b")
    other.says("customer", "p", plain="Hi")
    assert ticket_of(other).id != found.ticket.id


def test_fields_of_the_owner_have_numbers_but_no_dates_amounts_and_sentences() -> None:
    one = draft()
    one.may_have_numbers(
        [
            "ORD-20417",
            8812,
            "1Z 999 AA1",
            None,
            True,
            ["ORD-9999"],
            "7",
            "39.00",
            "€139,00",
            "2026-03-02",
            "AB",
        ]
    )
    one.may_have_numbers(["I bought 100 lamps from you", "x" * 60 + "12345"])
    one.says("customer", "p", plain="Hi")
    (found,) = one.rows()
    assert isinstance(found, RawTicket)
    assert found.numbers == ("../7", "ORD-20417", "8812", "1Z 999 AA1")


def test_what_is_said_of_a_person_twice_is_put_together() -> None:
    one = draft()
    first = one.person("customer", 7, emails=["a@x.example", None])
    again = one.person(
        "customer", "7", name="Ada\nRook ", emails=["b@x.example", "a@x.example"], ids=[7, None]
    )
    assert first == again == 0
    assert one.person("human", 7) == 1
    one.says("customer", "p", plain="Hi")
    person = ticket_of(one).people[0]
    assert (person.name, person.emails, person.ids) == ("Ada Rook", ("a@x.example", "b@x.example"), ("7",))


def test_what_is_not_taken_is_counted() -> None:
    one = draft()
    one.says("customer", "p1", plain="x" * (LARGEST_MESSAGE + 1))
    one.says("customer", "p2", plain=" \n")
    one.says("customer", "p3", plain="Hi")
    *dropped, _ = one.rows()
    assert [str(row.place) for row in dropped] == ["p1", "p2"]


def test_a_file_alone_is_a_message() -> None:
    one = draft()
    one.says("customer", "p", plain="", attachments=["../../x.png"])
    assert ticket_of(one).events[0].attachments == ("../../x.png",)


@pytest.mark.parametrize("at", ["yesterday", 1e18, "2026-02-30T00:00Z"])
def test_a_bad_date_costs_the_ticket(at: float | str) -> None:
    one = draft()
    one.says("customer", "p", plain="Hi", at=at)
    part, ticket = one.rows()
    assert part == DroppedRow("a.json, row 1", "a part of a ticket that is not taken")
    assert isinstance(ticket, DroppedRow)
    assert "a date that" in ticket.reason


def test_a_ticket_without_a_message_is_not_taken() -> None:
    one = draft()
    one.says("human", "p", plain="A note", is_note=True)
    assert [str(row).partition("reason=")[2] for row in one.rows()] == [
        "'a part of a ticket that is not taken')",
        "'a ticket without a message between customer and desk')",
    ]


def test_a_ticket_with_too_many_parts_is_not_taken() -> None:
    one = draft()
    for _ in range(MOST_EVENTS + 1):
        one.becomes("open", "p")
    rows = list(one.rows())
    assert len(rows) == MOST_EVENTS + 2
    assert rows[-1] == DroppedRow("a.json, row 1", "a ticket with more than 5,000 parts")


def test_a_value_that_no_record_can_hold_costs_the_ticket() -> None:
    one = draft()
    one.says("customer", "p", plain="Hi")
    one.does("human", TicketAct("refund", {"of": "\ud800"}), "p")
    assert [row for row in one.rows() if isinstance(row, RawTicket)] == []


def test_arguments_are_plain_and_not_deep() -> None:
    deep: object = 1
    for _ in range(60):
        deep = [deep]
    assert plain_arguments({"a": [1]}) == {"a": [1]}
    assert plain_arguments(None) == {}
    assert plain_arguments("x") == {"value": "x"}
    assert plain_arguments({"a": deep}) == {"value": "(nested too deeply to be read)"}


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, ""),
        (True, "true"),
        (7.0, "7"),
        (7.5, "7.5"),
        (" x ", "x"),
        ([1, "a"], '[1,"a"]'),
        (10**25, f"{10**25}"),
    ],
)
def test_values_as_text(value: object, text: str) -> None:
    assert words(value) == text
