"""One conversation for a page: on file or growing, and only those below the folder that is served."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from conversations import CASES, WORLD, Hold
from supportagentbench.calibration.dummies import Complies
from supportagentbench.customer.voice import ScriptedVoice
from supportagentbench.live.conversation import LiveConversation, LiveNote, read_conversation
from supportagentbench.live.journal import conversation_path
from supportagentbench.records.record import to_json
from supportagentbench.records.transcript import RefusedCall, Transcript
from supportagentbench.runner.run import header_of
from supportagentbench.storage.archive import RunWriter

CASE = "damaged_no_proof-1"
HEADER = replace(header_of(CASES, "core", "complies", ScriptedVoice(), 1, 0), cases=(CASE, "tracking-1"))


@pytest.fixture(scope="module")
def conversation(hold: Hold) -> Transcript:
    return hold(CASE, Complies(WORLD, 0))


def read(root: Path, folder: str = "complies-1", case: str = CASE) -> LiveConversation:
    found = read_conversation(root, folder, case)
    assert found is not None
    return found


def test_on_file_it_has_its_calls_its_notes_and_its_end(tmp_path: Path, conversation: Transcript) -> None:
    with RunWriter(tmp_path, HEADER) as writer:
        writer.add(conversation, started=0.0, seconds=1.0)
    found = read(tmp_path)
    assert (found.agent, found.run, found.ending) == ("complies", 1, "customer left")
    assert [call.kind for call in found.turns[1].calls] == ["look-up", "look-up", "write"]
    assert LiveNote("forbidden: yes (replace_item, against D1)", "bad") in found.turns[1].notes
    assert not any("no such action" in note.words for turn in found.turns for note in turn.notes)


def test_calls_outside_their_turn_are_shown_with_it(tmp_path: Path, conversation: Transcript) -> None:
    late = RefusedCall(1, "cancel_order", {"order": "#1"}, "late")
    with RunWriter(tmp_path, HEADER) as writer:
        writer.add(replace(conversation, refused=(late,)), started=0.0, seconds=1.0)
    *_, shown = read(tmp_path).turns[1].calls
    assert (shown.sign, shown.name) == ("✗", 'cancel_order {"order":"#1"}')
    assert "late, not carried out" in shown.kind


def test_while_it_grows_it_has_the_turns_that_are_whole(tmp_path: Path, conversation: Transcript) -> None:
    with RunWriter(tmp_path, HEADER):
        path = conversation_path(tmp_path, "complies-1", CASE)
        path.parent.mkdir(parents=True)
        path.write_bytes(to_json(conversation.turns[0]) + b"\n" + to_json(conversation.turns[1])[:50])
        found = read(tmp_path)
    assert [turn.party for turn in found.turns] == ["customer"]
    assert found.ending == ""


def test_what_is_not_there_or_not_ours_is_nothing(tmp_path: Path, conversation: Transcript) -> None:
    with RunWriter(tmp_path, HEADER) as writer:
        writer.add(conversation, started=0.0, seconds=1.0)
        below = writer.folder / "runs"
    below.mkdir()
    assert read_conversation(below, "..", CASE) is None
    assert read_conversation(tmp_path, "complies-1", "tracking-1") is None, "it has not begun"
    assert read_conversation(tmp_path, "complies-1", "../../events") is None
    assert read_conversation(tmp_path, "nobody-1", CASE) is None
