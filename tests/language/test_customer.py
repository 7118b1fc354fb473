"""What a customer's own words ask for, answer and give away."""

import pytest

from conversations import READER
from supportagentbench.language.customer import answer
from supportagentbench.language.values import address_in


@pytest.mark.parametrize(
    ("text", "request_"),
    [
        ("Please cancel my order", "cancel"),
        ("where's my parcel??", "status"),
        ("The case arrived with a crack", "damage"),
        ("It never arrived", "not_received"),
        ("Can you change the delivery address?", "address"),
        ("I was charged twice", "charge"),
        ("Nice weather today", None),
    ],
)
def test_a_request_is_recognised(text: str, request_: str | None) -> None:
    assert READER.customer.requests(text) == ([request_] if request_ else [])


@pytest.mark.parametrize(
    ("text", "agrees"),
    [
        ("Yes, please go ahead.", True),
        ("yep do it", True),
        ("That's right, go ahead please.", True),
        ("No, that's not what I asked for.", False),
        ("Yes, but don't do it yet, I don't want that.", False),
        ("Could you look again? Yes?", False),
    ],
)
def test_a_yes_is_told_from_a_no(text: str, agrees: bool) -> None:
    assert (answer(text, "en") == "yes") is agrees


def test_an_address_is_read_in_all_its_parts() -> None:
    text = "Please send it to Ada Quill, 14 Tansy Lane, Leeds, West Yorkshire LS1 4DY, GB instead."
    assert address_in(text) == {
        "recipient": "Ada Quill",
        "street": "14 Tansy Lane",
        "city": "Leeds",
        "region": "West Yorkshire",
        "postcode": "LS1 4DY",
        "country": "GB",
    }
