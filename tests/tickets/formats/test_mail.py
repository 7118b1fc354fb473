"""Mail: answers find their talk, each part its alphabet, and the user says who is the desk."""

from pathlib import Path

import pytest

from exported import EXPORTS, dropped_in, rows_of, talk, tickets_in
from supportagentbench.records.problem import Problem
from supportagentbench.tickets.raw import DroppedRow, RawTicket
from supportagentbench.tickets.read import read_tickets

DESK = "desk=help@tents.example"
HEAD = "From: Ada <ada@mail.example>\nMessage-ID: <m@mail.example>\n"


def test_answers_are_one_talk_and_quotes_are_cut() -> None:
    first, second = tickets_in("mail", "mail.mbox", "single.eml", columns=DESK)
    assert talk(first.ticket) == [
        "customer message: Is it for fünf people?\n\nFrom what I read, four.",
        "human message: It is for five.",
    ]
    assert first.ticket.events[0].attachments == ("tent.png",)
    assert first.ticket.subject == "Tent too small?"
    assert talk(second.ticket) == ["customer message: How many pegs?"]


def test_people_have_their_names_and_addresses() -> None:
    first, _ = tickets_in("mail", "mail.mbox", "single.eml", columns=DESK)
    assert [(one.who, one.name) for one in first.ticket.people] == [
        ("customer", "Leopóld Szabo"),
        ("human", "Tents"),
    ]


def test_whoever_a_mail_is_to_is_on_the_ticket(tmp_path: Path) -> None:
    mail = f"{HEAD}To: Help <HELP@tents.example>\nCc: Bo Rook <bo@mail.example>\n\nBo is in copy.\n"
    (found,) = rows_of(tmp_path / "a.eml", mail, "mail", DESK)
    assert isinstance(found, RawTicket)
    assert [(one.who, one.name) for one in found.ticket.people] == [
        ("customer", "Ada"),
        ("human", "Help"),
        ("customer", "Bo Rook"),
    ]


def test_automatic_replies_and_repeated_mails_are_counted() -> None:
    assert dropped_in("mail", "mail.mbox", "single.eml", "single.eml", columns=DESK) == {
        "an automatic reply of a person who is away": 1,
        "a mail that another one repeats": 1,
    }


def test_what_the_desk_sends_by_itself_is_the_systems(tmp_path: Path) -> None:
    mail = (
        "From: help@tents.example\nAuto-Submitted: auto-generated\nMessage-ID: <m@x>\n\nWe got your mail.\n"
    )
    (found,) = rows_of(tmp_path / "a.eml", mail, "mail", DESK)
    assert isinstance(found, RawTicket)
    assert talk(found.ticket) == ["system message: We got your mail."]


def test_the_desk_has_to_be_named() -> None:
    with pytest.raises(Problem, match="give its addresses"):
        list(read_tickets("mail", [EXPORTS / "mail.mbox"]))


@pytest.mark.parametrize(
    ("mail", "reason"),
    [
        ("Subject: x\n\nHello", "without a sender"),
        (f"{HEAD}Subject: {'x' * 10_001}\n\nHello", "a header of more than"),
        (f"{HEAD}Content-Type: multipart/mixed; boundary=b\n\n" + "--b\n\nx\n" * 300, "more than 200 parts"),
        (f"{HEAD}Date: someday\n\nHello", "a date that"),
    ],
)
def test_mails_that_are_not_taken_say_why(tmp_path: Path, mail: str, reason: str) -> None:
    *_, found = rows_of(tmp_path / "a.eml", mail, "mail", DESK)
    assert isinstance(found, DroppedRow)
    assert reason in found.reason


def test_a_mail_in_an_unusual_alphabet_is_not_guessed(tmp_path: Path) -> None:
    mail = f"{HEAD}Content-Type: text/plain; charset=klingon\n\nGrüße\n"
    *_, found = rows_of(tmp_path / "a.eml", mail, "mail", DESK)
    assert isinstance(found, DroppedRow)


def test_html_after_plain_text_is_read_unless_it_says_the_same(tmp_path: Path) -> None:
    body = "--b\n\nFirst.\n--b\nContent-Type: text/html\n\n<p>Second.</p>\n--b--\n"
    for kind, text in (("mixed", "First.\nSecond."), ("alternative", "First.")):
        mail = f"{HEAD}Content-Type: multipart/{kind}; boundary=b\n\n{body}"
        (found,) = rows_of(tmp_path / "a.eml", mail, "mail", DESK)
        assert isinstance(found, RawTicket)
        assert found.ticket.opening == text


def test_a_mail_within_a_mail_is_a_file(tmp_path: Path) -> None:
    inner = "--b\n\nSee this.\n--b\nContent-Type: message/rfc822\n\nFrom: x@y.example\n\nTheirs.\n--b--\n"
    mail = f"{HEAD}Content-Type: multipart/mixed; boundary=b\n\n{inner}"
    (found,) = rows_of(tmp_path / "a.eml", mail, "mail", DESK)
    assert isinstance(found, RawTicket)
    assert (found.ticket.opening, found.ticket.events[0].attachments) == ("See this.", ("message/rfc822",))
