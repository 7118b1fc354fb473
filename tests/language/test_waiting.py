"""Waiting: how agents who looked at the record said that a change was not made yet."""

import pytest

from supportagentbench.language.waiting import says_it_waits


@pytest.mark.parametrize(
    "words",
    [
        "I have entered the change, but it is waiting to be carried out.",
        "No, not yet. I checked, and the order still carries the old address.",
        "It's only queued; our record still shows the old address.",
        "The record doesn't show it, so it isn't done yet.",
        "I opened it again a moment ago: the order is still open.",
        "I'm sorry, I can't confirm it.",
    ],
)
def test_it_is_said_to_wait(words: str) -> None:
    assert says_it_waits(words)


@pytest.mark.parametrize("words", ["Done, it now goes to Exeter.", "I've cancelled it.", "Shall I go ahead?"])
def test_what_is_done_or_proposed_does_not_wait(words: str) -> None:
    assert not says_it_waits(words)
