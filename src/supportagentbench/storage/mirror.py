"""Mirror: a folder of runs on this machine whose files go to a bucket while they are written.

    HOME/runs/         the runs, as always
    HOME/sent.json     how much of each file is in the bucket
    HOME.left-1/       an earlier HOME with runs that were not sent

The bucket has numbered batches. A process starts by creating the next one, and stops when it finds the next
one taken: of two processes only the newer one continues, and neither overwrites anything. Files are read in
an order that leaves the copy as a kill would leave the folder.
"""

import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from secrets import token_hex
from threading import Event, Thread
from typing import IO, Any

import msgspec
from msgspec.structs import replace

from supportagentbench.concurrency.shared_process import end_copy
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import Record, from_json, to_json
from supportagentbench.storage.archive import ASIDE, HEADER, lock_folder
from supportagentbench.storage.batch import (
    FILES,
    MOST_PIECES,
    Batch,
    BatchPiece,
    batch_bytes,
    committed,
    is_copied,
    read_batch,
    replay,
)
from supportagentbench.storage.bucket import Bucket, TakenNumber, home_of
from supportagentbench.storage.events import EVENTS
from supportagentbench.storage.file import (
    LARGEST_RECORD,
    NoSuchFile,
    disk_problem,
    make_folder,
    open_reading,
    read_bounded,
    write_whole,
)

RUNS, SENT = "runs", "sent.json"

EVERY = 1.0
"""Seconds from one batch to the next."""

PART, FULL = 4_000_000, 12_000_000
"""Bytes of a piece, and of the pieces of a batch."""

TAIL = 32
"""Bytes by which the end of what was sent is recognised in its file."""

PASSING = FILES[:2]
"""Files of a run that are deleted once it is complete."""


class SentFile(Record):
    """How much of a file is in the bucket."""

    size: int
    inode: int = 0
    tail: str = ""


class SentFiles(Record, tag_field="record", tag="sent/1"):
    """The content of the bucket, as far as this machine knows."""

    session: str
    """The process that wrote this."""
    next: int = 0
    """The number of the next batch."""
    files: dict[str, SentFile] = {}


Change = tuple[BatchPiece, bytes, SentFile]
"""A piece, its bytes, and how much of its file is sent then."""


class Mirror:
    """The copy of a folder of runs in a bucket, kept up by a thread until `finish`."""

    def __init__(self, bucket: Bucket, home: Path, say: Callable[[str], None], every: float = EVERY) -> None:
        self.problem: Problem | None = None
        """Why nothing more is sent."""
        self._bucket, self._home, self._every = bucket, home, every
        self._owner = os.getpid()
        self._sent = brought(bucket, home, say)
        self._note(session=token_hex(8))  # Before the claim, which a kill may follow.
        self._ended = Event()
        self._claim()
        self._thread = Thread(target=self._work, daemon=True)
        self._thread.start()

    def finish(self) -> str:
        """Send the rest; why that is not possible, in a sentence or two, or nothing."""
        self._ended.set()
        self._thread.join()
        if not self.problem:
            self._try()
        folder = self._home / RUNS
        if isinstance(self.problem, TakenNumber):
            return (
                f"{self._bucket.url}: another `sab run` goes on with these runs, so this one stopped; "
                f"what only this one has is in {folder}."
            )
        rest = f"What is finished is in {folder}, and the same command sends it."
        return f"{self.problem} {rest}" if self.problem else ""

    def send(self) -> None:
        """Send what was written since the last time, as one change."""
        end_copy(self._owner)
        files, some = dict(self._sent.files), list[Change]()
        for change in _changes(self._home / RUNS, self._sent.files):
            if len(some) == MOST_PIECES or sum(piece.size for piece, _, _ in (*some, change)) > FULL:
                self._create(some, more=True)
                some = []
            some.append(change)
            files[change[0].file] = change[2]
        if some:
            self._create(some)
            self._note(files=files)

    def _claim(self) -> None:
        """Take the next number, so that an older process notices."""
        self._bucket.claim(self._sent.next, batch_bytes(Batch(self._sent.session), ()))
        self._note(next=self._sent.next + 1)

    def _create(self, changes: Sequence[Change], *, more: bool = False) -> None:
        batch = Batch(self._sent.session, more, tuple(piece for piece, _, _ in changes))
        self._bucket.create(self._sent.next, batch_bytes(batch, [data for _, data, _ in changes]))
        self._sent = replace(self._sent, next=self._sent.next + 1)

    def _note(self, **changed: Any) -> None:
        self._sent = replace(self._sent, **changed)
        write_whole(self._home / SENT, to_json(self._sent), is_lasting=False)

    def _work(self) -> None:
        while not self.problem and not self._ended.wait(self._every):
            self._try()

    def _try(self) -> None:
        try:
            self.send()
        except Problem as problem:
            self.problem = problem
        except Exception as error:  # Nothing is sent any more, and nobody else would say so.
            self.problem = Problem(f"cannot be written ({type(error).__name__}).", place=self._bucket.url)


def folder_for(url: str) -> Path:
    """The folder on this machine for the runs of a place in a bucket."""
    return home_of(url) / RUNS


@contextmanager
def mirrored(url: str, folder: Path, say: Callable[[str], None]) -> Iterator[Mirror | None]:
    """Send the files of this folder to a bucket meanwhile; without a URL, to none."""
    if not url:
        yield None
        return
    home = home_of(url)
    if folder != home / RUNS:
        raise Problem(f"a job with a bucket has its runs in {home / RUNS}.", place=folder)
    with _locked(home):
        mirror = Mirror(Bucket(url), home, say)
        try:
            yield mirror
        finally:
            mirror.finish()


def bring(url: str, say: Callable[[str], None]) -> None:
    """Make the folder on this machine agree with the bucket, or be ahead of it; nothing is sent."""
    home = home_of(url)
    with _locked(home):
        brought(Bucket(url), home, say)


def brought(bucket: Bucket, home: Path, say: Callable[[str], None]) -> SentFiles:
    """The same; returns how much of each file is in the bucket."""
    sent = _read_sent(home)
    if sent and (found := _ahead(bucket, home, sent)):
        return found
    new = home.with_name(f"{home.name}.new")
    shutil.rmtree(new, ignore_errors=True)
    numbers = bucket.numbers()
    with bucket.fetched(numbers) as paths:
        replay(paths, bucket.url, new / RUNS)
    files = {piece.file: after for piece, _, after in _changes(new / RUNS, {})}
    found = SentFiles(token_hex(8), numbers.stop, files)
    write_whole(new / SENT, to_json(found), is_lasting=False)
    try:
        _clear(home, sent, say)
        new.rename(home)
    except OSError as error:
        raise disk_problem(home, error) from None
    return found


def _ahead(bucket: Bucket, home: Path, sent: SentFiles) -> SentFiles | None:
    """The same, if this machine was the last to write there and still has all of it."""
    folder = home / RUNS
    if any(_is_lost(folder, name, one) for name, one in sent.files.items()):
        return None
    numbers = bucket.numbers(max(0, sent.next - 1))
    if sent.next and not numbers:
        raise Problem(
            f"no longer has what this machine wrote; choose another URL, or delete {home} to start over.",
            place=bucket.url,
        )
    newer = numbers[1:] if sent.next else numbers
    with bucket.fetched(newer) as paths:
        if any(read_batch(path, bucket.url)[0].session != sent.session for path in paths):
            return None
        files = dict(sent.files)
        for _, batch in committed(paths, bucket.url):  # A kill came between the batch and the note of it.
            files |= {piece.file: SentFile(piece.at + piece.size) for piece in batch.pieces}
    return replace(sent, next=numbers.stop, files=files)


def _clear(home: Path, sent: SentFiles | None, say: Callable[[str], None]) -> None:
    """Make room for the runs in the bucket; runs that were not sent are kept."""
    if not home.exists():
        return
    known = sent.files if sent else {}
    if not any(piece.file != EVENTS for piece, _, _ in _changes(home / RUNS, known)):
        shutil.rmtree(home)
        return
    places = (home.with_name(f"{home.name}.left-{number}") for number in count(1))
    left = next(place for place in places if not place.exists())
    home.rename(left)
    say(f"{left / RUNS} has what was not sent before another process went on; `sab board` reads it.")


def _is_lost(folder: Path, name: str, sent: SentFile) -> bool:
    return bool(sent.size) and not (folder / name).exists() and not _may_go(folder, name)


def _may_go(folder: Path, name: str) -> bool:
    """Whether a file that is gone was deleted or moved by the run itself."""
    run, _, file = name.rpartition("/")
    return file in PASSING or any(folder.glob(f"{ASIDE}/{run}.*/{HEADER}"))


def _changes(folder: Path, sent: dict[str, SentFile]) -> Iterator[Change]:
    """The parts of files that are not in the bucket, read one by one; runs that were moved come last."""
    yield from _changes_of(folder, EVENTS, sent.get(EVENTS))
    there = [path.name for path in _folders(folder)] + [
        f"{ASIDE}/{path.name}" for path in _folders(folder / ASIDE)
    ]
    runs = {*there, *(name.rpartition("/")[0] for name in sent)}
    for run in sorted(runs, key=lambda run: (run.startswith(f"{ASIDE}/"), run)):
        for file in (*FILES, *(f"{one}.damaged" for one in FILES)):
            if is_copied(name := f"{run}/{file}"):
                yield from _changes_of(folder, name, sent.get(name))


def _folders(folder: Path) -> list[Path]:
    return [path for path in folder.iterdir() if path.is_dir()] if folder.is_dir() else []


def _changes_of(folder: Path, name: str, sent: SentFile | None) -> Iterator[Change]:
    known = sent or SentFile(0)
    try:
        with open_reading(folder / name) as file:
            opened = os.fstat(file.fileno())
            inode = opened.st_ino
            at = known.size if _goes_on(file, opened, known) else 0
            file.seek(at)
            for data in _parts(file, opened.st_size - at, is_record=name.endswith(HEADER)):
                yield (
                    BatchPiece(name, at, len(data)),
                    data,
                    SentFile(at + len(data), inode, data[-TAIL:].hex()),
                )
                at += len(data)
            if known.size and not at:
                yield BatchPiece(name, 0, 0), b"", SentFile(0, inode)
    except (FileNotFoundError, NoSuchFile):
        if known.size and _may_go(folder, name):
            yield BatchPiece(name, 0, 0), b"", SentFile(0)


def _goes_on(file: IO[bytes], opened: os.stat_result, known: SentFile) -> bool:
    """Whether a file still begins with what was sent, and was not replaced.

    A file system gives the number of a replaced file to the next one, so the number alone tells nothing.
    """
    tail = bytes.fromhex(known.tail)
    file.seek(max(0, known.size - len(tail)))
    is_same = opened.st_ino == known.inode and opened.st_size >= known.size
    return is_same and file.read(len(tail)) == tail


def _parts(file: IO[bytes], size: int, *, is_record: bool) -> Iterator[bytes]:
    """The next bytes of a file; of lines only whole ones, because a kill can tear the last one."""
    while size > 0 and (data := file.read(min(PART, size))):
        size -= len(data)
        if size <= 0 and not is_record:
            data = data[: data.rfind(b"\n") + 1]
        if data:
            yield data


def _read_sent(home: Path) -> SentFiles | None:
    try:
        return from_json(read_bounded(home / SENT, LARGEST_RECORD), SentFiles)
    except (NoSuchFile, msgspec.MsgspecError):
        return None


@contextmanager
def _locked(home: Path) -> Iterator[None]:
    """Keep every other process of this machine away."""
    place = home.with_name(f"{home.name}.lock")
    make_folder(place)
    with lock_folder(place):
        yield
