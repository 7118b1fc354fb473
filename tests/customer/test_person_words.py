"""A real person's words: what they tell of the ledger is taken, and nothing is made up."""

import pytest

from conversations import READER
from supportagentbench.customer.person_words import person_words
from supportagentbench.records.case import Brief, CustomerFact, CustomerFile, Wish
from supportagentbench.records.transcript import Attachment, SpeechActs, Turn

NUMBER = CustomerFact("It's order #1234.", topics=("order_number",))
USED = CustomerFact("I've used it for a week.", topics=("condition",), discloses={"use": "used"})
PLAIN = CustomerFact("The left wheel is gone.", topics=("details",))
BRIEF = Brief(
    wishes=(Wish("cancel", "Please cancel it.", ("done:cancel_order",), agrees_to=("cancel_order",)),),
    satisfied="Bye.",
    disappointed="Hm.",
    facts=(NUMBER, USED, PLAIN),
    evidence=(CustomerFile("photo", "wheel.jpg", "a missing wheel"),),
)
OFFER = SpeechActs(offers=("cancel_order",), consent=True)


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("My number is 1234, thanks", (NUMBER,)),
        ("My number is 123", ()),
        ("I used it twice on holiday.", (USED,)),
        ("the left wheel is gone.", (PLAIN,)),
        ("A wheel came off.", ()),
    ],
)
def test_a_fact_is_told_by_its_values_or_by_what_the_policy_learns(
    text: str, facts: tuple[CustomerFact, ...]
) -> None:
    assert person_words(Turn("customer", text), SpeechActs(), BRIEF, READER).facts == facts


@pytest.mark.parametrize(
    ("text", "heard", "confirms"),
    [
        ("Yes please", OFFER, ("cancel_order",)),
        ("Yes, if it costs nothing", OFFER, ()),
        ("No thanks", OFFER, ()),
        ("Hm, what would that cost?", OFFER, ()),
        ("Yes please", SpeechActs(), ()),
    ],
)
def test_only_an_outright_yes_to_a_proposal_is_one(
    text: str, heard: SpeechActs, confirms: tuple[str, ...]
) -> None:
    assert person_words(Turn("customer", text), heard, BRIEF, READER).confirms == confirms


def test_files_and_requests_are_seen() -> None:
    file = Attachment("wheel.jpg", "photo", "a missing wheel")
    said = person_words(
        Turn("customer", "I want to cancel my order.", attachments=(file,)), SpeechActs(), BRIEF, READER
    )
    assert said.files == BRIEF.evidence
    assert said.discloses == {"proof": "shown"}
    assert said.wishes == BRIEF.wishes


def test_what_is_written_in_a_language_without_tables_stays_unknown() -> None:
    polish = Brief(wishes=BRIEF.wishes, satisfied="", disappointed="", language="pl")
    said = person_words(Turn("customer", "Please cancel my order, I used it."), SpeechActs(), polish, READER)
    assert (said.wishes, said.discloses) == ((), {})
