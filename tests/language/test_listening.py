"""What the oracle hears in a customer's words."""

import pytest

from supportagentbench.language import listening


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
    assert listening.requests_in(text) == ([request_] if request_ else [])


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
    assert listening.says_yes(text) is agrees


def test_an_address_is_read_in_all_its_parts() -> None:
    text = "Please send it to Ada Quill, 14 Tansy Lane, Leeds, West Yorkshire LS1 4DY, GB instead."
    assert listening.address_in(text) == {
        "recipient": "Ada Quill",
        "street": "14 Tansy Lane",
        "city": "Leeds",
        "region": "West Yorkshire",
        "postcode": "LS1 4DY",
        "country": "GB",
    }
