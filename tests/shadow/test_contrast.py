"""Contrast: what is different between talks, the most serious first."""

from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conversations import WORLD
from supportagentbench.records.replay import DIFFERENCES, ReplayTalk, TalkAct, TalkClaim
from supportagentbench.shadow.contrast import ComparedTalks, compared

CANCEL = TalkAct("cancel_order", "Cancelled order #1", {"order": "#1"})
RESHIP = TalkAct("reship", "Sent line 1 of order #1 again", {"order": "#1", "line": "1"})
REPLACE = TalkAct("replace_item", "Sent a replacement for line 1 of order #1", {"order": "#1", "line": "1"})
HANDED = TalkAct("hand_over", "Handed over", {})
SOON, LATE = (TalkClaim("date", f"2026-07-{day}", f"It comes on {day} July.") for day in ("05", "09"))


def talk(agent: str = "a", **given: Any) -> ReplayTalk:
    plain: dict[str, Any] = {"course": "answered", "ending": "customer_left", "language": "en", **given}
    return ReplayTalk(agent=agent, run=1, transcript="0" * 16, **plain)


def between(one: dict[str, Any], other: dict[str, Any]) -> ComparedTalks:
    return compared([talk("a", **one), talk("b", **other)], WORLD.vocabulary)


IN_ORDER: list[tuple[str, dict[str, Any], dict[str, Any], str]] = [
    ("acts", {"course": "acted", "acts": (CANCEL,)}, {}, "a cancelled order #1; b answered"),
    (
        "acts",
        {"course": "handed_over", "acts": (HANDED,)},
        {"course": "asked"},
        "a handed it over; b asked back",
    ),
    ("acts", {"course": "refused"}, {"course": "asked"}, "a said no; b asked back"),
    ("acts", {"course": "silent"}, {"course": "asked"}, "a said nothing; b asked back"),
    ("acts", {"tried": (CANCEL,)}, {}, "a tried to cancel the order, which the desk refused; b did not try"),
    ("asks", {"asked": ("photo",)}, {}, "a asked for: a photo or other proof; b asked for nothing"),
    ("asks", {"asked": ("photo",)}, {"asked": ("item",)}, "b asked for: which item it is about"),
    (
        "claims",
        {"claims": (SOON,)},
        {"claims": (LATE,)},
        "a told “It comes on 05 July.”; b told “It c",
    ),
    ("course", {"language": "de"}, {}, "a wrote in de; b wrote in en"),
    ("course", {"looked_up": {"find_order": False}}, {}, "a used: find order, in vain; b looked nothing up"),
]
"""A kind, two talks, and what is said of them; the most serious first."""


@pytest.mark.parametrize(("kind", "one", "other", "words"), IN_ORDER)
def test_each_difference_has_its_kind_and_its_words(
    kind: str, one: dict[str, Any], other: dict[str, Any], words: str
) -> None:
    found = between(one, other)
    assert found.difference == kind == found.contrasts[0].kind
    assert words in found.contrasts[0].words


def test_a_more_serious_difference_has_the_higher_score() -> None:
    scores = [between(one, other).score for _, one, other, _ in IN_ORDER]
    assert scores == sorted(scores, reverse=True) and scores[-1] > 0


def test_less_serious_differences_together_do_not_outweigh_a_more_serious_one() -> None:
    rest: dict[str, Any] = {"asked": ("photo",), "claims": (SOON,), "language": "de", "closed": True}
    assert between(rest, {}).score < between({"tried": (CANCEL,)}, {}).score
    assert [one.kind for one in between(rest, {}).contrasts] == ["asks", "claims", "course", "course"]


def test_the_same_is_the_same_whatever_the_words() -> None:
    found = between({"words": 90, "messages": 3, "cost": 0.5}, {"words": 12, "messages": 1})
    assert found == ComparedTalks("same", 0, ())


def test_acts_with_the_same_effect_are_the_same_and_other_goods_are_not() -> None:
    acted = {"course": "acted"}
    same = between({**acted, "acts": (CANCEL,)}, {**acted, "acts": (CANCEL,)})
    assert same.difference == "same"
    other = TalkAct("cancel_order", "Cancelled order #2", {"order": "#2"})
    found = between({**acted, "acts": (CANCEL,)}, {**acted, "acts": (other,)})
    assert found.contrasts[0].words == "a cancelled order #1; b cancelled order #2"
    ways = between({**acted, "acts": (RESHIP,)}, {**acted, "acts": (REPLACE,)})
    assert ways.score < between({**acted, "acts": (RESHIP,)}, {**acted, "acts": (CANCEL,)}).score


def test_a_report_of_what_was_done_is_no_difference_of_its_own() -> None:
    report = TalkClaim("done", "cancel_order", "I've cancelled it.")
    acted = {"course": "acted", "acts": (CANCEL,)}
    assert between({**acted, "claims": (report,)}, acted).difference == "same"
    assert between({"claims": (report,)}, {}).difference == "claims"


def test_talks_that_others_broke_off_are_not_compared() -> None:
    broken = {"course": "broke", "ending": "broke", "cause": "budget"}
    assert between(broken, {}) == ComparedTalks(None, 0, ())
    own = between({**broken, "cause": "agent_error"}, {})
    assert own.contrasts[0].words == "a broke off (agent error); b answered"
    assert compared([talk()], WORLD.vocabulary).difference is None


def test_agents_of_which_the_same_is_said_stand_together() -> None:
    handed = {"course": "handed_over", "acts": (HANDED,)}
    found = compared([talk("a"), talk("b", **handed), talk("c")], WORLD.vocabulary)
    assert found.contrasts[0].words == "a and c answered; b handed it over"


def drawn(acts: list[TalkAct], course: str, **given: Any) -> ReplayTalk:
    did = "handed_over" if HANDED in acts else "acted" if acts else course
    return talk(acts=tuple(acts), course=did, **given)


TALKS = st.builds(
    drawn,
    acts=st.lists(st.sampled_from([CANCEL, RESHIP, HANDED]), max_size=2),
    course=st.sampled_from(["refused", "asked", "answered"]),
    asked=st.lists(st.sampled_from(["photo", "item"]), max_size=2, unique=True).map(tuple),
    claims=st.lists(st.sampled_from([SOON, LATE]), max_size=2, unique=True).map(tuple),
)


@given(st.lists(TALKS, min_size=2, max_size=4))
def test_the_order_of_agents_changes_nothing(talks: list[ReplayTalk]) -> None:
    every = [compared(some, WORLD.vocabulary) for some in permutations(talks)]
    ((difference, score),) = {(one.difference, one.score) for one in every}
    assert difference in DIFFERENCES and (score == 0) == (difference == "same")


@given(TALKS)
def test_a_talk_does_not_differ_from_itself(one: ReplayTalk) -> None:
    assert compared([one, one], WORLD.vocabulary).difference == "same"
