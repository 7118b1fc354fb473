"""The archive loses nothing that was finished, and says so when a file is not what it should be."""

import json
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from msgspec.structs import replace

from conversations import WORLD, Hold
from supportagentbench.calibration.oracle import Oracle
from supportagentbench.customer.voice import ScriptedVoice
from supportagentbench.records.clock import TurnClock
from supportagentbench.records.judgement import Judgement, Opinion
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import digest, to_json
from supportagentbench.records.run import Run
from supportagentbench.records.transcript import EXTERNAL_CAUSES, Cause, Ending, Transcript
from supportagentbench.runner.run import header_of
from supportagentbench.storage.archive import (
    HEADER,
    JUDGEMENTS,
    JudgementWriter,
    RunWriter,
    find_runs,
    folder_name,
    read_header,
    read_judgements,
)
from supportagentbench.storage.inventory import Inventory
from supportagentbench.storage.transcripts import BROKEN, TRANSCRIPTS, read_transcripts
from supportagentbench.world.drawn_cases import DrawnCases


@pytest.fixture
def header(cases: DrawnCases) -> Run:
    return header_of(cases, "cancel_before_ship", "oracle", ScriptedVoice(), 1, 0)


@pytest.fixture
def transcripts(header: Run, hold: Hold) -> list[Transcript]:
    return [hold(case, Oracle(WORLD, 0)) for case in header.cases]


def file(root: Path, header: Run, transcripts: list[Transcript]) -> Path:
    with RunWriter(root, header) as writer:
        for transcript in transcripts:
            writer.add(transcript, started=0.0, seconds=0.0)
    return root / "oracle-1"


def test_what_was_filed_is_read_back(tmp_path: Path, header: Run, transcripts: list[Transcript]) -> None:
    folder = file(tmp_path, header, transcripts)
    assert [filed.transcript for filed in read_transcripts(folder)] == transcripts


def test_lines_without_a_clock_and_calls_without_a_step_are_read(
    tmp_path: Path, header: Run, transcripts: list[Transcript]
) -> None:
    folder = file(tmp_path, header, transcripts)
    written = (folder / TRANSCRIPTS).read_text()
    assert '"clock"' not in written and '"step"' not in written, "as lines were before there was either"
    for filed in read_transcripts(folder):
        assert filed.clock == ()
        assert {call.step for turn in filed.transcript.turns for call in turn.calls} == {0}


def test_the_clock_is_beside_the_transcript_and_not_in_its_digest(
    tmp_path: Path, header: Run, transcripts: list[Transcript]
) -> None:
    clock = (TurnClock(0.0, 0.5), TurnClock(0.5, 2.0, usage=(1.0,), calls=(1.5,)))
    with RunWriter(tmp_path, header) as writer:
        added = writer.add(transcripts[0], started=0.0, seconds=2.0, clock=clock)
    (read,) = read_transcripts(tmp_path / "oracle-1")
    assert read == added and read.clock == clock
    assert read.digest == digest(to_json(transcripts[0]))


def test_a_run_of_an_older_version_is_refused_in_one_sentence(
    tmp_path: Path, header: Run, transcripts: list[Transcript]
) -> None:
    folder = file(tmp_path, header, transcripts)
    older = json.loads((folder / HEADER).read_bytes()) | {"record": "run/1", "package": "0.1.0"}
    (folder / HEADER).write_text(json.dumps(older))
    remedy = "run it again with the same command, or read it with version 0.1.0."
    with pytest.raises(Problem) as told:
        read_header(folder)
    assert str(told.value) == f"{folder}: was written by version 0.1.0; {remedy}"
    with pytest.raises(Problem, match=r"was written by version 0\.1\.0"), RunWriter(tmp_path, header):
        pass


NO_HEADERS = (
    *("{}", "[]", "", '{"record": "run/1", "package": "\\u001b[2J"}'),
    *('{"record": "board/1", "package": "0.1.0"}', '{"record": "run/2", "package": "0.2.0"}'),
)


@pytest.mark.parametrize("content", NO_HEADERS)
def test_what_is_no_header_is_not_taken_for_an_older_one(tmp_path: Path, content: str) -> None:
    (tmp_path / HEADER).write_text(content)
    with pytest.raises(Problem, match=r"run\.json(:1)?: cannot be read") as told:
        read_header(tmp_path)
    assert str(told.value).isprintable()


def test_the_disk_is_made_to_keep_it_when_a_second_has_passed_and_at_the_end(
    tmp_path: Path, header: Run, transcripts: list[Transcript], monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, synced = [100.0], list[int]()
    monkeypatch.setattr("supportagentbench.storage.archive.time.monotonic", lambda: clock[0])
    with RunWriter(tmp_path, header) as writer:
        monkeypatch.setattr("supportagentbench.storage.archive.os.fsync", synced.append)
        seen = []
        for transcript, clock[0] in zip(transcripts, (100.5, 101.0, 101.5, 102.0, 102.75), strict=False):
            writer.add(transcript, started=0.0, seconds=0.0)
            seen.append(len(synced))
    assert seen == [0, 0, 1, 1, 2]
    assert len(synced) == 3


def test_an_opened_run_knows_what_is_missing(
    tmp_path: Path, header: Run, transcripts: list[Transcript]
) -> None:
    file(tmp_path, header, transcripts[:1])
    with RunWriter(tmp_path, header) as writer:
        assert writer.missing() == header.cases[1:]


def test_a_torn_last_line_is_cut_off_at_every_length(
    tmp_path: Path, header: Run, transcripts: list[Transcript]
) -> None:
    folder = file(tmp_path, header, transcripts[:2])
    whole = (folder / TRANSCRIPTS).read_bytes()
    first = whole.index(b"\n") + 1
    for cut in [first + 1, (first + len(whole)) // 2, len(whole) - 1]:
        (folder / TRANSCRIPTS).write_bytes(whole[:cut])
        assert len(list(read_transcripts(folder))) == 1
        with RunWriter(tmp_path, header) as writer:
            assert writer.repaired == cut - first
            assert writer.finished == {transcripts[0].case}
        assert (folder / TRANSCRIPTS).read_bytes() == whole[:first]


def test_a_second_writer_is_refused(tmp_path: Path, header: Run) -> None:
    with (
        RunWriter(tmp_path, header),
        pytest.raises(Problem, match="being written by another process"),
        RunWriter(tmp_path, header),
    ):
        pass


def test_a_run_made_otherwise_is_not_continued(tmp_path: Path, header: Run, cases: DrawnCases) -> None:
    file(tmp_path, header, [])
    other = header_of(cases, "cancel_before_ship", "oracle", ScriptedVoice(), 1, 7)
    with pytest.raises(Problem, match="made with another seed"), RunWriter(tmp_path, other):
        pass


def test_a_run_at_another_desk_is_not_continued(tmp_path: Path, header: Run, cases: DrawnCases) -> None:
    file(tmp_path, header, [])
    other = header_of(cases, header.set, "oracle", ScriptedVoice(), 1, 0, desk="handbook")
    with pytest.raises(Problem, match=r"made with another .*desk; choose"), RunWriter(tmp_path, other):
        pass


def test_a_header_of_the_desk_with_the_whole_policy_is_what_it_always_was(header: Run) -> None:
    assert header.desk == "prompt" and b"desk" not in to_json(header).partition(b'"rules"')[0]


def test_an_edited_transcript_is_named_by_its_line(
    tmp_path: Path, header: Run, transcripts: list[Transcript]
) -> None:
    folder = file(tmp_path, header, transcripts[:2])
    path = folder / TRANSCRIPTS
    lines = path.read_bytes().splitlines(keepends=True)
    lines[1] = lines[1].replace(b"cancelled", b"held back", 1)
    path.write_bytes(b"".join(lines))
    with pytest.raises(Problem, match=r"transcripts\.jsonl:2: was changed after it was written"):
        list(read_transcripts(folder))


@pytest.mark.parametrize("edit", ["a turn is taken out", "a result is forged", "a yes is put in"])
def test_a_transcript_edited_by_hand_is_refused(
    tmp_path: Path, header: Run, transcripts: list[Transcript], edit: str
) -> None:
    folder = file(tmp_path, header, transcripts[:2])
    path = folder / TRANSCRIPTS
    lines = path.read_bytes().splitlines(keepends=True)
    line = json.loads(lines[0])
    turns = line["transcript"]["turns"]
    if edit == "a turn is taken out":
        del turns[2]
    elif edit == "a result is forged":
        turns[1]["calls"][0]["result"]["facts"] = {"status": "delivered"}
    else:
        turns[0]["conduct"]["confirms"] = ["cancel_order"]
    lines[0] = json.dumps(line, separators=(",", ":")).encode() + b"\n"
    path.write_bytes(b"".join(lines))
    with pytest.raises(Problem, match=r"transcripts\.jsonl:1: was changed after it was written") as caught:
        list(read_transcripts(folder))
    assert str(caught.value).count("\n") == 0


def test_a_conversation_on_file_twice_is_named(
    tmp_path: Path, header: Run, transcripts: list[Transcript]
) -> None:
    folder = file(tmp_path, header, transcripts[:1])
    path = folder / TRANSCRIPTS
    path.write_bytes(path.read_bytes() * 2)
    with pytest.raises(Problem, match="twice"):
        list(read_transcripts(folder))


def test_a_full_disk_is_told_in_one_sentence(
    tmp_path: Path, header: Run, transcripts: list[Transcript]
) -> None:
    folder = file(tmp_path, header, transcripts[:1])
    size = (folder / TRANSCRIPTS).stat().st_size
    with (
        pytest.raises(Problem, match=r"No space left on device.*what is finished stays on file"),
        RunWriter(tmp_path, header) as writer,
        no_file_above(size + 100),
    ):
        writer.add(transcripts[1], started=0.0, seconds=0.0)
    assert (folder / TRANSCRIPTS).stat().st_size == size, "the torn line is not left behind"
    assert len(list(read_transcripts(folder))) == 1


@contextmanager
def no_file_above(size: int) -> Iterator[None]:
    """As on a disk with room for this many bytes of each file."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_folder_without_runs_is_named(tmp_path: Path) -> None:
    with pytest.raises(Problem, match="holds no runs yet"):
        find_runs([tmp_path])
    with pytest.raises(Problem, match="no such folder"):
        find_runs([tmp_path / "nowhere"])


# What broke off outside the agent is held again


def resumed(root: Path, header: Run) -> RunWriter:
    """A run opened by somebody who knows that nothing unsafe was done in it."""
    return RunWriter(root, header, Inventory(root / folder_name(header), header, lambda filed: False))


def broken(transcript: Transcript, cause: Cause = "provider_error") -> Transcript:
    return replace(transcript, ending=Ending("broke", cause, "503"))


def test_broken_conversations_are_set_aside_and_the_rest_stays_byte_for_byte(
    tmp_path: Path, header: Run, transcripts: list[Transcript]
) -> None:
    found = [broken(one) if number in (0, 3) else one for number, one in enumerate(transcripts)]
    folder = file(tmp_path, header, found)
    lines = (folder / TRANSCRIPTS).read_bytes().splitlines(keepends=True)
    with resumed(tmp_path, header) as writer:
        assert writer.missing() == (transcripts[0].case, transcripts[3].case)
        assert (folder / TRANSCRIPTS).read_bytes() == b"".join([*lines[1:3], *lines[4:]])
        assert (folder / BROKEN).read_bytes() == lines[0] + lines[3]
        writer.add(transcripts[3], started=0.0, seconds=0.0)
        writer.add(broken(transcripts[0]), started=1.0, seconds=0.0)
    with resumed(tmp_path, header) as writer:
        assert writer.missing() == (transcripts[0].case,)
    assert (folder / BROKEN).read_bytes().startswith(lines[0] + lines[3])
    assert len((folder / BROKEN).read_bytes().splitlines()) == 3
    assert (folder / TRANSCRIPTS).read_bytes().startswith(b"".join([*lines[1:3], *lines[4:]]))


@pytest.mark.parametrize(
    "cause", [*EXTERNAL_CAUSES, "agent_error", "too_many_calls", "refusal", "empty_reply"]
)
def test_what_an_agent_broke_itself_is_its_result_and_stays(
    tmp_path: Path, header: Run, transcripts: list[Transcript], cause: Cause
) -> None:
    folder = file(tmp_path, header, [broken(one, cause) for one in transcripts])
    before = (folder / TRANSCRIPTS).read_bytes()
    with resumed(tmp_path, header) as writer:
        assert writer.missing() == (header.cases if cause in EXTERNAL_CAUSES else ())
    assert (folder / TRANSCRIPTS).read_bytes() == (b"" if cause in EXTERNAL_CAUSES else before)
    assert (folder / BROKEN).exists() is (cause in EXTERNAL_CAUSES)


def test_who_cannot_tell_what_counts_sets_nothing_aside(
    tmp_path: Path, header: Run, transcripts: list[Transcript]
) -> None:
    folder = file(tmp_path, header, [broken(one) for one in transcripts])
    with RunWriter(tmp_path, header) as writer:
        assert writer.missing() == () and not (folder / BROKEN).exists()


# Judgements


def a_judgement(transcript: str, sample: int = 0, version: str = "1") -> Judgement:
    return Judgement(transcript, "some judge", version, (Opinion("sentiment", True),), sample=sample)


def test_judgements_are_read_back_and_known_by_judge_version_transcript_and_sample(
    tmp_path: Path, header: Run
) -> None:
    folder = file(tmp_path, header, [])
    given = [a_judgement("a"), a_judgement("a", sample=1), a_judgement("a", version="2"), a_judgement("b")]
    with JudgementWriter(folder) as writer:
        assert writer.on_file == {}
        for one in given:
            writer.add(one)
    assert list(read_judgements(folder)) == given
    with JudgementWriter(folder) as writer:
        assert set(writer.on_file) == {
            ("some judge", "1", "a", 0),
            ("some judge", "1", "a", 1),
            ("some judge", "2", "a", 0),
            ("some judge", "1", "b", 0),
        }


def test_a_torn_judgement_is_cut_off_and_given_again(tmp_path: Path, header: Run) -> None:
    folder = file(tmp_path, header, [])
    with JudgementWriter(folder) as writer:
        writer.add(a_judgement("a"))
        writer.add(a_judgement("b"))
    path = folder / JUDGEMENTS
    whole = path.read_bytes()
    first = whole.index(b"\n") + 1
    for cut in (first + 1, len(whole) - 1):
        path.write_bytes(whole[:cut])
        assert len(list(read_judgements(folder))) == 1
        with JudgementWriter(folder) as writer:
            assert set(writer.on_file) == {("some judge", "1", "a", 0)}
            writer.add(a_judgement("b"))
        assert path.read_bytes() == whole


def test_a_judgement_that_cannot_be_read_is_named_by_its_line(tmp_path: Path, header: Run) -> None:
    folder = file(tmp_path, header, [])
    assert list(read_judgements(folder)) == []
    with JudgementWriter(folder) as writer:
        writer.add(a_judgement("a"))
    with (folder / JUDGEMENTS).open("ab") as lines:
        lines.write(b'{"record":"judgement/9"}\n')
    with pytest.raises(Problem, match=r"judgements\.jsonl:2: cannot be read"):
        list(read_judgements(folder))


def test_nobody_judges_a_run_that_is_being_written(tmp_path: Path, header: Run) -> None:
    with (
        RunWriter(tmp_path, header) as writer,
        pytest.raises(Problem, match="being written by another process"),
        JudgementWriter(writer.folder),
    ):
        pass


def test_a_full_disk_loses_no_judgement_silently(tmp_path: Path, header: Run) -> None:
    folder = file(tmp_path, header, [])
    with (
        Path("/dev/full").open("wb", buffering=0) as full,
        pytest.raises(Problem, match=r"No space left on device.*what is finished stays on file"),
        JudgementWriter(folder) as writer,
    ):
        writer._file = full
        writer.add(a_judgement("a"))


def test_a_header_is_decoded_once_and_never_out_of_date(tmp_path: Path, header: Run) -> None:
    folder = file(tmp_path, header, [])
    first = read_header(folder)
    assert read_header(folder) is first
    path = folder / HEADER
    path.write_bytes(path.read_bytes().replace(b'"run": 1', b'"run": 2'))
    assert (first.run, read_header(folder).run) == (1, 2)
