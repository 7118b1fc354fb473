"""The rubric: which criteria a conversation is judged by, in which words and which order."""

import msgspec

from conversations import CASES, HEADER, WORLD, Hold
from supportagentbench.calibration.oracle import Oracle
from supportagentbench.judges.rubric import criteria, rules_touched, shuffled
from supportagentbench.runner.run import rules_of
from supportagentbench.world.folder import World

GENERAL = ["A1", "A2", "A3", "A4", "A5", "A6", "A7", "J1"]


def test_the_header_carries_every_rule_as_the_agent_reads_it(northline: World) -> None:
    assert rules_of(northline.policy) == HEADER.rules
    assert all(f"{rule.id}. {rule.text}" in HEADER.policy for rule in HEADER.rules)
    assert [rule.id for rule in HEADER.rules if rule.general] == GENERAL


def test_general_rules_deciding_rules_and_two_that_are_no_rule(hold: Hold) -> None:
    asked = criteria(hold("cancel_before_ship-1", Oracle(WORLD, 0)), HEADER)
    assert [one.id for one in asked] == [*GENERAL[:-1], "B2", "J1", "resolution", "sentiment"]


def test_a_rule_that_holds_until_a_photo_is_shown_is_asked_about_too(hold: Hold) -> None:
    transcript = hold("angry_damaged-1", Oracle(WORLD, 0))
    assert "D1" not in transcript.label.rules
    assert {"D1", "D2"} <= {rule.id for rule in rules_touched(transcript, HEADER)}


def test_a_header_of_before_there_were_rules_leaves_the_two_others(hold: Hold) -> None:
    old = msgspec.structs.replace(HEADER, rules=())
    asked = criteria(hold("cancel_before_ship-1", Oracle(WORLD, 0)), old)
    assert [one.id for one in asked] == ["resolution", "sentiment"]


def test_every_case_has_a_deciding_rule_among_its_criteria() -> None:
    known = {rule.id for rule in HEADER.rules if not rule.general}
    assert all(known & set(case.label.rules) for case in CASES.cases.values())


def test_criteria_are_phrased_so_that_yes_is_good(hold: Hold) -> None:
    for one in criteria(hold("cancel_before_ship-1", Oracle(WORLD, 0)), HEADER):
        assert not {"not", "never", "fail", "break", "wrong"} & set(one.text.lower().split())


def test_the_order_is_drawn_by_transcript_and_judge_and_by_nothing_else(hold: Hold) -> None:
    asked = criteria(hold("cancel_before_ship-1", Oracle(WORLD, 0)), HEADER)
    assert shuffled(asked, "t1", "j1") == shuffled(asked, "t1", "j1")
    drawn = {shuffled(asked, transcript, judge) for transcript in ("t1", "t2") for judge in ("j1", "j2")}
    assert len(drawn) == 4
    assert all(set(order) == set(asked) for order in drawn)
