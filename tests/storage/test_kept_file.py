"""What anyone does to a file of an open run is noticed, and the run says so from then on."""

import os
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec import structs

from conversations import WORLD, Hold
from supportagentbench.calibration.oracle import Oracle
from supportagentbench.customer.voice import ScriptedVoice
from supportagentbench.records.problem import Problem
from supportagentbench.records.run import Run
from supportagentbench.records.transcript import Transcript
from supportagentbench.runner.run import header_of
from supportagentbench.storage.archive import HEADER, RunWriter, read_header
from supportagentbench.storage.file import LONGEST_LINE
from supportagentbench.storage.inventory import Inventory
from supportagentbench.storage.kept_file import CHANGED, KeptFile
from supportagentbench.storage.transcripts import BROKEN, TRANSCRIPTS, read_transcripts
from supportagentbench.world.drawn_cases import DrawnCases

Tamper = Callable[[Path], object]


def rewrite(folder: Path) -> None:
    """In place, with as many bytes as before."""
    path = folder / TRANSCRIPTS
    before, data = path.stat(), path.read_bytes()
    path.write_bytes(data.replace(b"customer_left", b"customer_lost"))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def replace(folder: Path) -> None:
    other = folder / "other"
    other.write_bytes((folder / TRANSCRIPTS).read_bytes().replace(b"customer_left", b"customer_lost"))
    other.replace(folder / TRANSCRIPTS)


def truncate(folder: Path) -> None:
    os.truncate(folder / TRANSCRIPTS, 10)


def empty(folder: Path) -> None:
    os.truncate(folder / TRANSCRIPTS, 0)


def delete(folder: Path) -> None:
    (folder / TRANSCRIPTS).unlink()


def take_a_line_out(folder: Path) -> None:
    path = folder / TRANSCRIPTS
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[1:]))


def add_a_line(folder: Path) -> None:
    with (folder / TRANSCRIPTS).open("ab") as file:
        file.write(b"{}\n")


def link(folder: Path) -> None:
    (folder / TRANSCRIPTS).rename(folder.parent / "elsewhere")
    (folder / TRANSCRIPTS).symlink_to(folder.parent / "elsewhere")


def pipe(folder: Path) -> None:
    (folder / TRANSCRIPTS).unlink()
    os.mkfifo(folder / TRANSCRIPTS)


def forge_header(folder: Path) -> None:
    text = (folder / HEADER).read_text()
    assert '"isolation": "process"' in text
    (folder / HEADER).write_text(text.replace('"isolation": "process"', '"isolation": ""'))


TO_TRANSCRIPTS = [rewrite, replace, truncate, empty, delete, take_a_line_out, add_a_line, link, pipe]


@pytest.fixture
def header(cases: DrawnCases) -> Run:
    header = header_of(cases, "cancel_before_ship", "oracle", ScriptedVoice(), 1, 0)
    return structs.replace(header, isolation="process")


@pytest.fixture
def transcripts(header: Run, hold: Hold) -> list[Transcript]:
    return [hold(case, Oracle(WORLD, 0)) for case in header.cases]


def add(writer: RunWriter, transcript: Transcript) -> None:
    writer.add(transcript, started=0.0, seconds=0.0)


def refused(folder: Path) -> None:
    """Every reader stops at the run, and so does whoever wants to go on with it."""
    assert (folder / CHANGED).read_text().count("by another process while this command ran.\n") == 1
    with pytest.raises(Problem, match=r"was changed by another process.*start over with --fresh"):
        read_header(folder)


@pytest.mark.parametrize("tamper", [*TO_TRANSCRIPTS, forge_header], ids=lambda one: one.__name__)
def test_a_change_is_noticed_when_the_run_is_closed(
    tmp_path: Path, header: Run, transcripts: list[Transcript], tamper: Tamper
) -> None:
    with pytest.raises(Problem, match="by another process"), RunWriter(tmp_path, header) as writer:
        for transcript in transcripts:
            add(writer, transcript)
        tamper(writer.folder)
    refused(tmp_path / "oracle-1")
    with (
        pytest.raises(Problem, match=r"start over with --fresh|is a link|neither a file"),
        RunWriter(tmp_path, header),
    ):
        pass


@pytest.mark.parametrize("tamper", TO_TRANSCRIPTS, ids=lambda one: one.__name__)
def test_a_change_is_noticed_before_the_next_conversation_is_added(
    tmp_path: Path, header: Run, transcripts: list[Transcript], tamper: Tamper
) -> None:
    with pytest.raises(Problem, match="by another process"), RunWriter(tmp_path, header) as writer:
        add(writer, transcripts[0])
        tamper(writer.folder)
        with pytest.raises(Problem, match="by another process") as caught:
            add(writer, transcripts[1])
        raise caught.value
    refused(tmp_path / "oracle-1")


@pytest.mark.parametrize("tamper", [rewrite, take_a_line_out, delete], ids=lambda one: one.__name__)
def test_so_is_a_change_of_lines_that_were_there_before(
    tmp_path: Path, header: Run, transcripts: list[Transcript], tamper: Tamper
) -> None:
    with RunWriter(tmp_path, header) as writer:
        add(writer, transcripts[0])
    with pytest.raises(Problem, match="by another process"), RunWriter(tmp_path, header) as writer:
        tamper(writer.folder)


@pytest.mark.parametrize("tamper", [rewrite, take_a_line_out, add_a_line], ids=lambda one: one.__name__)
def test_and_of_lines_that_were_read_before_the_run_was_opened(
    tmp_path: Path, header: Run, transcripts: list[Transcript], tamper: Tamper
) -> None:
    with RunWriter(tmp_path, header) as writer:
        add(writer, transcripts[0])
    inventory = Inventory(writer.folder, header)
    inventory.read()
    tamper(writer.folder)
    with (
        pytest.raises(Problem, match="by another process while this command ran"),
        RunWriter(tmp_path, header, inventory),
    ):
        pass


def test_a_change_after_the_run_was_closed_is_noticed_by_its_inventory(
    tmp_path: Path, header: Run, transcripts: list[Transcript]
) -> None:
    with RunWriter(tmp_path, header) as writer:
        add(writer, transcripts[0])
    writer.inventory.check()
    rewrite(writer.folder)
    with pytest.raises(Problem, match=r"transcripts\.jsonl:1: was changed"):
        writer.inventory.check()
    refused(writer.folder)


def test_touching_changes_nothing(tmp_path: Path, header: Run, transcripts: list[Transcript]) -> None:
    with RunWriter(tmp_path, header) as writer:
        add(writer, transcripts[0])
        os.utime(writer.folder / TRANSCRIPTS)
        (writer.folder / HEADER).chmod(0o600)
        add(writer, transcripts[1])
    assert len(list(read_transcripts(writer.folder))) == 2


def test_a_large_file_in_its_place_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "lines.jsonl"
    path.write_bytes(b"{}\n")
    kept = KeptFile(path)
    kept.take()
    os.truncate(path, 2**40)
    with pytest.raises(Problem, match="got 1,099,511,627,773 more bytes"):
        kept.check()


@pytest.mark.parametrize("name", [TRANSCRIPTS, BROKEN])
def test_a_line_without_end_is_not_held_in_memory(tmp_path: Path, header: Run, name: str) -> None:
    with RunWriter(tmp_path, header) as writer:
        folder = writer.folder
    (folder / name).touch()
    os.truncate(folder / name, 3 * LONGEST_LINE)
    tracemalloc.start()
    try:
        with pytest.raises(Problem, match=rf"{name}:1: is longer than 16,000,000 bytes"):
            KeptFile(folder / name).take()
        with pytest.raises(Problem, match=rf"{name}:1: is longer than 16,000,000 bytes"):
            Inventory(folder, header).read()
        assert tracemalloc.get_traced_memory()[1] < 2.5 * LONGEST_LINE
    finally:
        tracemalloc.stop()
