"""Review: what a person decides is stored at once, and what is hidden is gone from the file."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from raw_tickets import KEY, act, raw_ticket
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import digest, from_json
from supportagentbench.records.ticket import SupportTicket, TicketEvent
from supportagentbench.tickets.import_folder import TICKETS, read_header, read_import, write_import
from supportagentbench.tickets.review import BY_A_PERSON, Decision, Review, reviewing, with_hidden

TEXT = "Zebulon met Quillford, then Zebulon slept"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    raws = (
        raw_ticket(TEXT, act(note="see", place="at work"), number=f"TK-{n}", subject="of it")
        for n in range(3)
    )
    rows = tuple(raws)
    write_import(lambda: iter(rows), tmp_path / "out", KEY, source="zendesk")
    return tmp_path / "out"


@pytest.fixture
def review(folder: Path) -> Iterator[Review]:
    with reviewing(folder) as review:
        yield review


def on(ticket: SupportTicket, action: str, **more: object) -> Decision:
    made = {"ticket": ticket.id, "seen": digest(ticket), "action": action, **more}
    return msgspec.convert(made, Decision)


def test_approving_hides_every_doubt_that_is_not_kept(folder: Path, review: Review) -> None:
    first = review.waiting[0]
    start, end = first.events[0].doubts[1]
    review.decide(on(first, "approve", kept=[[0, start, end]]))
    assert len(review.waiting) == 2 and review.approved == 1
    stored = next(read_import(folder))
    assert stored.approved and not stored.has_doubts
    assert stored.events[0].text == "[hidden] met Quillford, then [hidden] slept"
    assert (folder / TICKETS).read_bytes().count(b"Zebulon") == 4  # Those of the two that wait.


def test_hiding_more_leaves_the_ticket_waiting_and_its_doubts_in_their_places(review: Review) -> None:
    review.decide(on(review.waiting[0], "hide", hidden=[[0, 8, 11]]))
    event = review.waiting[0].events[0]
    assert event.text == "Zebulon [hidden] Quillford, then Zebulon slept"
    assert [event.text[start:end] for start, end in event.doubts] == ["Zebulon", "Quillford", "Zebulon"]


def test_words_are_hidden_everywhere_in_the_ticket(review: Review) -> None:
    review.decide(on(review.waiting[0], "hide", words=["zebulon", "at  work", "see", "of it"]))
    ticket = review.waiting[0]
    assert ticket.events[0].text == "[hidden] met Quillford, then [hidden] slept"
    assert ticket.events[1].act and ticket.events[1].act.arguments == {
        "note": "[hidden]",
        "place": "[hidden]",
    }
    assert ticket.subject == "[hidden]" and ticket.events[1].act.name == "update_order"


def test_a_ticket_that_is_left_out_is_gone_and_counted(folder: Path, review: Review) -> None:
    for _ in range(2):
        review.decide(on(review.waiting[0], "drop"))
    header = read_header(folder)
    assert (header.tickets, header.dropped, header.events) == (1, {BY_A_PERSON: 2}, {"act": 1, "message": 1})
    assert len(list(read_import(folder))) == 1


def test_nothing_is_decided_on_a_ticket_that_the_person_did_not_see(folder: Path, review: Review) -> None:
    seen = review.waiting[0]
    review.decide(on(seen, "hide", hidden=[[0, 0, 3]]))
    before = (folder / TICKETS).read_bytes()
    for decision in (on(seen, "approve"), on(seen, "drop"), Decision("t-unknown", "x", "drop")):
        with pytest.raises(Problem, match="has been decided on or changed"):
            review.decide(decision)
    review.decide(on(review.waiting[0], "approve"))
    with pytest.raises(Problem, match="has been decided on or changed"):
        review.decide(on(next(read_import(folder)), "approve"))
    assert (folder / TICKETS).read_bytes() != before


def test_only_one_person_reviews_at_a_time(folder: Path, review: Review) -> None:
    review.decide(on(review.waiting[0], "approve"))
    with pytest.raises(Problem, match="is being reviewed"), reviewing(folder):
        pass


@pytest.mark.parametrize(
    "body",
    [
        b"{}",
        b'{"ticket":"../x","seen":"","action":"drop"}',
        b'{"ticket":"t","seen":"","action":"approve-all"}',
        b'{"ticket":"t","seen":"","action":"hide","hidden":[[0,-1,2]]}',
        b'{"ticket":"t","seen":"","action":"hide","words":["x"]}',
        b'{"ticket":"t","seen":"","action":"hide","more":1}',
    ],
)
def test_what_is_no_decision(body: bytes) -> None:
    with pytest.raises(msgspec.MsgspecError):
        from_json(body, Decision)


SPANS = st.lists(st.tuples(st.integers(0, 12), st.integers(0, 14)), max_size=4)


@given(SPANS, SPANS)
def test_what_is_hidden_is_gone_and_what_is_doubtful_stays_so(
    hidden: list[tuple[int, int]], marked: list[tuple[int, int]]
) -> None:
    text = "abcdefghijkl"
    joined: list[tuple[int, int]] = []
    for start, end in sorted((start, min(end, 12)) for start, end in marked):
        if start < end and (not joined or start >= joined[-1][1]):
            joined.append((start, end))
    made = with_hidden(TicketEvent("customer", "message", text, doubts=tuple(joined)), hidden)
    gone = {text[place] for start, end in hidden for place in range(start, min(end, 12))}
    doubtful = {text[place] for start, end in joined for place in range(start, end)} - gone
    kept = made.text.replace("[hidden]", "#")
    assert set(kept) - {"#"} == set(text) - gone
    inside = "".join(made.text[start:end] for start, end in made.doubts)
    assert set(inside) == doubtful
