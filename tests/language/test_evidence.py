"""Evidence: another photo is asked for by somebody who knows the first one."""

import pytest

from supportagentbench.language.evidence import asks_for_another


@pytest.mark.parametrize(
    "words",
    [
        "The serial number in your photo belongs to another order.",
        "Could you take one more from further back?",
        "I can't use IMG_2214.jpg for this order. Please send me a picture of the right case.",
        "Please send a fresh photo of that one.",
        "A photograph of today would do.",
    ],
)
def test_the_photo_that_was_sent_is_known(words: str) -> None:
    assert asks_for_another(words)


@pytest.mark.parametrize("words", ["Could you send me a photo?", "Please attach a picture of the new bag."])
def test_a_first_photo_is_asked_for(words: str) -> None:
    assert not asks_for_another(words)
