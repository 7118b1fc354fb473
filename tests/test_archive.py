"""The archive loses nothing that was finished, and says so when a file is not what it should be."""

from pathlib import Path

import pytest

from conversations import Hold
from supportagentbench.agents.oracle import Oracle
from supportagentbench.archive import TRANSCRIPTS, RunWriter, find_runs, read_transcripts
from supportagentbench.problem import Problem
from supportagentbench.talk.run import header_of
from supportagentbench.talk.voice import ScriptedVoice
from supportagentbench.transcript import Run, Transcript
from supportagentbench.world.generate import CaseSet


@pytest.fixture
def header(cases: CaseSet) -> Run:
    return header_of(cases, "cancel_before_ship", "oracle", ScriptedVoice(), 1, 0)


@pytest.fixture
def transcripts(header: Run, hold: Hold) -> list[Transcript]:
    return [hold(case, Oracle(0)) for case in header.cases]


def file(root: Path, header: Run, transcripts: list[Transcript]) -> Path:
    with RunWriter(root, header) as writer:
        for transcript in transcripts:
            writer.add(transcript, started=0.0, seconds=0.0)
    return root / "oracle-1"


def test_what_was_filed_is_read_back(tmp_path: Path, header: Run, transcripts: list[Transcript]) -> None:
    folder = file(tmp_path, header, transcripts)
    assert [filed.transcript for filed in read_transcripts(folder)] == transcripts


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


def test_a_run_made_otherwise_is_not_continued(tmp_path: Path, header: Run, cases: CaseSet) -> None:
    file(tmp_path, header, [])
    other = header_of(cases, "cancel_before_ship", "oracle", ScriptedVoice(), 1, 7)
    with pytest.raises(Problem, match="made with another seed"), RunWriter(tmp_path, other):
        pass


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
    with (
        Path("/dev/full").open("wb", buffering=0) as full,
        pytest.raises(Problem, match=r"No space left on device.*what is finished stays on file"),
        RunWriter(tmp_path, header) as writer,
    ):
        writer._file = full
        writer.add(transcripts[0], started=0.0, seconds=0.0)


def test_a_folder_without_runs_is_named(tmp_path: Path) -> None:
    with pytest.raises(Problem, match="holds no runs yet"):
        find_runs([tmp_path])
    with pytest.raises(Problem, match="no such folder"):
        find_runs([tmp_path / "nowhere"])
