"""Ledger: what the customer will say from the resume point on is what it wrote, and when it fits."""

import pytest

from conversations import WORLD
from supportagentbench.language.reader import reader_of
from supportagentbench.records.case import Brief
from supportagentbench.records.sender import Sender
from supportagentbench.records.transcript import Attachment, Turn
from supportagentbench.shadow.desk_map import TicketFacts
from supportagentbench.shadow.ledger import FAREWELL, THANKS, TicketLedger
from week_in_june import own, week

LEDGER = TicketLedger(WORLD, reader_of(WORLD.vocabulary))
ASKS = "Please cancel my order, I changed my mind."
ANNA = Sender("Anna Example", "anna@example.com")


def talk(*texts: str) -> list[Turn]:
    """The desk and the customer in turns, the desk first."""
    return [Turn("customer" if place % 2 else "agent", text) for place, text in enumerate(texts)]


def brief(*later: str, request: str = "cancel", history: tuple[str, ...] = (), **known: object) -> Brief:
    """A ledger made of what was written before and after the resume point."""
    before = talk("Hello!", *history) if history else [Turn("customer", ASKS)]
    facts = TicketFacts(**known)  # type: ignore[arg-type]
    return LEDGER.brief(request, facts, before, talk(*later), ANNA)


def told(found: Brief) -> dict[str, tuple[str, ...]]:
    """What it says only when asked, by its words."""
    assert all(fact.when == "if_asked" for fact in found.facts)
    return {fact.says: fact.topics for fact in found.facts}


def pressed(found: Brief) -> list[tuple[str, str]]:
    return [(one.step, one.says) for one in found.pressure]


def test_it_wants_what_the_map_says_in_the_words_of_the_ticket() -> None:
    (wish,) = brief(arguments={"line": 2}).wishes
    assert (wish.request, wish.says, wish.arguments) == ("cancel", ASKS, {"line": 2})
    assert wish.satisfied_by == ("done:cancel_order",) and wish.agrees_to == ("cancel_order",)


def test_equivalent_acts_settle_it_alike() -> None:
    (wish,) = brief(request="not_received").wishes
    assert {"done:reship", "done:replace_item"} <= set(wish.satisfied_by)


def test_what_no_act_grants_is_settled_by_news() -> None:
    (wish,) = brief(request="status").wishes
    assert "told:tracking" in wish.satisfied_by and not wish.agrees_to


@pytest.mark.parametrize(
    "history", [("Hi", "Yes?", ASKS), ("Hi there", "Your name?", "My name is Anna Example", "Yes?", ASKS)]
)
def test_it_asks_in_its_first_words_that_are_more_than_a_greeting(history: tuple[str, ...]) -> None:
    assert brief(history=history).wishes[0].says == ASKS


def test_what_it_is_about_is_said_in_its_next_message_if_its_opening_did_not_say_so() -> None:
    found = brief("How can I help?", ASKS, "Your name?", "It is Anna, dear.", history=("Hi",))
    assert found.wishes[0].says == ASKS
    assert {fact.says: fact.when for fact in found.facts}[ASKS] == "volunteer"
    assert {fact.says: fact.when for fact in found.facts}["It is Anna, dear."] == "if_asked"


def test_if_nothing_says_it_the_first_words_stand() -> None:
    assert brief(history=("Hi",)).wishes[0].says == "Hi"


def test_an_answer_to_a_question_is_told_only_when_asked_for_that() -> None:
    found = brief(
        "What is the number of your order?", "It's 4711 dear", "Why?", "My husband bought one, too."
    )
    assert told(found)["It's 4711 dear"] == ("order_number",)
    assert told(found)["My husband bought one, too."] == ("reason",)
    assert not found.pressure


def test_an_answer_to_a_question_of_the_desks_own_is_about_details() -> None:
    found = brief("What is your membership level?", "I am a silver member, I believe.")
    assert told(found)["I am a silver member, I believe."] == ("details",)
    assert not found.pressure


@pytest.mark.parametrize("answer", ["Yes", "Yes please", "No, sorry", "No, that is all!"])
def test_a_bare_yes_answers_that_one_question(answer: str) -> None:
    assert answer not in told(brief("Is it in its packaging?", answer))


def test_what_it_discloses_later_is_known_to_the_policy_once_it_says_it() -> None:
    found = brief("What is wrong with it, then?", "I have never used it, not once!")
    (fact,) = [one for one in found.facts if one.discloses]
    assert fact.discloses == {"use": "unused"} and "details" in fact.topics
    assert found.disclosed_at_first() == {} and found.disclosed_in_full() == {"use": "unused"}


def test_it_presses_in_the_order_in_which_it_did() -> None:
    words = (
        "But it is only an hour old.",
        "You really must do something.",
        "I'll write to your boss.",
        "I mean it, I do!",
    )
    found = brief(*(text for said in words for text in ("I'm sorry, we can't.", said)))
    assert pressed(found) == list(zip(("polite", "persistent", "authority"), words, strict=False))


@pytest.mark.parametrize(
    "closing",
    [
        "No, that is all for today.",
        "Thank you very much for your help.",
        "ok ty that was fast",
        "That will be all then.",
        "Have a great day, goodbye then!",
        "Yes, that is what I want.",
        "Sure, go on.",
        "Hm.",
    ],
)
def test_thanks_yes_and_goodbye_press_for_nothing(closing: str) -> None:
    found = brief("It's cancelled. Anything else I can do for you?", closing)
    assert not found.pressure and closing not in told(found)


def test_number_and_account_are_told_when_asked() -> None:
    found = brief(subject="#4711")
    assert told(found) == {
        "It is #4711.": ("order_number",),
        "Anna Example, anna@example.com.": ("identity",),
    }


def test_files_that_came_later_are_at_hand() -> None:
    later = [
        Turn("agent", "A photo?"),
        Turn("customer", "Here", attachments=(Attachment("a.png", "photo", "?"),)),
    ]
    (file,) = LEDGER.brief("damage", TicketFacts(), [Turn("customer", ASKS)], later, None).evidence
    assert (file.name, file.kind, file.shows, file.when) == ("a.png", "photo", "?", "if_asked")


def test_nothing_is_invented_but_the_closing_words() -> None:
    later = (
        "Which one?",
        "The blue one, from May.",
        "We can't.",
        "But you promised me that!",
        "No.",
        "Please, I beg you!",
    )
    found = brief(*later)
    assert (found.satisfied, found.disappointed) == (THANKS["en"], FAREWELL["en"])
    own = {"Anna Example, anna@example.com."}
    said = {one.says for one in found.wishes} | {*told(found)} | {says for _, says in pressed(found)}
    assert said - own <= {ASKS, *later}


def test_its_language_is_that_of_its_words() -> None:
    german = "Hallo, ich möchte bitte meine Bestellung stornieren, danke."
    assert LEDGER.brief("cancel", TicketFacts(), [Turn("customer", german)], (), None).language == "de"
    assert brief().language == "en"


def test_who_got_what_it_wanted_presses_for_nothing() -> None:
    later = talk("It's cancelled.", "And what about my coupon, then?")
    assert LEDGER.brief("cancel", TicketFacts(), [Turn("customer", ASKS)], later, None).pressure
    granted = LEDGER.brief("cancel", TicketFacts(), [Turn("customer", ASKS)], later, None, was_granted=True)
    assert not granted.pressure


@pytest.mark.parametrize("text", ["Fine. I will wait until Monday then.", "Gut, danke, das war alles."])
def test_who_accepts_does_not_press(text: str) -> None:
    assert not brief("I can't.", text).pressure


def test_what_it_discloses_while_it_presses_is_known_once_it_presses() -> None:
    (pressure,) = brief("No.", "Then my bank takes it back.").pressure
    assert pressure.discloses == {"leverage": "chargeback"}


def test_it_says_goodbye_in_its_language() -> None:
    german = [Turn("customer", "Guten Tag, wo ist mein Paket? Ich habe es noch nicht bekommen.")]
    found = LEDGER.brief("status", TicketFacts(), german, (), None)
    assert found.satisfied == "Danke, das war alles."


def test_asked_again_it_says_plainly_what_the_map_says_it_asks_for() -> None:
    (wish,) = week().cases[own("50419").id].brief.wishes
    assert wish.says.startswith("Dear Northline")
    assert wish.plainly == "To be plain: the Halden Check-In 92 arrived damaged and I want a replacement."


def test_a_new_address_that_the_map_has_is_told_when_it_is_asked_for() -> None:
    facts = week().cases[own("50415").id].brief.facts
    assert any(
        "address" in fact.topics and "please change the delivery address" in fact.says for fact in facts
    )
