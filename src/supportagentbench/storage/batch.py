"""Batch: what was added to the files of a folder of runs since the batch before, as one object of a bucket.

    batches/00000000     created once and never replaced
    batches/00000001

A batch is a line of JSON with its pieces, and then their bytes. A piece goes to the end of its file, or
replaces the file if it begins with its first byte; a piece without bytes deletes it. Batches that
belong together count once the last of them is there, so that no reader finds a part of a change. Strangers
may have written to the bucket: a batch is checked before any byte of it is believed, and the content of the
files is checked when they are read, as always.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import msgspec

from supportagentbench.records.problem import Problem
from supportagentbench.records.record import Record, from_json, to_json
from supportagentbench.storage.archive import ASIDE, ERRORS, HEADER, JUDGEMENTS
from supportagentbench.storage.events import EVENTS
from supportagentbench.storage.file import (
    LARGEST_WRITTEN,
    disk_problem,
    make_folder,
    open_append,
    read_bounded,
)
from supportagentbench.storage.in_flight import IN_FLIGHT
from supportagentbench.storage.kept_file import CHANGED
from supportagentbench.storage.place import inside
from supportagentbench.storage.transcripts import BROKEN, TRANSCRIPTS

BATCHES = "batches"
"""The folder below the URL with all batches."""

MOST_BATCHES = 1_000_000
"""In one place: eleven days with one every second."""

LARGEST_BATCH = 16_000_000
"""Bytes of one batch, with its line of pieces."""

MOST_PIECES = 2_000
"""Pieces of one batch."""

FILES = ("answers.jsonl", IN_FLIGHT, TRANSCRIPTS, BROKEN, ERRORS, JUDGEMENTS, HEADER, CHANGED)
"""The files of a run. A file that depends on another one comes before it: a copy made in this order never has
a note that a conversation is stored without the conversation."""

_FOLDER = rf"(?:{ASIDE}/)?(?!\.{{1,2}}/)[A-Za-z0-9._-]{{1,160}}"
_FILE = re.compile(rf"{re.escape(EVENTS)}|{_FOLDER}/(?:{'|'.join(map(re.escape, FILES))})(?:\.damaged)?")

Size = Annotated[int, msgspec.Meta(ge=0, le=1 << 50)]


class BatchPiece(Record):
    """Some bytes of one file."""

    file: str
    at: Size
    """Where they begin. 0: the file is new, or replaced."""
    size: Size


class Batch(Record, tag_field="record", tag="batch/1"):
    """The first line of a batch."""

    session: Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{16}\Z")]
    """The process that wrote it."""
    more: bool = False
    """Whether the next batch belongs to the same change."""
    pieces: Annotated[tuple[BatchPiece, ...], msgspec.Meta(max_length=MOST_PIECES)] = ()


def name_of(number: int) -> str:
    """The name of a batch."""
    return f"{number:08}"


def is_copied(file: str) -> bool:
    """Whether a file of a folder of runs is part of batches, by its name in the folder."""
    return _FILE.fullmatch(file) is not None


def batch_bytes(batch: Batch, parts: Sequence[bytes]) -> bytes:
    """A batch as it is stored."""
    return b"".join((to_json(batch), b"\n", *parts))


def read_batch(path: Path, url: str) -> tuple[Batch, memoryview]:
    """A batch that was fetched, and the bytes of its pieces; `url`: where it is from."""
    head, _, body = read_bounded(path, LARGEST_BATCH).partition(b"\n")
    try:
        if len(head) > LARGEST_WRITTEN:
            raise msgspec.DecodeError("its first line is too long")
        batch = from_json(head, Batch)
        if sum(piece.size for piece in batch.pieces) != len(body):
            raise msgspec.DecodeError("its pieces are not as long as it says")
        if any(not is_copied(piece.file) for piece in batch.pieces):
            raise msgspec.DecodeError("it has a file that is none of a run")
    except msgspec.MsgspecError as error:
        raise _broken(path, url, str(error)) from None
    return batch, memoryview(body)


def committed(paths: Sequence[Path], url: str) -> Iterator[tuple[Path, Batch]]:
    """The batches that count; a change that its writer did not finish does not."""
    open_change: list[tuple[Path, Batch]] = []
    for path in paths:
        batch, _ = read_batch(path, url)
        if open_change and open_change[-1][1].session != batch.session:
            open_change.clear()
        open_change.append((path, batch))
        if not batch.more:
            yield from open_change
            open_change.clear()


def replay(paths: Sequence[Path], url: str, folder: Path) -> None:
    """Write the files of all batches, in their order, to a folder in which there is nothing yet."""
    make_folder(folder)
    for path, _ in committed(paths, url):
        batch, body = read_batch(path, url)
        for piece in batch.pieces:
            try:
                _write(inside(folder, piece.file), piece.at, body[: piece.size])
            except _Gap:
                raise _broken(
                    path, url, f"its piece of {piece.file} begins elsewhere than the file ends"
                ) from None
            body = body[piece.size :]


class _Gap(Exception):
    """A piece that does not begin where its file ends."""


def _write(path: Path, at: int, data: memoryview) -> None:
    try:
        if at == 0:
            path.unlink(missing_ok=True)
        if not data:
            return
        make_folder(path.parent)
        with open_append(path) as file:
            if file.seek(0, 2) != at:
                raise _Gap
            while data:  # A disk that fills up takes a part of the last write without an error.
                data = data[file.write(data) :]
    except OSError as error:
        raise disk_problem(path, error) from None


def _broken(path: Path, url: str, why: str) -> Problem:
    return Problem(
        f"cannot be read as a part of runs ({why}); restore it from a copy, or choose another place.",
        place=f"{url}/{BATCHES}/{path.name}",
    )
