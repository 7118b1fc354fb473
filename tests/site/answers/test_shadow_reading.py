"""Shadow reading: what is worst is read first, in words that say who did what."""

from shadow_weeks import (
    AGREED,
    CREDIT,
    MISSED,
    PASSED_ON,
    SENT,
    SENT_RIGHTLY,
    SMALL,
    TITLES,
    UNKNOWN,
    ticket,
    tried,
    week,
)
from supportagentbench.records.shadow import ActsJudged
from supportagentbench.site.answers.shadow_reading import MOST, deed, exhibits, ruling
from supportagentbench.site.data.shadow_data import ShadowData


def test_a_missed_handover_comes_before_money_and_the_people_before_the_agent() -> None:
    found = exhibits(ShadowData(SMALL))
    assert [(one.ticket, one.stands) for one in found] == [
        ("t-4", "The policy sides with your people"),
        ("t-2", "The policy sides with your people"),
        ("t-3", "The policy sides with Giver"),
        ("t-5", "The policy does not rule on it"),
    ]


def test_people_in_danger_come_before_everything_else() -> None:
    danger = ticket(9, PASSED_ON, tried(MISSED, "taken_on"), is_danger=True)
    dear = ticket(1, AGREED, tried(SENT, "more_generous", dollars=900))
    assert [one.ticket for one in exhibits(ShadowData(week([dear, danger])))] == ["t-9", "t-1"]


def test_the_heading_says_what_both_did() -> None:
    headings = [one.heading for one in exhibits(ShadowData(SMALL))]
    assert headings[0] == ("Giver would do nothing in the shop. Your people chose to hand over to a human.")
    assert headings[3].endswith("Your people chose to do what your desk calls “credit” ($25).")


def test_what_is_the_same_or_unknown_is_not_read() -> None:
    same = week([ticket(1, AGREED, tried(AGREED, "same")), SMALL.resumed[6]])
    assert exhibits(ShadowData(same)) == ()


def test_places_that_one_kind_of_difference_leaves_go_to_others() -> None:
    missed = [ticket(one, PASSED_ON, tried(MISSED, "taken_on")) for one in range(9)]
    found = exhibits(ShadowData(week(missed)))
    assert len(found) == MOST and len({one.ticket for one in found}) == MOST


def test_agents_take_turns() -> None:
    some = [
        ticket(
            one,
            AGREED,
            tried(SENT, "more_generous", "first", dollars=80),
            tried(SENT, "more_generous", "second", dollars=80),
        )
        for one in range(2)
    ]
    assert [one.agent.name for one in exhibits(ShadowData(week(some)))] == ["First", "Second"]


def test_rules_are_quoted_and_doubts_stand_below() -> None:
    unread = ticket(1, AGREED, tried(SENT, "more_generous", dollars=80), approved=False, in_books=False)
    [found] = exhibits(ShadowData(week([unread])))
    assert [(one.id, one.text) for one in found.rules] == [
        ("R1", "What rule 1 says."),
        ("R2", "What rule 2 says."),
    ]
    assert len(found.doubts) == 3


def test_every_ruling_has_words() -> None:
    data = ShadowData(SMALL)
    unknown = ticket(1, UNKNOWN, unknown=("proof", "sent_again"))
    left = ActsJudged(right=False, ground="left_undone", rules=("R3",))
    due = ticket(1, AGREED, required=("reship",))
    assert ruling(data, due, left) == "Required and not done: send the goods again (rule R3)."
    assert ruling(data, due, SENT) == "Against the policy (rule R2)."
    assert ruling(data, unknown, UNKNOWN).endswith("unknown facts: proof and sent again.")
    assert "no tool for “credit”" in ruling(data, due, CREDIT)
    assert deed(data, SENT_RIGHTLY) == f"{TITLES['reship']} ($80)"
