"""Statements: what a message says for or against something that must be told; what is in doubt is neither."""

import pytest

from supportagentbench.language.statements import Stance, stance
from supportagentbench.records.case import Statement

HOLD = Statement(
    "that it is a hold",
    ("holds?|reservation",),
    ("not( only)?( a)? hold", "(took|charged)<few> twice"),
)


@pytest.mark.parametrize(
    "message",
    [
        "The second entry is only a hold.",
        "It isn't a second charge but a hold.",
        "There's no second charge here: it's a reservation by your bank.",
        "You were not charged twice, the other line is a hold.",
        "I understand that it looks as if we had charged you twice. It is a hold.",
    ],
)
def test_what_is_said_is_heard_in_its_own_clause(message: str) -> None:
    found = stance(HOLD, message, "en")
    assert found.says and not found.denies


@pytest.mark.parametrize("message", ["It is not a hold.", "We took the money twice, I'm sorry."])
def test_so_is_the_opposite(message: str) -> None:
    found = stance(HOLD, message, "en")
    assert found.denies and not found.says


@pytest.mark.parametrize(
    "message",
    [
        "Is the second entry a hold?",
        "Let me check whether it is a hold.",
        "I will look into the hold for you.",
        "If we charged you twice, a colleague will see to it.",
        "You said that we charged you twice.",
        "Thank you for your message.",
    ],
)
def test_questions_promises_and_conditions_say_nothing(message: str) -> None:
    assert stance(HOLD, message, "en") == Stance()


def test_who_says_both_says_both() -> None:
    found = stance(HOLD, "It is a hold. We took it twice.", "en")
    assert found == Stance("hold", "took it twice")


def test_the_customers_own_sentences_are_no_news() -> None:
    assert stance(HOLD, "It is a hold.", "en", frozenset({"it is a hold."})) == Stance()


def test_other_languages_have_their_own_no() -> None:
    days = Statement("how long it takes", (r"1-2 \w+",))
    assert stance(days, "Die Bearbeitung dauert 1-2 Werktage.", "de").says == "1-2 werktage"
    assert not stance(days, "Die Bearbeitung dauert nicht 1-2 Werktage.", "de").says
