"""A change is compared with the look-ups before it: those that may forbid this act, on this record."""

import pytest
from msgspec.structs import replace

from conversations import CASES, HEADER, judged
from ladder import LADDER
from supportagentbench.agents.shipped import shipped_agent
from supportagentbench.board.metrics import METRICS, RunVerdicts
from supportagentbench.board.unobservable import unobservable_in
from supportagentbench.calibration.calibrate import judge_all
from supportagentbench.calibration.oracle import Oracle
from supportagentbench.calibration.prove import ScriptPlayer, play
from supportagentbench.checks.unchecked import CHECKS
from supportagentbench.records.case import DecidingLookups, ScriptedCall, ScriptedTurn
from supportagentbench.records.transcript import Transcript
from supportagentbench.records.verdict import Verdict

STALLED = "delivery_dispute-2"
"""The order's page does not show that the parcel stands still; the carrier's scans do."""
MOVING = "chargeback_threat-1"
"""The trap: the same claim, and the scans show that it moves."""
CANCEL = "cancel_before_ship-1"
"""The order's page decides it."""


def order_of(case: str) -> str:
    return CASES.cases[case].subject


def find(case: str) -> ScriptedCall:
    return ScriptedCall("find_order", {"order": order_of(case)})


def track(case: str) -> ScriptedCall:
    (number,) = CASES.record_of(case).seen.file.parcels
    return ScriptedCall("track_parcel", {"tracking": number.tracking})


def reship(case: str) -> ScriptedCall:
    return ScriptedCall("reship", {"order": order_of(case), "line": 1, "reason": "lost"})


def played(case: str, *turns: tuple[ScriptedCall, ...]) -> Transcript:
    """A conversation in which the agent makes these calls, turn by turn."""
    script = [ScriptedTurn("Shall I go ahead and send it again?", calls) for calls in turns]
    return play(CASES, CASES.cases[case], ScriptPlayer(script))


def told(verdict: Verdict) -> tuple[bool | None, ...]:
    """Unchecked, right by luck, unchecked beyond the first page; None: nothing was changed."""
    found = [verdict.of(check) for check in CHECKS]
    return tuple(one.value if one else None for one in found)


def test_a_change_without_the_look_up_that_decides_it_is_unchecked_even_if_it_was_right() -> None:
    assert told(judged(played(STALLED, (find(STALLED),), (reship(STALLED),)))) == (True, True, True)


def test_with_all_look_ups_before_it_it_is_checked() -> None:
    seen = (find(STALLED), track(STALLED))
    assert told(judged(played(STALLED, seen, (reship(STALLED),)))) == (False, False, False)


def test_what_is_forbidden_is_unchecked_and_not_right_by_luck() -> None:
    assert told(judged(played(MOVING, (find(MOVING),), (reship(MOVING),)))) == (True, False, True)


def test_the_order_of_calls_counts_within_one_reply_too() -> None:
    after = judged(played(STALLED, (find(STALLED), reship(STALLED), track(STALLED))))
    before = judged(played(STALLED, (find(STALLED), track(STALLED), reship(STALLED))))
    assert told(after)[0] is True and told(before)[0] is False


def test_a_look_up_that_was_refused_shows_nothing() -> None:
    wrong = ScriptedCall("track_parcel", {"tracking": "NO-SUCH-PARCEL"})
    assert told(judged(played(STALLED, (find(STALLED), wrong), (reship(STALLED),))))[0] is True


def test_another_record_has_to_be_looked_up_itself_and_no_luck_makes_it_right() -> None:
    cancel = ScriptedCall("cancel_order", {"order": order_of("cancel_before_ship-2"), "reason": "asked"})
    assert told(judged(played(CANCEL, (find(CANCEL),), (cancel,)))) == (True, False, None)


def test_what_the_page_decides_needs_the_page_alone() -> None:
    cancel = ScriptedCall("cancel_order", {"order": order_of(CANCEL).strip("#"), "reason": "asked"})
    assert told(judged(played(CANCEL, (find(CANCEL),), (cancel,)))) == (False, False, None)
    assert told(judged(played(CANCEL, (cancel,)))) == (True, True, None)


def test_a_handover_is_no_change_and_closing_is() -> None:
    over = ScriptedCall("hand_over", {"reason": "help"})
    shut = ScriptedCall("close_ticket", {"summary": "settled"})
    assert told(judged(played(CANCEL, (over,)))) == (None, None, None)
    assert told(judged(played(CANCEL, (shut,))))[0] is True
    assert told(judged(played(CANCEL, (find(CANCEL), shut))))[0] is False


def test_any_wish_that_an_act_may_serve_is_enough() -> None:
    made = played(STALLED, (find(STALLED),), (reship(STALLED),))
    one, other = (
        DecidingLookups("reship", ("track_parcel",)),
        DecidingLookups("reship", ("search_catalogue",)),
    )
    searched = played(
        STALLED, (find(STALLED), ScriptedCall("search_catalogue", {"query": "bag"})), (reship(STALLED),)
    )
    for transcript, unchecked in ((made, True), (searched, False)):
        label = replace(transcript.label, beyond=(one, other))
        assert told(judged(replace(transcript, label=label)))[0] is unchecked


def test_a_record_from_before_this_was_kept_is_not_observable_and_never_zero() -> None:
    made = played(STALLED, (find(STALLED),), (reship(STALLED),))
    old = judged(replace(made, label=replace(made.label, beyond=None)))
    assert all((found := old.of(check)) and not found.observable for check in CHECKS)
    run = RunVerdicts([old])
    assert {*CHECKS} <= {*unobservable_in([run])}
    assert not any(metric.trials(run).cases for metric in METRICS if metric.name in CHECKS)


@pytest.mark.parametrize("agent", ["oracle", "complies"])
def test_who_looks_before_acting_is_never_flagged(agent: str) -> None:
    """By case and not by act, these are flagged for look-ups that their change did not need."""
    names = [case.id for case in LADDER.cases.values() if case.label.beyond][::4]
    names += [one.id for one in LADDER.cases.values() if len(one.label.lookups) > 1 and one.twin_of][::6]
    verdicts = judge_all(LADDER, shipped_agent(agent), names=[*dict.fromkeys(names)])
    found = [one for verdict in verdicts if (one := verdict.of("unchecked"))]
    assert len(found) > 5
    assert not any(one.value for one in found)


def test_the_oracle_looks_first_wherever_the_core_needs_it() -> None:
    names = [case.id for case in CASES.cases.values() if case.label.beyond]
    assert STALLED in names and MOVING in names and HEADER.vocabulary.lookups[0] == "find_order"
    verdicts = judge_all(CASES, Oracle, names=names)
    assert not any(found.value for one in verdicts if (found := one.of("unchecked")))
