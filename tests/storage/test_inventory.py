"""What is stored of a run is read once, by whoever resumes it."""

import asyncio
from pathlib import Path

import pytest
from msgspec.structs import replace

from conversations import HEADER, job_on
from filed import FEW, file_run, solved
from supportagentbench.jobs.run import run_job
from supportagentbench.records.problem import Problem
from supportagentbench.records.transcript import Ending, Transcript
from supportagentbench.records.usage import Usage
from supportagentbench.storage.archive import RunWriter, read_header
from supportagentbench.storage.inventory import Inventory
from supportagentbench.storage.transcripts import BROKEN, TRANSCRIPTS, Filed, StoredLine


def priced(case: str, cost: float = 0.25) -> Transcript:
    first, second, *rest = solved(case).turns
    return replace(solved(case), turns=(first, replace(second, usage=(Usage("m", cost=cost),)), *rest))


def broken(case: str) -> Transcript:
    return replace(priced(case), ending=Ending("broke", "provider_error", "503"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return file_run(tmp_path, "agent", 1, [priced(FEW[0]), broken(FEW[1]), priced(FEW[2])])


def nothing_counts(filed: Filed) -> bool:
    return False


def stock(folder: Path) -> Inventory:
    header = read_header(folder) if folder.exists() else HEADER
    inventory = Inventory(folder, header, nothing_counts)
    inventory.read()
    return inventory


def test_it_knows_how_conversations_ended_and_what_they_cost(folder: Path) -> None:
    found = stock(folder)
    assert list(found.endings) == list(FEW[:3]) and found.endings[FEW[1]].cause == "provider_error"
    assert found.cost == pytest.approx(0.75)


def test_what_is_set_aside_is_missing_and_still_paid_for(folder: Path) -> None:
    found = stock(folder)
    found.set_outside_aside()
    assert list(found.endings) == [FEW[0], FEW[2]] and found.cost == pytest.approx(0.75)
    assert len((folder / BROKEN).read_bytes().splitlines()) == 1
    again = stock(folder)
    assert again.endings == found.endings and again.cost == pytest.approx(0.75)


def test_a_run_of_broken_conversations_alone_has_cost_something(tmp_path: Path) -> None:
    found = stock(file_run(tmp_path, "agent", 1, [broken(FEW[0])]))
    found.set_outside_aside()
    assert not found.endings and stock(found.folder).cost == pytest.approx(0.25)


def test_a_run_that_does_not_exist_yet_is_empty(tmp_path: Path) -> None:
    found = stock(tmp_path / "nowhere")
    assert (found.endings, found.cost) == ({}, 0.0)


def test_it_is_read_once_and_stops_if_somebody_wrote(folder: Path, decoded: list[str]) -> None:
    found = stock(folder)
    found.read()
    assert decoded == list(FEW[:3])
    other = Inventory(folder, read_header(folder), nothing_counts)
    with RunWriter(folder.parent, read_header(folder), other) as writer:
        assert writer.finished == {FEW[0], FEW[2]}
    with pytest.raises(Problem, match="was changed by another process while this command ran"):
        found.read()


def test_a_torn_last_line_is_no_reason_to_read_twice(folder: Path, decoded: list[str]) -> None:
    with (folder / TRANSCRIPTS).open("ab") as file:
        file.write(b'{"digest":"')
    found = stock(folder)
    with RunWriter(folder.parent, read_header(folder), found) as writer:
        assert writer.repaired == 11
    assert decoded == list(FEW[:3])


def test_two_conversations_on_one_case_are_refused(folder: Path) -> None:
    line = (folder / TRANSCRIPTS).read_bytes().splitlines(keepends=True)[0]
    with (folder / TRANSCRIPTS).open("ab") as file:
        file.write(line)
    with pytest.raises(Problem, match=rf"transcripts\.jsonl:4: has the conversation {FEW[0]} twice"):
        stock(folder)


def test_a_resumed_job_decodes_every_line_once(tmp_path: Path, decoded: list[str]) -> None:
    job = job_on("damaged_no_proof", ["oracle", "complies"], runs=2, out=tmp_path)
    first = asyncio.run(run_job(job))
    assert not decoded, "what was just written is known"
    again = asyncio.run(run_job(job))
    assert len(decoded) == first.endings.total() == 8
    assert again.endings == first.endings


@pytest.fixture
def decoded(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The cases whose transcript was decoded, in order."""
    found: list[str] = []
    real = StoredLine.decoded

    def noted(line: StoredLine) -> Filed:
        filed = real(line)
        found.append(filed.transcript.case)
        return filed

    monkeypatch.setattr(StoredLine, "decoded", noted)
    return found
