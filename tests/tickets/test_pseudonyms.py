"""Pseudonyms: a ticket's own people are gone, rules replace, doubts are hidden, errors leave it out."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from raw_tickets import DAVID, KEY, act, raw_ticket
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import to_json
from supportagentbench.records.secrets import keep_secret
from supportagentbench.records.ticket import TicketAct, TicketEvent, TicketPerson, Who
from supportagentbench.tickets.folding import folded
from supportagentbench.tickets.known_words import KnownWords
from supportagentbench.tickets.pseudonyms import LONGEST, pseudonymised, shown, texts_of
from supportagentbench.tickets.word_lists import DESK


def safe(text: str, **more: str) -> str:
    """What anyone may read of a message."""
    return shown(pseudonymised(raw_ticket(text, **more), KEY)).events[0].text


@pytest.mark.parametrize(
    "text",
    [
        "It is for Dávid Okonkwo-Lindqvist.",
        "david okonkwo lindqvist",
        "DAVID",
        "Davids parcel, David's parcel, Dávid’s parcel",
        "Mr. Okonkwo",
        "ask Lindqvist about it",
        "Lindkvist or Lindqvsit or Okonkow",
        "my user is lindqvist1 or dokonkwo or davidokonkwolindqvist",
        "dok.lind77",
        "D a v i d",
    ],
)
def test_no_way_to_write_a_name_of_a_field_can_be_read(text: str) -> None:
    left = folded(safe(text))
    for part in ("david", "okonk", "okonkwo", "lindq", "lindk", "lind77", "d a v i d"):
        assert part not in left, left


def test_initials_go_with_the_name() -> None:
    made = safe("D. Lindqvist wrote to E. O'Neill")
    assert not made.startswith("D.") and "Neill" not in made


def test_the_same_person_is_the_same_in_every_ticket_of_a_project_and_another_in_others() -> None:
    first, second = (
        pseudonymised(raw_ticket("David", number=number), KEY) for number in ("A-1001", "A-1002")
    )
    assert first.people == second.people and first.events[0].text == second.events[0].text
    assert first.events[0].text in first.people[0].name.split()
    assert pseudonymised(raw_ticket("David"), b"x" * 32).people != first.people


def test_numbers_are_the_same_wherever_they_are_and_keep_their_shape() -> None:
    made = pseudonymised(raw_ticket("It is TK-48213, or #tk48213", act(order="TK-48213", n=1)), KEY)
    assert made.events[1].act
    new = made.events[1].act.arguments["order"]
    assert new[2] == "-" and len(new) == 8 and new[3:].isdigit() and new[:2] != "TK"
    assert made.events[0].text.startswith(f"It is {new}")
    assert "48213" not in to_json(made).decode()


def test_all_dates_move_by_the_same_whole_weeks() -> None:
    raw = raw_ticket("Bought on March 5, 2024, or 2024-03-05.", act(created_at=1_709_800_000))
    made = pseudonymised(raw, KEY)
    before, after = raw.ticket.events[0].at, made.events[0].at
    assert before and after and made.events[1].act
    moved = before - after
    assert moved % timedelta(weeks=1) == timedelta(0) and timedelta(weeks=4) <= moved <= timedelta(weeks=52)
    assert made.events[1].act.arguments["created_at"] == 1_709_800_000 - moved.total_seconds()
    day = (before - timedelta(days=2) - moved).date()
    assert made.events[0].text == f"Bought on {day:%B} {day.day}, {day.year}, or {day.isoformat()}."


def test_a_date_with_a_time_moves_and_keeps_the_time() -> None:
    event = TicketEvent("bot", "act", act=TicketAct("track", {"at": "2024-03-05T09:00:00Z"}))
    made = pseudonymised(raw_ticket("Came on 2024-03-05", event), KEY)
    assert made.events[1].act
    day = made.events[0].text.removeprefix("Came on ")
    assert day != "2024-03-05" and made.events[1].act.arguments == {"at": f"{day}T09:00:00Z"}
    odd = TicketEvent("bot", "act", act=TicketAct("track", {"at": "2024-99-05T09:00:00Z"}))
    assert "2024-99-05" not in to_json(pseudonymised(raw_ticket("hello", odd), KEY)).decode()


def test_the_tag_with_which_a_model_begins_stays_and_no_other_does() -> None:
    says = "<thinking>Zebulon is <b>angry</b></thinking> Hello David"
    (event,) = pseudonymised(raw_ticket(TicketEvent("bot", "message", says)), KEY).events
    assert event.text.startswith("<thinking>Zebulon is angry Hello") and "David" not in event.text
    assert [event.text[start:end] for start, end in event.doubts] == ["Zebulon"]
    others: list[tuple[Who, str]] = [("customer", says), ("bot", f"Da{says}"), ("bot", "<thinking a=1>x")]
    for who, text in others:
        (event,) = pseudonymised(raw_ticket(TicketEvent(who, "message", text)), KEY).events
        assert "<" not in event.text


def test_names_in_an_acts_fields_are_names_of_the_ticket() -> None:
    made = pseudonymised(
        raw_ticket("Is it for zacharia?", act(recipient="Zacharia Quill", amount=129_900)), KEY
    )
    assert "achari" not in to_json(made).decode() and "Quill" not in to_json(made).decode()
    assert made.events[1].act and made.events[1].act.arguments["amount"] == 129_900


def test_doubtful_words_are_marked_where_they_are_and_hidden_from_readers() -> None:
    made = pseudonymised(raw_ticket("David told Zebulon that it is fine, Zebulon."), KEY)
    event = made.events[0]
    assert [event.text[start:end] for start, end in event.doubts] == ["Zebulon", "Zebulon"]
    assert made.has_doubts and shown(made).events[0].text.count("▒") == 14
    assert shown(replace(made, approved=True)).events[0].text == event.text


def test_where_there_are_no_doubts_doubtful_words_are_gone() -> None:
    raw = raw_ticket("hello", act(note="spoke to Zebulon"), subject="Refund for Zebulon")
    raw = raw._replace(ticket=replace(raw.ticket, satisfaction="good, says Zebulon"))
    assert b"Zebulon" not in to_json(pseudonymised(raw, KEY))


def test_a_name_of_one_ticket_is_a_doubt_in_another() -> None:
    known = KnownWords(frozenset({"zebulon"}))
    made = pseudonymised(raw_ticket("the brand is zebulon"), KEY, known)
    assert [made.events[0].text[start:end] for start, end in made.events[0].doubts] == ["zebulon"]


def test_an_answer_to_who_are_you_is_a_doubt() -> None:
    asked = TicketEvent("human", "message", "Can I have your full name, please?")
    made = pseudonymised(raw_ticket(asked, "great will"), KEY)
    assert made.events[1].doubts == ()  # Both are common words: this is the limit of it.
    made = pseudonymised(raw_ticket(asked, "zeb quill"), KEY)
    assert shown(made).events[1].text == "▒" * 9


def test_attachments_keep_their_kind_alone() -> None:
    event = TicketEvent(
        "customer", "message", "see", attachments=("David Okonkwo.PDF", "a.b/c d", "x.tar_of_david")
    )
    assert pseudonymised(raw_ticket(event), KEY).events[0].attachments == ("file-1.pdf", "file-2", "file-3")


def test_own_secrets_are_taken_out_by_value() -> None:
    keep_secret("blue teapot")
    assert safe("it is blue teapot") == "it is [key]"


def test_what_goes_wrong_leaves_the_ticket_out_and_says_nothing_of_it() -> None:
    raw = raw_ticket("x" * (LONGEST + 1))
    with pytest.raises(Problem, match="more than 100,000 characters"):
        pseudonymised(raw, KEY)
    broken = raw._replace(ticket=replace(raw.ticket, events=(TicketEvent("human", "note", None),)))  # type: ignore[arg-type]
    with pytest.raises(Problem, match=r"cannot be pseudonymised \(\w+\); it is left out") as found:
        pseudonymised(broken, KEY)
    assert "Lindqvist" not in str(found.value) and found.value.__cause__ is None


def test_a_name_with_signs_between_its_letters_does_not_stay_in_a_tag() -> None:
    raw = raw_ticket("hello")
    tagged = replace(raw.ticket, tags=("da-vid-oko:nk:wo-li:nd_qv_ist",))
    assert pseudonymised(raw._replace(ticket=tagged), KEY).tags[0].startswith("word-")


@given(st.text(max_size=60), st.sampled_from(["david", "OKONKWO", "Lindqvist", "dok.lind77@fastmail.com"]))
def test_whatever_is_around_a_name_it_cannot_be_read(around: str, name: str) -> None:
    raw = raw_ticket(f"{around} {name} {around}")
    try:
        made = pseudonymised(raw, KEY)
    except Problem:
        return
    assert f" {name} " not in "".join(texts_of(made, mark="▒"))
    for start, end in made.events[0].doubts:
        assert 0 <= start < end <= len(made.events[0].text)


@given(st.text(min_size=1, max_size=40))
def test_a_name_of_any_letters_never_stays_in_its_field(name: str) -> None:
    raw = raw_ticket("hello")
    raw = raw._replace(ticket=replace(raw.ticket, people=(TicketPerson("customer", name),)))
    try:
        made = pseudonymised(raw, KEY).people[0].name
    except Problem:
        return
    assert made != name or len(name) < 3 or folded(name) in DESK  # Words such as `support` name a desk.


def test_words_of_other_languages_do_not_stop_it() -> None:
    raw = raw_ticket("欧阳慧敏的包裹没有到 والمنصوري")
    people = (TicketPerson("customer", "欧阳慧敏"), TicketPerson("customer", "ياسمين المنصوري"), DAVID)
    made = shown(pseudonymised(raw._replace(ticket=replace(raw.ticket, people=people)), KEY))
    assert "欧阳" not in made.events[0].text and "المنصوري" not in made.events[0].text
