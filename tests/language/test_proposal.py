"""Proposals: when it is left to the customer to have a colleague decide."""

import pytest

from supportagentbench.language.proposal import asks_for_a_yes, is_free_of_charge, proposes_a_colleague


@pytest.mark.parametrize(
    ("sentence", "is_so"),
    [
        ("if you would like a colleague to decide on it, tell me and i will pass it on.", True),
        ("should you prefer not to take one, let me know and a colleague will look at the matter.", True),
        ("shall i pass this on to a human?", True),
        ("we only deliver to such a place once a colleague has approved it.", False),
        ("i have passed it on to a colleague.", False),
        ("may i say that it is easier than your colleague thought?", False),
    ],
)
def test_a_colleague_is_proposed_where_the_customer_is_to_say_so(sentence: str, is_so: bool) -> None:
    assert proposes_a_colleague(sentence) is is_so


def test_a_yes_is_spoken_of_in_many_words() -> None:
    assert asks_for_a_yes("please confirm, and i will send it.") and asks_for_a_yes("a yes will do.")
    assert not asks_for_a_yes("you can order it on our page.")


def test_what_costs_nothing_is_said_in_many_words() -> None:
    assert is_free_of_charge("It won't cost you anything.") and not is_free_of_charge("It is $12.00.")
