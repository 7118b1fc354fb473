"""Zendesk: comments and audits become one talk; what repeats, is merged or was not loaded is counted."""

import json
from pathlib import Path
from typing import Any

import pytest

from exported import EXPORTS, dropped_in, rows_of, talk, tickets_in
from supportagentbench.records.ticket import TicketAct
from supportagentbench.tickets.raw import DroppedRow, RawTicket

ASKS = {"id": 1, "ticket_id": 5, "author_id": 2, "body": "Where is it?", "public": True}
TICKET = {"id": 5, "requester_id": 2, "comments": [ASKS]}


def test_the_talk_is_what_the_desk_shows_in_its_order() -> None:
    first, _ = tickets_in("zendesk", "zendesk.json")
    assert talk(first.ticket) == [
        "customer message: Hello,\n\nthe lamp of order ORD-20417 came with a crack.",
        "human note: Photo is clear. Refund in full.",
        "human message: Hello Jonna,\n\nI have refunded the lamp.",
        "human status: solved",
        "human act: custom_refund",
        "customer message: Thank you!",
        "customer status: open",
        "human status: merged",
        "system message: How did we do?",
    ]
    assert first.ticket.events[4].act == TicketAct("custom_refund", {"from": None, "to": "39.00"})
    times = [f"{one.at:%d %H:%M:%S}" for one in first.ticket.events if one.at]
    assert times[3:7] == ["02 10:06:00", "02 10:06:00", "02 11:00:00", "02 11:00:01"]
    assert (len(times), times[-2:]) == (9, ["03 11:00:00", "03 12:00:00"])
    assert first.ticket.events[0].attachments == ("crack.jpg",)
    assert first.ticket.opening.startswith("Hello")


def test_what_the_ticket_says_of_itself() -> None:
    first, _ = tickets_in("zendesk", "zendesk.json")
    ticket = first.ticket
    assert (ticket.subject, ticket.channel, ticket.kind) == ("Lamp arrived broken", "email", "problem")
    assert (ticket.status, ticket.satisfaction, ticket.reopened) == ("solved", "good", 1)
    assert ticket.tags == ("damage", "refund")
    assert first.numbers == ("35436", "web-7781", "ORD-20417")


def test_people_have_what_the_users_loaded_with_it_say() -> None:
    first, _ = tickets_in("zendesk", "zendesk.json")
    customer, agent = first.ticket.people
    assert (customer.who, customer.name, customer.phones) == ("customer", "Jonna Virtala", ("+358401234567",))
    assert (agent.who, agent.name, agent.emails) == ("human", "Pim Oudekerk", ("pim@lumen.example",))
    assert [one.person for one in first.ticket.events] == [0, 1, 1, 1, 1, 0, 0, 1, None]


def test_a_merged_ticket_is_marked_and_its_words_are_not_doubled() -> None:
    first, second = tickets_in("zendesk", "zendesk.json")
    assert talk(second.ticket) == ["customer message: Any news?", "system status: merged into another ticket"]
    assert not any("Any news" in one.text for one in first.ticket.events)


def test_every_other_row_is_counted() -> None:
    assert dropped_in("zendesk", "zendesk.json") == {
        "a row that another one repeats": 1,
        "a comment that another row repeats": 2,
        "an event of an audit that is neither a comment nor a change": 1,
        "a ticket without its comments: load them, too": 1,
        "a part of a ticket that is not in the export": 1,
    }


def test_json_lines_are_the_same(tmp_path: Path) -> None:
    whole = json.loads((EXPORTS / "zendesk.json").read_text())
    keys = ("tickets", "comments", "ticket_audits", "users")
    lines = "\n".join(json.dumps(row) for key in keys for row in whole[key])
    found = [
        row.ticket for row in rows_of(tmp_path / "z.jsonl", lines, "zendesk") if isinstance(row, RawTicket)
    ]
    assert found == [row.ticket for row in tickets_in("zendesk", "zendesk.json")]


@pytest.mark.parametrize(
    ("author", "via", "public", "who"),
    [
        (2, None, True, "customer"),
        (-1, None, True, "system"),
        (9, {"channel": "answer_bot"}, True, "bot"),
        (9, {"channel": "rule"}, True, "system"),
        (9, None, False, "human"),
    ],
)
def test_who_wrote_it(tmp_path: Path, author: int, via: Any, public: bool, who: str) -> None:
    more = {"id": 3, "author_id": author, "body": "So.", "via": via, "public": public}
    row = {**TICKET, "comments": [ASKS, more]}
    (found,) = rows_of(tmp_path / "z.json", json.dumps([row]), "zendesk")
    assert isinstance(found, RawTicket)
    assert found.ticket.events[1].who == who


def test_a_ticket_is_not_taken_if_a_role_is_not_said(tmp_path: Path) -> None:
    row = {**TICKET, "comments": [ASKS, {"id": 3, "author_id": 77, "body": "Who am I?"}]}
    *_, found = rows_of(tmp_path / "z.json", json.dumps([row]), "zendesk")
    assert isinstance(found, DroppedRow)
    assert "role is not said" in found.reason


def test_users_are_known_from_the_ticket_and_from_beside_it(tmp_path: Path) -> None:
    row = {
        **TICKET,
        "requester": {"id": 2, "name": "Ada"},
        "comments": [ASKS, {"id": 3, "author_id": 77, "body": "Here."}],
    }
    users = [{"id": 2, "name": "Ada", "email": "ada@mail.example"}, {"id": 77, "role": "admin"}, {"id": 77}]
    (found,) = rows_of(tmp_path / "z.json", json.dumps({"users": users, "tickets": [row]}), "zendesk")
    assert isinstance(found, RawTicket)
    assert found.ticket.people[0].emails == ("ada@mail.example",)
    assert talk(found.ticket)[1] == "human message: Here."


def test_an_agent_of_one_ticket_is_an_agent_of_the_next(tmp_path: Path) -> None:
    other = {"id": 6, "requester_id": 8, "assignee_id": 77, "comments": [{**ASKS, "id": 9, "author_id": 8}]}
    row = {**TICKET, "comments": [ASKS, {"id": 3, "author_id": 77, "body": "Here."}]}
    found = rows_of(tmp_path / "z.json", json.dumps([row, other]), "zendesk")
    assert isinstance(found[0], RawTicket)
    assert talk(found[0].ticket)[1] == "human message: Here."


def changed(*fields: tuple[str, object]) -> list[dict[str, Any]]:
    events = [{"type": "Change", "field_name": name, "value": value} for name, value in fields]
    return [{"id": 9, "author_id": 3, "events": events}]


def test_a_changed_field_is_an_act_by_the_title_of_the_field(tmp_path: Path) -> None:
    export = {
        "tickets": [TICKET | {"assignee_id": 3, "audits": changed(("77", "send_again"), ("group_id", 8))}],
        "ticket_fields": [{"id": 77, "title": "Action"}, {"id": 78, "title": None}],
    }
    (found,) = rows_of(tmp_path / "z.json", json.dumps(export), "zendesk")
    assert isinstance(found, RawTicket)
    acts = [event.act for event in found.ticket.events if event.act]
    assert acts == [
        TicketAct("Action", {"from": None, "to": "send_again"}),
        TicketAct("group_id", {"from": None, "to": 8}),
    ]


def test_a_field_that_every_ticket_has_is_no_act(tmp_path: Path) -> None:
    export = {
        "tickets": [TICKET | {"assignee_id": 3, "audits": changed(("priority", "high"), ("tags", ["x"]))}]
    }
    rows = [*rows_of(tmp_path / "z.json", json.dumps(export), "zendesk")]
    assert [row.reason for row in rows if isinstance(row, DroppedRow)] == [
        "a change of a field that every ticket has"
    ] * 2
