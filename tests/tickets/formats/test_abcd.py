"""ABCD: lines are messages, and buttons are acts with what was filled in."""

import json
from pathlib import Path

import pytest

from exported import rows_of, talk, tickets_in
from supportagentbench.records.problem import Problem
from supportagentbench.records.ticket import TicketAct
from supportagentbench.tickets.raw import DroppedRow, RawTicket


def test_lines_are_messages_and_acts() -> None:
    (found,) = tickets_in("abcd", "abcd.json")
    assert talk(found.ticket) == [
        "human message: Hello.",
        "customer message: I want my money back for the socks.",
        "human act: pull-up-account",
        "human act: offer-refund",
        "human act: unknown button",
        "human message: Done.",
    ]
    assert (found.ticket.kind, found.numbers) == ("refund_initiate", ())
    assert found.ticket.events[3].act == TicketAct("offer-refund", {"amount": "12"})
    assert found.ticket.events[2].text == "Account has been pulled up for Tamsin Vale."


@pytest.mark.parametrize(
    ("sentence", "act"),
    [
        ("Identity verification in progess ...", TicketAct("verify-identity")),
        ("Membership level of has been noted.", TicketAct("membership")),
        (
            "Details of 7 Elm St, York have been entered.",
            TicketAct("enter-details", {"details": "7 Elm St, York"}),
        ),
        ("The website team has been notified.", TicketAct("notify-team", {"team": "website team"})),
        ("System Action: search jeans", TicketAct("search-jeans")),
    ],
)
def test_buttons_have_names(tmp_path: Path, sentence: str, act: TicketAct) -> None:
    chat = [[f"USR:Hi\n\nACT:{sentence}\n\n", "status"]]
    (found,) = rows_of(tmp_path / "a.json", json.dumps(chat), "abcd")
    assert isinstance(found, RawTicket)
    assert found.ticket.events[1].act == act


def test_chats_that_are_not_taken_are_counted(tmp_path: Path) -> None:
    chats = [["USR:Hi\nsomething else\n", "status"], ["no subflow"], ["USR:Hi", "status"]]
    rows = rows_of(tmp_path / "a.json", json.dumps(chats), "abcd")
    reasons = [row.reason for row in rows if isinstance(row, DroppedRow)]
    assert reasons[:2] == [
        "a part of a ticket that is not taken",
        "a chat with a line that is not SYS, USR or ACT",
    ]
    assert reasons[2].startswith("not a text and a subflow")
    assert len(rows) == 4


def test_an_object_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Problem, match=r"give chats\.json"):
        rows_of(tmp_path / "a.json", "{}", "abcd")
