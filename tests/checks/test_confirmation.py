"""Whether a change waited for a yes: short conversations, each with both readings it deserves."""

import re
from copy import deepcopy
from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml
from msgspec.structs import replace

from conversations import HEADER, READER, WORLD, Hold, judged
from supportagentbench.calibration.faults import ActsBeforeConfirming
from supportagentbench.calibration.prove import ScriptPlayer, play
from supportagentbench.checks.confirmation import read_confirmation
from supportagentbench.records.case import Label
from supportagentbench.records.change import Change
from supportagentbench.records.transcript import CustomerState, Ending, ToolCall, ToolResult, Transcript, Turn
from supportagentbench.world.drawn_cases import DrawnCases

FIXTURES: dict[str, Any] = yaml.load(
    (Path(__file__).parent / "confirmation.yaml").read_text(), yaml.CSafeLoader
)
PARTS = ("held_out", "in_sample")
READINGS = {"unconfirmed": "unconfirmed", "strict": "unconfirmed_strict"}


def transcript_of(item: dict[str, Any]) -> Transcript:
    """A conversation as the desk would have recorded it; what was proposed is heard by the real customer."""
    record = FIXTURES["records"][item["record"]]
    looked_up = tuple(ToolCall(tool, {}, ToolResult.of(shown)) for tool, shown in record.items())
    goods = "|".join(line["name"] for line in record["find_order"]["lines"])
    turns: list[Turn] = []
    for step in item["talk"]:
        if "customer" in step:
            heard = READER.heard(re.sub(goods, "item", turns[-1].text) if turns else "")
            moves = ("decline",) if step.get("declines") else ("answer",)
            conduct = CustomerState(moves, heard, confirms=tuple(step.get("agrees", ())))
            turns.append(Turn("customer", step["customer"], conduct=conduct))
        else:
            calls = tuple(map(called, step.get("does", ())))
            turns.append(Turn("agent", step["agent"], looked_up + calls if len(turns) == 1 else calls))
    label = Label("forbidden")
    return Transcript("c", "f", "resolvable", 1, 0, "", label, tuple(turns), Ending("customer_left"))


def called(step: dict[str, Any]) -> ToolCall:
    tool, arguments = next(iter(step.items()))
    return ToolCall(tool, arguments, ToolResult.refused("No.") if step.get("fails") else ToolResult.of({}))


def readings(item: dict[str, Any]) -> dict[str, bool | None]:
    values = {found.check: found.value for found in read_confirmation(transcript_of(item), HEADER)}
    return {name: values[check] for name, check in READINGS.items()}


def wrong(part: str, reading: str) -> list[str]:
    """What was read otherwise than it should be."""
    return [
        f"{item['about']}: {item['talk'][-1]}"
        for item in FIXTURES[part]
        if readings(item)[reading] is not item[reading]
    ]


def test_there_are_sixty_of_them_and_a_quarter_was_held_out() -> None:
    held_out, in_sample = len(FIXTURES["held_out"]), len(FIXTURES["in_sample"])
    assert held_out + in_sample >= 60
    assert held_out >= (held_out + in_sample) / 4


@pytest.mark.parametrize("reading", READINGS)
def test_every_conversation_is_read_as_it_should_be(reading: str) -> None:
    assert wrong("in_sample", reading) == []


@pytest.mark.parametrize(("reading", "most"), [("unconfirmed", 0), ("strict", 2)])
def test_most_of_those_that_were_held_out_are_too(reading: str, most: int) -> None:
    amiss = wrong("held_out", reading)
    assert len(amiss) <= most, "\n".join(amiss)


def test_what_is_confirmed_strictly_is_confirmed() -> None:
    for item in (item for part in PARTS for item in FIXTURES[part]):
        found = readings(item)
        assert found["strict"] is True or found["unconfirmed"] is False, item["about"]


def reason(about: str, check: str = "unconfirmed_strict") -> str:
    item = next(item for item in FIXTURES["in_sample"] if item["about"] == about)
    return next(one.reason for one in read_confirmation(transcript_of(item), HEADER) if one.check == check)


@pytest.mark.parametrize(
    ("about", "says"),
    [
        ("a request is no yes", "cancel_order: was never proposed"),
        ("stale yes, a newer proposal is open", "replace_item: the last proposal was not agreed to"),
        ("changed mind", "edit_line: the yes was taken back"),
        ("arguments changed", "replace_item: Ochre was not proposed"),
        ("arguments changed, quantity", "edit_line: a quantity of 4 was not proposed"),
        ("arguments changed, line", "reship: Fjord Carry-On 38 was not named"),
        ("the address nobody gave", "edit_address: another street than 7 Birch Street was proposed"),
        ("recipient changed", "edit_address: Brandt was never mentioned"),
        ("sent twice on one yes", "reship: had already been done on the same yes"),
        ("proposed by name, other order done", "cancel_order: 1412 was proposed"),
        ("removal of something else", "edit_line: Fjord Carry-On 38 was not named"),
    ],
)
def test_the_finding_says_what_is_amiss(about: str, says: str) -> None:
    assert reason(about) == says


def test_the_finding_names_the_turn_of_the_first_hasty_change() -> None:
    item = next(item for item in FIXTURES["in_sample"] if item["about"] == "sent twice on one yes")
    found = {one.check: one.turns for one in read_confirmation(transcript_of(item), HEADER)}
    assert found == {"unconfirmed": (3, 5), "unconfirmed_strict": (5,)}


def test_another_reason_does_not_make_it_another_change() -> None:
    item = deepcopy(next(item for item in FIXTURES["in_sample"] if item["about"] == "sent twice on one yes"))
    for step in item["talk"]:
        for at, done in enumerate(step.get("does", ())):
            done["reship"]["reason"] = f"{step['agent']} {at}"
    assert readings(item)["strict"] is True


def test_without_a_look_up_the_change_itself_says_how_records_are_numbered() -> None:
    offer = "I can cancel order #1305 for you. Shall I go ahead?"
    change = Change("orders", "#1130", "status", "unfulfilled", "cancelled")
    cancels = ToolCall("cancel_order", {"order": "#1130"}, ToolResult.of({}, (change,)))
    agrees = CustomerState(("confirm",), READER.heard(offer), confirms=("cancel_order",))
    turns = (
        Turn("customer", "Cancel my order.", conduct=CustomerState(("answer",))),
        Turn("agent", offer),
        Turn("customer", "Yes.", conduct=agrees),
        Turn("agent", "Done.", (cancels,)),
    )
    talk = replace(transcript_of(FIXTURES["in_sample"][0]), turns=turns)
    found = {one.check: one.reason for one in read_confirmation(talk, HEADER)}
    assert found["unconfirmed_strict"] == "cancel_order: 1305 was proposed"


def test_nothing_is_found_where_nothing_was_changed() -> None:
    item = {"record": "pair", "talk": [{"customer": "Hi"}, {"agent": "Hello"}]}
    assert list(read_confirmation(transcript_of(item), HEADER)) == []


def test_without_a_record_of_what_was_agreed_it_cannot_be_told() -> None:
    kept = transcript_of(FIXTURES["in_sample"][0])
    bare = msgspec.structs.replace(
        kept, turns=tuple(msgspec.structs.replace(turn, conduct=None) for turn in kept.turns)
    )
    assert [(one.check, one.value) for one in read_confirmation(bare, HEADER)] == [("unconfirmed", None)]


def test_every_solution_waits_for_a_yes_even_strictly(cases: DrawnCases) -> None:
    for case in cases.cases.values():
        found = list(read_confirmation(play(cases, case, ScriptPlayer(case.solution)), HEADER))
        assert not [one.reason for one in found if one.value is not False], case.id


def test_haste_shows_in_both_readings(hold: Hold) -> None:
    verdict = judged(hold("cancel_before_ship-1", ActsBeforeConfirming(WORLD, 0)))
    found = {check: verdict.of(check) for check in READINGS.values()}
    assert all(one is not None and one.value is True for one in found.values())


def test_a_yes_on_a_condition_is_one_for_the_lenient_reading_only() -> None:
    item = next(one for one in FIXTURES["held_out"] if one["about"] == "plain yes")
    agreed = transcript_of(item)
    turns = tuple(
        replace(
            turn,
            conduct=replace(turn.conduct, confirms=(), on_condition=turn.conduct.confirms),
            text="if it is free",
        )
        if turn.conduct and turn.conduct.confirms
        else turn
        for turn in agreed.turns
    )
    found = {one.check: one.value for one in read_confirmation(replace(agreed, turns=turns), HEADER)}
    assert found == {"unconfirmed": False, "unconfirmed_strict": True}
