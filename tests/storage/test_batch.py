"""Batches: what a bucket may hold, and nothing of what anyone else could put there."""

from pathlib import Path

import pytest

from supportagentbench.records.problem import Problem
from supportagentbench.storage import batch as batches
from supportagentbench.storage.batch import Batch, BatchPiece, batch_bytes, committed, is_copied, replay

URL = "s3://here/p"
ONE, TWO = "1" * 16, "2" * 16


def stored(folder: Path, *written: bytes) -> list[Path]:
    """These batches as files."""
    folder.mkdir()
    paths = [folder / batches.name_of(number) for number in range(len(written))]
    for path, data in zip(paths, written, strict=True):
        path.write_bytes(data)
    return paths


def piece(file: str, at: int, data: bytes, session: str = ONE, more: bool = False) -> bytes:
    """A batch with one piece."""
    return batch_bytes(Batch(session, more, (BatchPiece(file, at, len(data)),)), [data])


def test_pieces_go_to_the_end_of_their_file_and_replace_it_at_its_beginning(tmp_path: Path) -> None:
    lines, header = "oracle-1/transcripts.jsonl", "oracle-1/run.json"
    paths = stored(
        tmp_path / "fetched",
        piece(lines, 0, b"old\n"),
        batch_bytes(
            Batch(ONE, pieces=(BatchPiece(lines, 0, 2), BatchPiece(header, 0, 2), BatchPiece(lines, 2, 2))),
            [b"a\n", b"{}", b"b\n"],
        ),
        piece("oracle-1/in_flight.jsonl", 0, b"x\n"),
        piece("oracle-1/in_flight.jsonl", 0, b""),
    )
    replay(paths, URL, tmp_path / "runs")
    assert {path.name: path.read_bytes() for path in (tmp_path / "runs/oracle-1").iterdir()} == {
        "transcripts.jsonl": b"a\nb\n",
        "run.json": b"{}",
    }


def test_a_change_whose_end_is_missing_does_not_count(tmp_path: Path) -> None:
    name = "oracle-1/transcripts.jsonl"
    paths = stored(
        tmp_path / "fetched",
        piece(name, 0, b"a\n"),
        piece(name, 2, b"lost\n", more=True),
        piece(name, 2, b"b\n", TWO, more=True),
        piece(name, 4, b"c\n", TWO),
        piece(name, 6, b"lost\n", TWO, more=True),
    )
    assert [path.name for path, _ in committed(paths, URL)] == ["00000000", "00000002", "00000003"]
    replay(paths, URL, tmp_path / "runs")
    assert (tmp_path / "runs" / name).read_bytes() == b"a\nb\nc\n"


@pytest.mark.parametrize(
    "name",
    [
        "../x/run.json",
        "/etc/run.json",
        "../run.json",
        "./run.json",
        "a/../run.json",
        "aside/../run.json",
        "a/b/run.json",
        "aside/aside/x/run.json",
        "oracle-1/lock",
        "oracle-1/run.json\n",
        "oracle-1/agent.py",
        "oracle-1//run.json",
        "a\0b/run.json",
        "run.json",
        f"{'x' * 161}/run.json",
        "live/x.jsonl",
        "",
    ],
)
def test_a_name_that_is_none_of_a_run_is_refused(name: str, tmp_path: Path) -> None:
    assert not is_copied(name)
    paths = stored(tmp_path / "fetched", piece(name, 0, b"x"))
    with pytest.raises(Problem, match="a file that is none of a run") as problem:
        replay(paths, URL, tmp_path / "runs")
    assert problem.value.place == "s3://here/p/batches/00000000"
    assert not any((tmp_path / "runs").rglob("*"))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n",
        b"{}\n",
        b"\xff\n",
        b"[" * 100_000,
        batch_bytes(Batch("../../../../../x"), []),
        batch_bytes(Batch(ONE, pieces=(BatchPiece("a-1/run.json", -1, 1),)), [b"x"]),
        batch_bytes(Batch(ONE, pieces=(BatchPiece("a-1/run.json", 0, 2),)), [b"x"]),
        batch_bytes(Batch(ONE, pieces=(BatchPiece("a-1/run.json", 0, 1),)), [b"xy"]),
        batch_bytes(Batch(ONE, pieces=(BatchPiece("a-1/run.json", 5, 1),)), [b"x"]),
        batch_bytes(Batch(ONE, pieces=(BatchPiece("a-1/run.json", 0, 0),) * 2_001), []),
        batch_bytes(Batch(ONE, pieces=(BatchPiece("a" * 1_000_000 + "/run.json", 0, 0),)), []),
    ],
)
def test_what_is_no_batch_is_refused_in_one_sentence(data: bytes, tmp_path: Path) -> None:
    with pytest.raises(Problem, match=r"cannot be read as a part of runs \(.{4,200}\); restore it"):
        replay(stored(tmp_path / "fetched", data), URL, tmp_path / "runs")


def test_a_batch_is_not_read_beyond_its_largest_size(tmp_path: Path) -> None:
    paths = stored(tmp_path / "fetched", b"x" * (batches.LARGEST_BATCH + 1))
    with pytest.raises(Problem, match="more than 16,000,000 bytes"):
        replay(paths, URL, tmp_path / "runs")
