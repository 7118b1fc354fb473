"""A bundle holds the record itself, and nothing in it can break out of the script that it is."""

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as some
from msgspec.structs import replace

from conversations import HEADER, WORLD, judged
from filed import HOSTILE, agent_turn, failed, hostile, solved
from supportagentbench.judges.rule_judge import rule_judgement
from supportagentbench.records.change import Change
from supportagentbench.records.finding import Finding
from supportagentbench.records.record import digest
from supportagentbench.records.transcript import ToolCall, ToolResult, Transcript
from supportagentbench.results.load import ScoredConversation
from supportagentbench.site.data.bundle import (
    CALL,
    acts_of,
    as_script,
    bundle_path,
    keep_in,
    read_bundle,
    sign_of,
)
from supportagentbench.storage.transcripts import Filed


def conversation_of(transcript: Transcript) -> ScoredConversation:
    filed = Filed(transcript, digest(transcript), 5.0, 0.5)
    verdict = judged(transcript)
    return ScoredConversation(filed, verdict, (rule_judgement(filed.transcript, HEADER, verdict),))


def kept(conversations: list[ScoredConversation], folder: Path) -> Path:
    keep_in(folder)("some-case", "some-agent", conversations, WORLD.vocabulary)
    return folder / bundle_path("some-case", "some-agent")


SIGNS = ("</", "<", "/", "<!--", "script>", "\u2028", "\u2029", "\\", '"', "')", "é", "\n", "\x00", "a")
words = some.lists(some.sampled_from(SIGNS), max_size=8).map("".join)


@given(text=words, tool=words, argument=words)
def test_any_words_come_back_and_none_ends_the_script(text: str, tool: str, argument: str) -> None:
    call = ToolCall(tool, {argument: [text, None]}, ToolResult.of(argument))
    transcript = replace(solved("tracking-1"), turns=(agent_turn(call, text=text),))
    conversation = conversation_of(transcript)
    with TemporaryDirectory() as scratch:
        path = kept([conversation], Path(scratch))
        script = path.read_text()
        bundle = read_bundle(path)
    assert bundle.runs[0].filed == conversation.filed
    assert digest(bundle.runs[0].transcript) == conversation.filed.digest
    assert script.startswith(CALL)
    assert not any(sign in script for sign in ("</", "<!--", "\u2028", "\u2029"))


def test_all_runs_of_a_case_lie_in_one_file(tmp_path: Path) -> None:
    conversations = [conversation_of(replace(solved("tracking-1"), run=run)) for run in (1, 2)]
    bundle = read_bundle(kept(conversations, tmp_path))
    assert [conversation.run for conversation in bundle.runs] == [1, 2]
    assert [conversation.outcome for conversation in bundle.runs] == ["resolved", "resolved"]
    assert bundle.runs[0].judgements == conversations[0].judgements


def test_what_is_to_check_is_in_the_margin_and_no_issue_until_it_is_confirmed(tmp_path: Path) -> None:
    conversation = conversation_of(solved("tracking-1"))
    unsure = Finding("dumped", True, "It looks like a tool result.", (1,), quote="Hello", to_check=True)
    shown = []
    for state in ("", "confirmed", "dropped"):
        findings = (*conversation.verdict.findings, replace(unsure, settled=state))
        one = conversation._replace(verdict=replace(conversation.verdict, findings=findings))
        note = read_bundle(kept([one], tmp_path / f"{state}-state")).runs[0].notes[-1]
        shown.append((note.check, note.is_issue, note.standing))
    assert shown == [
        ("dumped", False, "to check"),
        ("dumped", True, "confirmed by a judge"),
        ("dumped", False, "dropped by a judge"),
    ]


def test_a_hostile_conversation_comes_back_as_it_was(tmp_path: Path) -> None:
    conversation = conversation_of(hostile(failed("damaged_no_proof-1")))
    assert read_bundle(kept([conversation], tmp_path)).runs[0].transcript == conversation.filed.transcript
    assert b"</script" not in as_script(CALL, {"text": HOSTILE})


def test_notes_leave_out_faults_that_were_not_found(tmp_path: Path) -> None:
    notes = read_bundle(kept([conversation_of(failed("damaged_no_proof-1"))], tmp_path)).runs[0].notes
    assert ("held", False, True) in [(note.check, note.value, note.is_issue) for note in notes]
    assert all(note.is_issue or note.check in ("held", "resolved", "escalated") for note in notes)


def test_a_forbidden_act_is_told_from_an_allowed_one() -> None:
    [trap] = [
        act for act in acts_of(failed("damaged_no_proof-1"), WORLD.vocabulary) if act.tool == "replace_item"
    ]
    [twin] = [
        act
        for act in acts_of(solved("damaged_no_proof-1-twin"), WORLD.vocabulary)
        if act.tool == "replace_item"
    ]
    assert (trap.breach, trap.rules) == ("forbidden", ("D1",))
    assert (twin.breach, twin.rules) == ("", ())


def test_every_forbidden_call_is_told_not_the_first_alone() -> None:
    transcript = failed("damaged_no_proof-1")
    turns = [turn for turn in transcript.turns if any(call.tool == "replace_item" for call in turn.calls)]
    again = replace(transcript, turns=(*transcript.turns, *turns))
    assert [act.breach for act in acts_of(again, WORLD.vocabulary) if act.tool == "replace_item"] == [
        "forbidden"
    ] * 2


def test_look_ups_are_no_acts_and_refused_attempts_are() -> None:
    transcript = solved("damaged_no_proof-1")
    look = ToolCall("find_order", {"order": "#1"}, ToolResult.of({}))
    refused = ToolCall("replace_item", {"line": 1}, ToolResult.refused("no such line"))
    [act] = acts_of(replace(transcript, turns=(agent_turn(look, refused),)), WORLD.vocabulary)
    assert (act.turn, act.call, act.sign) == (0, 1, "replace_item refused")
    assert act.breach == "attempted_forbidden"


def change(**after: object) -> ToolCall:
    made = Change("orders", "#1", "shipments", [], [{"line": 1, "variant": "V", "quantity": 1, **after}])
    return ToolCall("reship", {}, ToolResult.of({}, (made,)))


@pytest.mark.parametrize(
    ("other", "same"), [({"reason": "lost"}, True), ({"line": 2}, False), ({"quantity": 2}, False)]
)
def test_two_calls_that_come_to_the_same_have_the_same_sign(other: dict[str, object], same: bool) -> None:
    one, another = (sign_of(call, WORLD.vocabulary) for call in (change(reason="stolen"), change(**other)))
    assert (one == another) is same
