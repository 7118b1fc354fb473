"""Doubts: words that may be names are marked; common words and the shop's own are not."""

import pytest

from supportagentbench.records.ticket import SupportTicket, TicketEvent, TicketPerson
from supportagentbench.tickets.doubts import doubts_in, known_words_of
from supportagentbench.tickets.folding import clusters
from supportagentbench.tickets.known_words import ONLY_COMMON, KnownWords


def doubts(text: str, known: KnownWords = ONLY_COMMON, *, is_answer: bool = False) -> list[str]:
    return [text[start:end] for start, end in clusters([*doubts_in(text, known, is_answer=is_answer)], text)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("my name is will young", ["will young"]),
        ("Hello, my name is Grace.", ["Grace"]),
        ("thanks, Bill", ["Bill"]),
        ("I gave it to Mark for repair", ["Mark"]),
        ("it was sent to claudette again", ["claudette"]),
        ("Kind regards,\nZebulon Quill", ["Zebulon Quill"]),
        ("ich heiße Anneliese", ["Anneliese"]),
        ("send it to 77 primrose, it is near", ["primrose"]),
        ("it is jbanter9 there", ["jbanter9"]),
        ("he is D a v i d", ["D a v i d"]),
        ("it was Dаvid again", ["Dаvid"]),
        ("是欧阳的包裹", ["是欧阳的包裹"]),
        ("I TOLD CLAUDETTE", ["CLAUDETTE"]),
    ],
)
def test_what_may_be_a_name(text: str, found: list[str]) -> None:
    marked = doubts(text)
    assert all(any(one in other for other in marked) for one in found), marked


@pytest.mark.parametrize(
    "text",
    [
        "Will you send me a new one? May I keep it?",
        "I would like a refund for the jacket. It is broken!",
        "Thank you so much for your help, have a great day",
        "I can't log in, it doesn't work.",
        "PLEASE SEND IT TODAY",
    ],
)
def test_what_is_no_name(text: str) -> None:
    assert doubts(text) == []


def test_all_but_common_words_of_an_answer() -> None:
    assert doubts("it is zeb", is_answer=True) == ["zeb"] and doubts("7 77", is_answer=True) == ["7 77"]
    assert doubts("why do you need it, and since when is 7 an answer?", is_answer=True) == []


def chat(*texts: str, name: str = "") -> SupportTicket:
    events = tuple(TicketEvent("customer", "message", text) for text in texts)
    return SupportTicket("t", "x", events, (TicketPerson("customer", name),))


def test_that_many_tickets_have_a_word_proves_nothing() -> None:
    lines = ("the frobnicator of zebulon", "a frobnicator for zebulon", "frobnicator, zebulon", "frobnicator")
    known = known_words_of(map(chat, lines))
    assert not known.is_common("frobnicator") and not known.is_common("zebulon")
    for last in (chat("My name is Zebulon"), chat("hi", name="Zebulon Quill")):
        assert "zebulon" in known_words_of([*map(chat, lines), last]).names
