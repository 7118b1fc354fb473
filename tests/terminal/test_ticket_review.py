"""Ticket review in the terminal: numbered doubts, one answer for each ticket, nothing it says runs."""

import io
from collections.abc import Iterator
from pathlib import Path

import pytest

from raw_tickets import KEY, raw_ticket
from supportagentbench.terminal.console import EscapingConsole
from supportagentbench.terminal.ticket_review import review_in_terminal
from supportagentbench.tickets.import_folder import read_import, write_import
from supportagentbench.tickets.review import Review, reviewing


@pytest.fixture
def review(tmp_path: Path) -> Iterator[Review]:
    rows = [raw_ticket("it is: Zebulon and Quillford", number=f"TK-{number}") for number in (1, 2, 3)]
    write_import(lambda: iter(rows), tmp_path / "out", KEY, source="zendesk")
    with reviewing(tmp_path / "out") as review:
        yield review


def said(review: Review, *answers: str) -> str:
    """What is printed for these answers."""
    printed, left = io.StringIO(), iter(answers)

    def ask(_: str) -> str:
        try:
            return next(left)
        except StopIteration:
            raise EOFError from None

    review_in_terminal(review, ask, EscapingConsole(file=printed, width=200))
    return printed.getvalue()


def test_doubts_have_numbers_and_those_that_are_typed_are_kept(review: Review) -> None:
    printed = said(review, "2", "k", "a")
    assert "[1? Zebulon] and [2? Quillford]" in printed and "\x1b" not in printed
    texts = [ticket.events[0].text.partition(": ")[2] for ticket in read_import(review.folder)]
    assert texts == ["[hidden] and Quillford", "Zebulon and Quillford", "[hidden] and [hidden]"]


def test_words_are_hidden_tickets_left_out_or_left_for_later(review: Review) -> None:
    said(review, "h quillford", "l", "d", "q")
    assert (len(review.waiting), review.approved) == (2, 0)
    assert review.waiting[0].events[0].text.endswith("Zebulon and [hidden]")


def test_anything_else_decides_nothing(review: Review) -> None:
    printed = said(review, "", "approve-all", "3", "0", "h x", "99999999999")
    assert printed.count("This is not one of the answers.") == 6 and len(review.waiting) == 3
