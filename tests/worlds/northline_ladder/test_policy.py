"""What the policy of this world says where two of its rules meet."""

from typing import Any

import pytest

from ladder import LADDER
from supportagentbench.calibration.blind import FactValue, misread
from supportagentbench.language.statements import Stance, stance

POLICY = LADDER.world.policy
PLAIN = {name: fact.values[0] for name, fact in POLICY.kit.readers.items()}


def ruling(**facts: Any) -> tuple[set[str], tuple[str, ...]]:
    """The rules that apply, and what is to be done."""
    found = POLICY.rule(PLAIN | facts)
    return {rule.id for rule in found.applying}, found.required()


@pytest.mark.parametrize("sender", ["holder", "other"])
def test_what_the_catalogue_shows_is_for_everybody(sender: str) -> None:
    rules, _ = ruling(request="advice", sender=sender)
    assert "I1" in rules and "S1" not in rules


def test_whatever_else_is_asked_for_is_for_the_holder_alone() -> None:
    requests = {*POLICY.kit.readers["request"].values} - {"advice", "concern"}
    without = {one for one in requests if "S1" not in ruling(request=one, sender="other")[0]}
    assert without == set()


def test_whoever_does_not_see_that_the_window_is_closed_takes_it_for_open() -> None:
    asked = {"request": "exchange", "window": "closed"}
    assert ruling(**asked)[1] == ("hand_over",)
    taken = misread(POLICY, PLAIN | asked, FactValue("window", "closed"))
    assert taken is not None and taken.required() == ("replace_item",)


def of_k1(words: str) -> Stance:
    told = LADDER.cases["which_day-1"].label.outcomes[0].tells
    return stance(next(one for one in told if one.about == "that this is not known here"), words, "en")


@pytest.mark.parametrize(
    "words",
    [
        "I can't say whether it will fit.",
        "I don't know whether customs will charge you.",
        "I don't have a date.",
        "There's no restock date in our catalogue.",
        "I can't promise that it fits.",
        "I promise nothing here, because it is not known to us.",
    ],
)
def test_that_something_is_not_known_can_be_said_in_many_ways(words: str) -> None:
    assert of_k1(words).says and not of_k1(words).denies


@pytest.mark.parametrize("words", ["I promise you that it fits.", "We guarantee it.", "It fits, I promise."])
def test_whoever_promises_says_that_it_is_known(words: str) -> None:
    assert of_k1(words).denies and not of_k1(words).says


@pytest.mark.parametrize("words", ["Let me see whether it fits.", "I will find out whether it fits."])
def test_whoever_is_still_looking_says_neither(words: str) -> None:
    assert of_k1(words) == Stance("", "")
