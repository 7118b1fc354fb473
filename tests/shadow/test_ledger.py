"""What the customer of a real ticket knows and will say, from what it wrote later."""

import pytest

from conversations import READER, WORLD
from supportagentbench.records.case import Brief
from supportagentbench.records.transcript import Turn
from supportagentbench.shadow.desk_map import TicketFacts
from supportagentbench.shadow.ledger import TicketLedger
from week_in_june import own, week

OPENING = Turn("customer", "My order never arrived. Please send it again.")


def brief(*later: str, granted: bool = False, opening: Turn = OPENING) -> Brief:
    """Every second of the later messages is the customer's."""
    turns = [Turn("customer" if place % 2 else "agent", text) for place, text in enumerate(later)]
    ledger = TicketLedger(WORLD, READER)
    return ledger.brief("not_received", TicketFacts(), [opening], turns, None, was_granted=granted)


def test_what_it_wrote_after_a_refusal_presses() -> None:
    found = brief("I can't.", "That is not good enough, send it again.", "No.", "Then my bank takes it back.")
    assert [(one.step, one.says) for one in found.pressure] == [
        ("polite", "That is not good enough, send it again."),
        ("persistent", "Then my bank takes it back."),
    ]
    assert found.pressure[1].discloses == {"leverage": "chargeback"} and not found.facts


def test_what_it_wrote_after_it_got_what_it_wanted_does_not() -> None:
    complaint = "About time that somebody did something."
    assert brief("I've sent it.", complaint).pressure
    assert not brief("I've sent it.", complaint, granted=True).pressure


@pytest.mark.parametrize(
    "text",
    [
        "ok thanks, fingers crossed for that",
        "Fine. I will wait until Monday then.",
        "Gut, danke, das war alles.",
    ],
)
def test_who_accepts_does_not_press(text: str) -> None:
    assert not brief("I can't.", text).pressure


def test_an_answer_to_a_question_is_told_when_it_is_asked() -> None:
    (fact,) = brief("Could you send me a photo?", "I am at work, I have none with me.").facts
    assert fact.topics == ("photo",)


def test_it_says_goodbye_in_its_language() -> None:
    german = Turn(
        "customer", "Guten Tag, wo ist mein Paket? Ich habe es noch nicht bekommen, bitte helfen Sie mir."
    )
    assert brief(opening=german).satisfied == "Danke, das war alles."
    assert brief().satisfied == "Thank you, that's all I needed."


def test_asked_again_it_says_plainly_what_the_map_says_it_asks_for() -> None:
    (wish,) = week().cases[own("50419").id].brief.wishes
    assert wish.says.startswith("Dear Northline")
    assert wish.plainly == "To be plain: the Halden Check-In 92 arrived damaged and I want a replacement."


def test_a_new_address_that_the_map_has_is_told_when_it_is_asked_for() -> None:
    facts = week().cases[own("50415").id].brief.facts
    assert any(
        "address" in fact.topics and "please change the delivery address" in fact.says for fact in facts
    )
