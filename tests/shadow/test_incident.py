"""Which reply of a real ticket went wrong by the policy."""

import pytest

from supportagentbench.records.problem import Problem
from week_in_june import incident


@pytest.mark.parametrize(
    ("number", "folder", "act", "at"),
    [
        ("50424", "tickets", "reship", 1),
        ("50432", "tickets", "hand_over", 1),
        ("50430", "tickets", "", 1),
        ("chat-90117", "agent", "reship", 5),
        ("chat-90131", "agent", "replace_item", 3),
    ],
)
def test_the_talk_is_resumed_before_the_reply_that_went_wrong(
    number: str, folder: str, act: str, at: int
) -> None:
    found = incident(number, folder)
    assert (found.wrong.act, found.wrong.at) == (act, at)
    assert found.wrong.before[-1].party == "customer" and len(found.wrong.before) == at
    (fixture,) = found.cases.fixtures.values()
    assert [turn.text for turn in fixture.turns] == [turn.text for turn in found.wrong.before]


@pytest.mark.parametrize(
    ("number", "why"),
    [
        ("50413", "nothing wrong in t-.*: what the policy requires was done"),
        ("50427", "nothing wrong in t-.*: reship: what is right depends on claims"),
        ("50434", "nothing wrong in t-.*: no rule speaks of Credit"),
        ("50439", "cannot be resumed: spam"),
    ],
)
def test_what_is_right_unknown_or_left_out_is_no_incident(number: str, why: str) -> None:
    with pytest.raises(Problem, match=why):
        incident(number)
