"""Tickets job: what people and agents did on a small desk's tickets, judged by one policy."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from recorded import made_once
from shadow_tickets import AGENTS, WEEK, played
from supportagentbench.jobs.tickets import difference
from supportagentbench.records.record import from_json
from supportagentbench.records.shadow import ActsJudged, ShadowTicket, ShadowWeek

GIVER, DOUBTER = AGENTS


@pytest.fixture(scope="module")
def folder() -> Path:
    return made_once("shadow-week", played)


@pytest.fixture(scope="module")
def week(folder: Path) -> ShadowWeek:
    return from_json((folder / "out" / "week.json").read_bytes(), ShadowWeek)


def right_by_agent(one: ShadowTicket) -> dict[str, bool | None]:
    return {tried.agent: tried.judged.right for tried in one.tries}


def test_every_ticket_is_resumed_or_left_out_with_a_reason(week: ShadowWeek) -> None:
    assert week.tickets == len(WEEK) == len(week.resumed) + sum(week.left_out.values())
    assert set(week.left_out) == {
        "spam",
        "the map does not say what 'bless' is; add it under `acts`",
    }


def test_people_are_judged_by_the_policy_and_not_taken_for_right(week: ShadowWeek) -> None:
    found = [(one.request, one.judged.right, one.judged.ground) for one in week.resumed]
    assert found == [
        ("damage", True, "done"),
        ("damage", True, "done"),
        ("damage", False, "breach"),
        ("not_received", True, "done"),
        ("not_received", False, "breach"),
        ("not_received", True, "done"),
        ("cancel", True, "done"),
        ("cancel", True, "done"),
        ("not_received", True, "passed_on"),
        ("return", False, "missed"),
        ("return", True, "done"),
        ("compensation", None, "beyond"),
        ("damage", None, "fact"),
        ("status", None, "fact"),
    ]


def test_only_facts_that_decide_are_named(week: ShadowWeek) -> None:
    damage, status = week.resumed[12:]
    assert damage.unknown == ("age", "claims", "proof", "sent_again") and status.unknown == ("stage",)
    assert (damage.in_books, status.in_books) == (True, False)


def test_people_in_danger_are_known_by_the_rule_for_them(week: ShadowWeek) -> None:
    assert [one.request for one in week.resumed if one.is_danger] == ["not_received"]
    assert week.resumed[8].is_danger and "J2" in week.resumed[8].judged.rules


def test_agents_are_judged_by_the_same_policy(week: ShadowWeek) -> None:
    refused, given = week.resumed[3], week.resumed[4]
    assert right_by_agent(refused) == {GIVER: False, DOUBTER: True}
    assert right_by_agent(given) == {GIVER: False, DOUBTER: True}
    threat = week.resumed[8]
    assert {one.agent: one.difference for one in threat.tries} == {GIVER: "taken_on", DOUBTER: "same"}


def test_a_breach_is_at_its_turn_of_the_side_s_own_talk(week: ShadowWeek) -> None:
    given = week.resumed[4]
    assert given.judged.turn is not None
    assert given.human[given.judged.turn].calls[0].tool == "reship"
    [tried] = [one for one in week.resumed[3].tries if one.agent == GIVER]
    assert tried.judged.turn is not None and tried.talk[tried.judged.turn].calls


def test_what_was_looked_up_is_not_in_the_record(week: ShadowWeek) -> None:
    calls = [
        call for one in week.resumed for tried in one.tries for turn in tried.talk for call in turn.calls
    ]
    assert calls and all(bytes(call.result.written) == b"" for call in calls)


def test_every_rule_that_is_named_has_its_text(week: ShadowWeek) -> None:
    sides = [one for ticket in week.resumed for one in (ticket.judged, *(one.judged for one in ticket.tries))]
    assert {rule for one in sides for rule in one.rules} == {*week.rules}


NOTHING = ActsJudged()
SENT = ActsJudged(("reship",), effects=("reship",), dollars=80)
HANDED = ActsJudged(("hand_over",), effects=("hand_over",))


@pytest.mark.parametrize(
    ("ours", "theirs", "found"),
    [
        (NOTHING, NOTHING, "same"),
        (SENT, replace(SENT, acts=("reship", "reship")), "same"),
        (SENT, NOTHING, "more_generous"),
        (NOTHING, SENT, "stricter"),
        (HANDED, SENT, "handed_over"),
        (SENT, HANDED, "taken_on"),
        (ActsJudged(("cancel_order",), effects=("cancel_order",)), NOTHING, "other"),
        (NOTHING, ActsJudged(beyond=("credit",), effects=("credit",)), "other"),
        (replace(NOTHING, ground="broke"), NOTHING, "unknown"),
        (replace(NOTHING, ground="unseen"), NOTHING, "unknown"),
    ],
)
def test_a_difference_is_in_who_decides_then_in_money_then_in_acts(
    ours: ActsJudged, theirs: ActsJudged, found: str
) -> None:
    assert difference(ours, theirs) == found
