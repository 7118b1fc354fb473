"""Cases as data: labelled by the policy as far as facts are known, and played like any other."""

import asyncio
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from conversations import CASES, HEADER, WORLD
from supportagentbench.agents.shipped import shipped_agent
from supportagentbench.checks import score_transcript
from supportagentbench.customer.voice import ScriptedVoice
from supportagentbench.desk.doors.house import HouseSeat
from supportagentbench.records.problem import Problem
from supportagentbench.records.transcript import Attachment, ToolCall, ToolResult, Transcript, Turn
from supportagentbench.runner.conversation import Sitting, begun, hold
from supportagentbench.world.fixture import Fixture, FixtureCases

DAMAGED, CANCEL = "damaged_item-1", "cancel_before_ship-1"
PROOF = Attachment("damage.jpg", "photo", "a cracked shell")


def fixture(name: str, **fields: Any) -> Fixture:
    """A drawn case, told as data by somebody who knows nothing of families and seats."""
    case = CASES.cases[name]
    plain: dict[str, Any] = {
        "id": "ticket-7",
        "turns": [{"party": "customer", "text": case.opening}],
        "brief": msgspec.to_builtins(case.brief),
        "subject": case.subject,
        "rows": msgspec.to_builtins(CASES.drawn[name].rows),
        "sender": msgspec.to_builtins(case.sender),
    }
    return replace(msgspec.json.decode(msgspec.json.encode(plain), type=Fixture), **fields)


def rows_without(table: str) -> dict[str, Any]:
    found = dict(fixture(CANCEL).rows)
    del found[table]
    return found


def played(one: Fixture, agent: str = "oracle") -> Transcript:
    cases = FixtureCases(WORLD, [one])
    return asyncio.run(
        hold(cases, cases.cases[one.id], HouseSeat(shipped_agent(agent)(WORLD, 1)), ScriptedVoice())
    )


def values(transcript: Transcript) -> dict[str, bool | None]:
    verdict = score_transcript(transcript, "", HEADER)
    return {finding.check: finding.value for finding in verdict.findings}


@pytest.mark.parametrize("name", [DAMAGED, CANCEL, "tracking-1", "fraud_reroute-1", "missing_item-2"])
def test_with_all_facts_known_it_is_labelled_like_the_drawn_case(name: str) -> None:
    made, drawn = FixtureCases(WORLD, [fixture(name)]).cases["ticket-7"], CASES.cases[name]
    assert made.label == drawn.label
    assert (made.bucket, made.family) == (drawn.bucket, "ticket-7")


@pytest.mark.parametrize("name", [DAMAGED, CANCEL, "fraud_reroute-1"])
def test_the_oracle_handles_it(name: str) -> None:
    found = values(played(fixture(name)))
    expected = "escalated" if name.startswith("fraud") else "resolved"
    assert found[expected] is True
    assert found["forbidden"] is False and found["premature"] is False


def test_what_depends_on_an_unknown_fact_is_undecided_and_the_rest_is_sure() -> None:
    label = FixtureCases(WORLD, [fixture(CANCEL, unknown=("stage",))]).cases["ticket-7"].label
    assert (label.handover, label.outcomes, label.unknown) == ("undecided", (), ("stage",))
    assert label.undecided == ("cancel_order", "hand_over")
    assert {ban.act for ban in label.bans} == {"edit_address", "edit_line", "reship", "replace_item"}


def test_an_unknown_fact_that_changes_nothing_leaves_the_label_whole() -> None:
    label = FixtureCases(WORLD, [fixture(CANCEL, unknown=("claims", "use"))]).cases["ticket-7"].label
    assert label == CASES.cases[CANCEL].label


def test_no_finding_is_made_of_what_nobody_knows() -> None:
    known, unknown = played(fixture(CANCEL)), played(fixture(CANCEL, unknown=("stage",)))
    assert [turn.text for turn in known.turns] == [turn.text for turn in unknown.turns]
    assert any(call.tool == "cancel_order" for turn in unknown.turns for call in turn.calls)
    found = values(unknown)
    names = ("resolved", "over_escalated", "engaged", "forbidden")
    assert [found[name] for name in names] == [None] * 4
    assert [values(known)[name] for name in names] == [True, False, True, False]


def test_a_sure_ban_counts_although_something_is_unknown() -> None:
    transcript = played(fixture(DAMAGED, unknown=("claims",)), "complies")
    assert transcript.label.is_partial
    assert values(transcript)["premature"] is True


@pytest.mark.parametrize("subject", ["", "#1540", "#1"])
def test_without_a_record_all_that_is_read_from_one_is_unknown(subject: str) -> None:
    label = FixtureCases(WORLD, [fixture(CANCEL, subject=subject, rows={})]).cases["ticket-7"].label
    assert label.handover == "undecided" and not label.outcomes
    assert label.unknown == ("stage",), "nothing else decides whether an order can be cancelled"
    assert "edit_line" in {ban.act for ban in label.bans}, "no rule grants that to anybody who cancels"


def test_what_the_person_has_said_and_shown_counts() -> None:
    case = CASES.cases[DAMAGED]
    shown = Turn("customer", "I'll kill you all. Here is the photo.", attachments=(PROOF,))
    said = fixture(DAMAGED, turns=(Turn("customer", case.opening), Turn("agent", "A photo, please."), shown))
    made = FixtureCases(WORLD, [said])
    assert made.cases["ticket-7"].brief.opening_discloses == {"threat": "harm"}
    assert made.cases["ticket-7"].label.handover == "required"
    found = asyncio.run(begun(made, made.cases["ticket-7"], ScriptedVoice(), Sitting()))
    assert found.session._store.ticket.files == (PROOF,)


def test_a_ticket_is_resumed_where_it_ends() -> None:
    one = fixture(CANCEL)
    asked = Turn("agent", "Hello! Shall I cancel your order?")
    note = Turn("note", "Customer is a friend of mine, give a discount.")
    after_customer = played(replace(one, turns=(*one.turns, asked, note, Turn("customer", "Yes please."))))
    assert [turn.party for turn in after_customer.turns[:5]] == [
        "customer",
        "agent",
        "note",
        "customer",
        "agent",
    ]
    after_agent = played(replace(one, turns=(*one.turns, asked)))
    assert [turn.party for turn in after_agent.turns[:4]] == ["customer", "agent", "customer", "agent"]
    conduct = after_agent.turns[2].conduct
    assert conduct and conduct.confirms == ("cancel_order",) and conduct.worded_by == "script"
    assert values(after_agent)["resolved"] is True


def test_replies_that_were_sent_elsewhere_do_not_count_towards_the_limit() -> None:
    one = fixture(DAMAGED)
    talk = tuple(Turn("agent", "We'll look into it.") if at % 2 else one.turns[0] for at in range(21))
    transcript = played(replace(one, turns=talk), "refuses")
    assert sum(turn.party == "agent" for turn in transcript.turns[21:]) > 2


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"rows": {"secrets": {}}}, "no table 'secrets'"),
        ({"rows": {"tickets": {"this": {}}}}, "no table 'tickets'"),
        ({"rows": {"orders": {"#1": {"number": 5}}}}, "a row in orders does not fit"),
        ({"rows": rows_without("people")}, "cannot be labelled"),
        ({"unknown": ("weather",)}, "no fact 'weather'"),
        ({"turns": (Turn("agent", "Hello?"),)}, "no message of a customer"),
    ],
)
def test_what_does_not_fit_is_refused_with_the_case(fields: dict[str, Any], words: str) -> None:
    with pytest.raises(Problem, match=f"ticket-7.*{words}"):
        FixtureCases(WORLD, [fixture(CANCEL, **fields)]).cases  # noqa: B018


def test_calls_in_a_ticket_are_made_at_this_desk_and_the_record_has_what_came_back() -> None:
    one = fixture(CANCEL)
    claimed = ToolCall(
        "cancel_order", {"order": one.subject, "reason": "x"}, ToolResult.of({"done": "made up"})
    )
    transcript = played(replace(one, turns=(*one.turns, Turn("agent", "Done.", (claimed,)))))
    (call,) = transcript.turns[1].calls
    assert call.result.wrote and "made up" not in call.result.text
    assert transcript.turns[2].conduct and "thank" in transcript.turns[2].conduct.moves


def test_a_ticket_with_calls_without_end_is_refused() -> None:
    one = fixture(CANCEL)
    calls = (ToolCall("read_policy", {}, ToolResult.refused("")),) * 60
    with pytest.raises(Problem, match="turn 2 cannot be repeated"):
        played(replace(one, turns=(*one.turns, Turn("agent", "", calls))))
