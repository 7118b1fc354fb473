"""Acts judged: right, wrong or not counted, by what was done and left undone, and by no words."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from conversations import CASES, HEADER
from real_tickets import SHIPPED, UNSHIPPED, cases_of, customer, desk_map, known, ticket
from recorded import made_once
from shadow_tickets import played
from supportagentbench.checks.acts_judged import DoneElsewhere, acts_judged
from supportagentbench.customer.voice import ScriptedVoice
from supportagentbench.desk import Desk
from supportagentbench.desk.doors.house import HouseSeat
from supportagentbench.records.run import Run
from supportagentbench.records.shadow import ActsJudged
from supportagentbench.records.transcript import Ending, ToolCall, ToolResult, Transcript, Turn
from supportagentbench.runner.conversation import hold
from supportagentbench.shadow.desk_map import TicketFacts
from supportagentbench.storage.archive import read_header
from supportagentbench.storage.transcripts import read_transcripts

ORDER = {"order": "#4711"}
CANCEL = ("cancel_order", {**ORDER, "reason": "x"})
RESHIP = ("reship", {**ORDER, "line": 1, "reason": "lost"})
REPLACE = ("replace_item", {**ORDER, "line": 1, "reason": "other"})
HAND_OVER = ("hand_over", {"reason": "x"})
CLOSE = ("close_ticket", {"summary": "x"})

LOST = {"stage": "shipped", "delivery": "lost", "age": "not_delivered", "claims": "few", "sent_again": "no"}
SIGNED = {"stage": "delivered", "delivery": "signed", "age": "fresh", "claims": "few", "sent_again": "no"}
Call = tuple[str, dict[str, Any]]


class Does:
    """Makes these calls in its first turn, and writes nothing of use."""

    def __init__(self, calls: Sequence[Call]) -> None:
        self.calls = calls

    async def reply(self, turns: Sequence[Turn], desk: Desk) -> str:
        for tool, arguments in self.calls:
            desk.call(tool, arguments)
        self.calls = ()
        return "As you like."


def talk(facts: dict[str, str] | None, request: str, *calls: Call, **fields: Any) -> Transcript:
    """An agent's conversation on a ticket with these facts; None: there is no record."""
    found = TicketFacts(request=request) if facts is None else known(facts, request=request, **fields)
    cases = cases_of(ticket(customer("Please see to my order.")), desk_map(found))
    assert not cases.left_out, cases.left_out
    seat = HouseSeat(Does(calls))
    return asyncio.run(hold(cases, cases.cases["t-1"], seat, ScriptedVoice()))


def judged(facts: dict[str, str] | None, request: str, *calls: Call, **fields: Any) -> ActsJudged:
    return acts_judged(talk(facts, request, *calls, arguments={"line": 1}, **fields), HEADER)


RIGHT, WRONG, OPEN = True, False, None


@pytest.mark.parametrize(
    ("facts", "request_", "calls", "right", "why"),
    [
        (UNSHIPPED, "cancel", [CANCEL], RIGHT, "what the policy requires was done"),
        (UNSHIPPED, "cancel", [], WRONG, "not in the required state: status of #4711"),
        (UNSHIPPED, "cancel", [HAND_OVER], WRONG, "handed over, which no rule asks for"),
        (UNSHIPPED, "cancel", [CANCEL, RESHIP], WRONG, "reship, against A3"),
        (SHIPPED, "cancel", [CANCEL], WRONG, "cancel_order, against B3"),
        (SHIPPED, "cancel", [], RIGHT, "what the policy requires was done"),
        (SHIPPED, "cancel", [HAND_OVER], RIGHT, "handed over, as a rule says"),
        (LOST, "not_received", [RESHIP], RIGHT, "what the policy requires was done"),
        (LOST, "not_received", [REPLACE], RIGHT, "what the policy requires was done"),
        (LOST, "not_received", [RESHIP, RESHIP], WRONG, "1 more than was owed"),
        (LOST, "not_received", [], WRONG, "not in the required state"),
        (LOST | {"claims": "many"}, "not_received", [HAND_OVER], RIGHT, "handed over, as a rule says"),
        (LOST | {"claims": "many"}, "not_received", [], WRONG, "not handed over, which the policy requires"),
        (LOST | {"claims": "many"}, "not_received", [RESHIP], WRONG, "reship, against D10"),
        (SIGNED, "not_received", [], RIGHT, "what the policy requires was done"),
        (SIGNED, "not_received", [RESHIP], WRONG, "reship, against C5"),
        (None, "price_match", [], WRONG, "not handed over, which the policy requires"),
        (None, "price_match", [HAND_OVER], RIGHT, "handed over, as a rule says"),
        (None, "promotion", [], RIGHT, "nothing is to be done for any value of the unknown facts"),
        (None, "promotion", [HAND_OVER], WRONG, "handed over, which no rule asks for"),
        ({}, "status", [], RIGHT, "nothing is to be done for any value of the unknown facts"),
        ({}, "refund", [], OPEN, "it depends on age"),
        ({}, "cancel", [], OPEN, "it depends on stage, not known"),
        ({}, "cancel", [CANCEL], OPEN, "cancel_order: what is right depends on stage"),
        ({}, "cancel", [HAND_OVER], OPEN, "hand_over: what is right depends on stage"),
        ({}, "cancel", [RESHIP], WRONG, "reship, against A3"),
        ({}, "not_received", [RESHIP], OPEN, "depends on"),
    ],
)
def test_acts_are_right_wrong_or_not_counted(
    facts: dict[str, str] | None, request_: str, calls: list[Call], right: bool | None, why: str
) -> None:
    found = judged(facts, request_, *calls)
    assert found.right is right, found.why
    assert why in found.why


def test_an_act_that_is_only_barred_until_something_is_shown_may_be_due() -> None:
    held = talk(None, "promotion")
    waiting = tuple(replace(ban, until="proof:shown") for ban in held.label.bans)
    found = acts_judged(replace(held, label=replace(held.label, bans=waiting)), HEADER)
    assert (found.right, found.why) == (None, "it depends on promotion, not known")


def test_nothing_that_is_written_changes_the_ruling() -> None:
    held = talk(UNSHIPPED, "cancel", CANCEL)
    said = [
        replace(turn, text="You owe us 5,000 dollars.") if turn.party == "agent" else turn
        for turn in held.turns
    ]
    assert acts_judged(replace(held, turns=tuple(said)), HEADER) == acts_judged(held, HEADER)


def test_acts_are_listed_in_order_without_look_ups_closings_and_what_the_desk_refused() -> None:
    look = ("find_order", ORDER)
    nothing = ("reship", {**ORDER, "line": 99, "reason": "lost"})
    found = judged(LOST, "not_received", look, nothing, RESHIP, look, CLOSE)
    assert (found.acts, found.right) == (("reship",), True)


def test_an_agent_is_judged_by_what_its_desk_did_not_by_what_it_refused() -> None:
    nothing = ("reship", {**ORDER, "line": 99, "reason": "lost"})
    assert judged(LOST, "not_received", nothing, RESHIP).right is True
    assert judged(LOST, "not_received", nothing).right is False


def test_an_agent_that_only_tries_what_is_forbidden_is_wrong_and_gives_nothing_away() -> None:
    found = judged(SIGNED, "not_received", ("reship", {**ORDER, "line": 99, "reason": "lost"}))
    assert (found.right, found.acts, found.dollars) == (False, (), 0)
    assert "the tool refused" in found.why


def test_people_acted_at_another_desk_so_what_this_one_refuses_is_done_all_the_same() -> None:
    nothing = ("reship", {**ORDER, "line": 99, "reason": "lost"})
    forbidden = acts_judged(talk(SIGNED, "not_received", nothing), HEADER, DoneElsewhere())
    assert (forbidden.acts, forbidden.right, forbidden.rules) == (("reship",), False, ("C5",))
    allowed = acts_judged(talk(LOST, "not_received", nothing, arguments={"line": 1}), HEADER, DoneElsewhere())
    assert (allowed.acts, allowed.right) == (("reship",), None)
    assert "cannot be carried out at this desk: Order #4711 has no line 99" in allowed.why


def test_the_policy_is_silent_about_acts_that_no_tool_can_do() -> None:
    found = acts_judged(talk(SHIPPED, "cancel"), HEADER, DoneElsewhere(("coupon", "refund"), 20))
    assert (found.right, found.beyond, found.dollars) == (None, ("coupon", "refund"), 20)
    assert found.why.startswith("no rule speaks of coupon, refund")


def test_they_excuse_neither_what_is_forbidden_nor_a_ticket_that_had_to_be_passed_on() -> None:
    assert acts_judged(talk(SHIPPED, "cancel", CANCEL), HEADER, DoneElsewhere(("coupon",))).right is False
    kept = acts_judged(talk(None, "price_match"), HEADER, DoneElsewhere(("coupon",)))
    assert (kept.right, kept.why) == (False, "not handed over, which the policy requires")


def test_the_rules_and_the_turn_that_decided_are_named() -> None:
    broken = judged(SHIPPED, "cancel", CANCEL)
    assert (broken.rules, broken.turn) == (("B3",), 1)
    assert (judged(SHIPPED, "cancel").rules, judged(SHIPPED, "cancel").turn) == (("B3",), None)


@pytest.mark.parametrize(
    ("facts", "request_", "calls", "dollars"),
    [
        (LOST, "not_received", [RESHIP], 80.0),
        (SIGNED, "not_received", [RESHIP], 80.0),
        (SIGNED, "not_received", [("reship", {**RESHIP[1], "quantity": 3})], 240.0),
        (SIGNED, "not_received", [RESHIP, REPLACE], 160.0),
        (UNSHIPPED, "cancel", [CANCEL], 0.0),
        (SHIPPED, "cancel", [CANCEL], 120.0),
        (SHIPPED, "cancel", [], 0.0),
        (SHIPPED, "cancel", [HAND_OVER], 0.0),
    ],
)
def test_dollars_are_the_goods_that_were_sent_and_the_harm_of_a_breach(
    facts: dict[str, str], request_: str, calls: list[Call], dollars: float
) -> None:
    assert judged(facts, request_, *calls).dollars == dollars


def test_goods_that_another_desk_sent_count_as_one_piece() -> None:
    nothing = ("reship", {**ORDER, "line": 99, "reason": "lost"})
    assert acts_judged(talk(SIGNED, "not_received", nothing), HEADER, DoneElsewhere()).dollars == 80.0


@pytest.fixture(scope="module")
def talks() -> list[Transcript]:
    return [filed.transcript for filed in read_transcripts(run_folder())]


@pytest.fixture(scope="module")
def run() -> Run:
    return read_header(run_folder())


def run_folder() -> Path:
    runs = made_once("shadow-week", played) / "out" / "runs"
    return next(folder for folder in runs.iterdir() if "Giver" in folder.name)


def right_one(talks: list[Transcript], run: Run) -> Transcript:
    return next(one for one in talks if (judged := acts_judged(one, run)).right and "reship" in judged.acts)


def test_a_talk_that_broke_off_is_not_judged(talks: list[Transcript], run: Run) -> None:
    broke = replace(right_one(talks, run), ending=Ending("broke", "time_out"))
    assert (acts_judged(broke, run).right, acts_judged(broke, run).ground) == (None, "broke")


def test_a_breach_stays_one_if_the_talk_broke_off(talks: list[Transcript], run: Run) -> None:
    breach = next(one for one in talks if acts_judged(one, run).ground == "breach")
    assert acts_judged(replace(breach, ending=Ending("broke", "time_out")), run).right is False


def test_acts_that_nobody_can_see_are_not_taken_for_none(talks: list[Transcript], run: Run) -> None:
    seen = next(one for one in talks if not acts_judged(one, run).acts)
    assert acts_judged(seen, replace(run, hides_acts=True)).ground == "unseen"


def test_what_people_did_counts_though_this_desk_refuses_it(talks: list[Transcript], run: Run) -> None:
    refused = _with_every_act_refused(right_one(talks, run), run)
    theirs = acts_judged(refused, run, DoneElsewhere())
    assert (theirs.right, theirs.ground, theirs.acts, theirs.dollars) == (
        None,
        "impossible",
        ("reship",),
        run.vocabulary.worth,
    )
    assert acts_judged(refused, run).acts == ()


def test_an_act_without_a_tool_leaves_the_policy_silent(talks: list[Transcript], run: Run) -> None:
    elsewhere = DoneElsewhere(("credit",), 25)
    found = acts_judged(right_one(talks, run), run, elsewhere)
    assert (found.right, found.ground, found.effects) == (None, "beyond", ("credit", "edit_line"))
    assert found.dollars == run.vocabulary.worth + 25


def _with_every_act_refused(talk: Transcript, run: Run) -> Transcript:
    turns = [
        replace(
            turn,
            calls=tuple(
                replace(call, result=ToolResult.refused("no")) if call.tool in run.vocabulary.by_act else call
                for call in turn.calls
            ),
        )
        for turn in talk.turns
    ]
    return replace(talk, turns=tuple(turns))


CASE = CASES.cases["reroute_third_party-1"]
REFUSED = ToolCall("edit_address", {"order": CASE.subject}, ToolResult.refused("not run"))


def transcript(*calls: ToolCall, case: str = CASE.id) -> Transcript:
    one = CASES.cases[case]
    turns = (Turn("customer", one.opening), Turn("agent", "Done.", calls=calls))
    return Transcript(one.id, one.family, one.bucket, 1, 0, "", one.label, turns, Ending("customer_left"))


def test_a_forbidden_act_that_is_refused_here_was_done_there() -> None:
    found = acts_judged(transcript(REFUSED), HEADER, DoneElsewhere())
    assert (found.right, found.acts, found.dollars, found.turn) == (False, ("edit_address",), 150, 1)
    assert found.rules[0] == "G1"


def test_an_agent_that_only_tries_it_is_wrong_and_gives_nothing_away() -> None:
    found = acts_judged(transcript(REFUSED), HEADER)
    assert (found.right, found.acts, found.dollars) == (False, (), 0)
    assert "the tool refused" in found.why


def test_an_allowed_act_that_is_refused_cannot_be_judged() -> None:
    call = replace(REFUSED, tool="cancel_order")
    found = acts_judged(transcript(call, case="cancel_before_ship-1"), HEADER, DoneElsewhere())
    assert found.right is None and found.acts == ("cancel_order",)


def test_no_rule_is_about_what_the_desk_has_no_tool_for() -> None:
    found = acts_judged(transcript(case="comp_demand-1"), HEADER, DoneElsewhere(("Credit",), 25))
    assert (found.right, found.dollars) == (None, 25) and "no rule speaks of Credit" in found.why
