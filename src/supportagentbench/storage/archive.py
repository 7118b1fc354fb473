"""Archive: records on disk. A folder a run, a JSON line a conversation; it knows what is missing.

    runs/oracle-1/run.json            the header
    runs/oracle-1/transcripts.jsonl   one conversation a line, append-only: the truth
    runs/oracle-1/broken.jsonl        conversations that a provider broke off, and that were held again
    runs/oracle-1/judgements.jsonl    what judges hold of them, one opinion after the other, append-only
    runs/oracle-1/receipts.jsonl      answers in conversations that are not on file yet (model/receipt.py)

Killing the process at any moment loses no finished conversation; a torn last line is cut off when the run is
opened again.
"""

import fcntl
import os
import re
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, nullcontext, suppress
from pathlib import Path
from types import TracebackType
from typing import IO, NamedTuple

import msgspec

from supportagentbench.records.judgement import Judgement
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import Record, digest, from_json, to_json
from supportagentbench.records.run import Run
from supportagentbench.records.transcript import EXTERNAL_CAUSES, Transcript
from supportagentbench.storage.jsonl import add_line, cut_torn_line, disk_problem, read_lines, whole_lines

HEADER, TRANSCRIPTS = "run.json", "transcripts.jsonl"
BROKEN, JUDGEMENTS = "broken.jsonl", "judgements.jsonl"


_VERSION = re.compile(r"[\w.+-]{1,32}")


class ArchiveLine(Record):
    """One line of `transcripts.jsonl`: the transcript, its digest, and what the clock said."""

    digest: str
    """Of the transcript alone, so clock readings do not touch it."""
    started: float
    seconds: float
    transcript: msgspec.Raw


class Filed(NamedTuple):
    """A transcript as it was read back."""

    transcript: Transcript
    digest: str
    started: float
    seconds: float


def folder_name(run: Run) -> str:
    """Where a run lies below the archive's root: `oracle-1`, `my_shop.agents_Agent-2`."""
    return folder_of(run.agent, run.run)


def folder_of(agent: str, run: int) -> str:
    """The same, from the agent's name and the number of its run."""
    return f"{safe_name(agent)}-{run}"


def safe_name(words: str) -> str:
    """The words as far as every file system takes them for a name."""
    return re.sub(r"[^A-Za-z0-9._-]+", "_", words)


class RunWriter:
    """An open run: the one process that may add conversations to it."""

    def __init__(self, root: Path, header: Run) -> None:
        self.folder = root / folder_name(header)
        self.header = header
        self.repaired = 0
        """Bytes of a torn last line that were cut off on opening."""
        self.finished: set[str] = set()
        """Cases whose conversation is already on file."""

    def __enter__(self) -> "RunWriter":
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with ExitStack() as opened:
                opened.enter_context(_lock(self.folder))
                self._write_header()
                with (self.folder / TRANSCRIPTS).open("ab+", buffering=0) as file:
                    self.repaired = cut_torn_line(file)
                self.finished = _set_aside_broken(self.folder)
                self._file = opened.enter_context((self.folder / TRANSCRIPTS).open("ab", buffering=0))
                self._opened = opened.pop_all()
        except OSError as error:
            raise disk_problem(self.folder, error) from None
        self._synced = time.monotonic()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with self._opened, suppress(Problem) if error else nullcontext():
            self._sync()

    def missing(self) -> tuple[str, ...]:
        """Planned conversations that are not on file yet."""
        return tuple(case for case in self.header.cases if case not in self.finished)

    def add(self, transcript: Transcript, *, started: float, seconds: float) -> Filed:
        """Put one finished conversation on file; it is safe when this returns."""
        body = to_json(transcript)
        filed = Filed(transcript, digest(body), started, seconds)
        line = to_json(ArchiveLine(filed.digest, started, seconds, msgspec.Raw(body))) + b"\n"
        add_line(self._file, line, self.folder)
        if time.monotonic() - self._synced > 1:
            self._sync()
        self.finished.add(transcript.case)
        return filed

    def _sync(self) -> None:
        try:
            os.fsync(self._file.fileno())
        except OSError as error:
            raise disk_problem(self.folder, error) from None
        self._synced = time.monotonic()

    def _write_header(self) -> None:
        path = self.folder / HEADER
        if not path.exists():
            draft = path.with_suffix(".draft")
            draft.write_bytes(msgspec.json.format(to_json(self.header)))
            draft.replace(path)
            return
        found = read_header(self.folder)
        if found != self.header:
            changed = [
                name
                for name in self.header.__struct_fields__
                if getattr(found, name) != getattr(self.header, name)
            ]
            raise Problem(
                f"holds a run made with another {' and '.join(changed)}; "
                "choose another folder with --out, or move this one away.",
                place=self.folder,
            )


def read_header(folder: Path) -> Run:
    """The header of the run in this folder."""
    path = folder / HEADER
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise Problem("is not a run; it has no run.json.", place=folder) from None
    try:
        return from_json(data, Run)
    except msgspec.MsgspecError as error:
        if version := _other_version(data):
            raise Problem(
                f"was written by version {version}; run it again with the same command, "
                f"or read it with version {version}.",
                place=folder,
            ) from None
        raise Problem(f"cannot be read: {error}.", place=path) from None


class _AnyHeader(msgspec.Struct):
    """What the header of a run has in every version."""

    record: str
    package: str


def _other_version(data: bytes) -> str:
    """The version that wrote this header, if it is a header of another version than ours."""
    try:
        found = msgspec.json.decode(data, type=_AnyHeader)
    except msgspec.MsgspecError:
        return ""
    is_other = found.record.startswith("run/") and found.record != Run.__struct_config__.tag
    return found.package if is_other and _VERSION.fullmatch(found.package) else ""


def read_transcripts(folder: Path) -> Iterator[Filed]:
    """Every conversation on file, in the order they finished; a torn last line is passed over."""
    seen: set[str] = set()
    for number, filed in enumerate(_filed_in(folder / TRANSCRIPTS), start=1):
        if filed.transcript.case in seen:
            raise Problem(
                f"has the conversation {filed.transcript.case} twice; delete one of the lines.",
                place=folder / TRANSCRIPTS,
                line=number,
            )
        seen.add(filed.transcript.case)
        yield filed


def paid(folder: Path) -> float:
    """Dollars that the conversations in this folder have cost so far, the broken ones included."""
    return sum(
        usage.cost or 0.0
        for name in (TRANSCRIPTS, BROKEN)
        for filed in _filed_in(folder / name)
        for turn in filed.transcript.turns
        for usage in turn.usage
    )


def _filed_in(path: Path) -> Iterator[Filed]:
    for number, line in whole_lines(path):
        yield _read_line(path, number, line)


def _set_aside_broken(folder: Path) -> set[str]:
    """Move what broke off for no fault of the agent's out of the way; the cases that are finished."""
    kept: set[str] = set()
    broken: set[str] = set()
    for filed in read_transcripts(folder):
        outside = filed.transcript.ending.cause in EXTERNAL_CAUSES
        (broken if outside else kept).add(filed.digest if outside else filed.transcript.case)
    if broken:
        lines = (folder / TRANSCRIPTS).read_bytes().splitlines(keepends=True)
        aside = [line for line in lines if from_json(line, ArchiveLine).digest in broken]
        with (folder / BROKEN).open("ab") as file:
            file.writelines(aside)
            os.fsync(file.fileno())
        draft = folder / f"{TRANSCRIPTS}.draft"
        draft.write_bytes(b"".join(line for line in lines if line not in aside))
        draft.replace(folder / TRANSCRIPTS)
    return kept


def _read_line(path: Path, number: int, line: bytes) -> Filed:
    try:
        found = from_json(line, ArchiveLine)
        transcript = from_json(bytes(found.transcript), Transcript)
    except msgspec.MsgspecError as error:
        raise Problem(f"cannot be read: {error}.", place=path, line=number) from None
    if digest(bytes(found.transcript)) != found.digest:
        raise Problem(
            "was changed after it was written: its content does not match its digest; "
            "restore the line from the original.",
            place=path,
            line=number,
        )
    return Filed(transcript, found.digest, found.started, found.seconds)


class JudgementWriter:
    """A run opened for judging; what is on file already need not be asked again."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.on_file: set[tuple[str, str, str, int]] = set()
        """Judge, version, transcript and sample of every judgement on file."""

    def __enter__(self) -> "JudgementWriter":
        try:
            with ExitStack() as opened:
                opened.enter_context(_lock(self.folder))
                self._file = opened.enter_context((self.folder / JUDGEMENTS).open("ab+", buffering=0))
                cut_torn_line(self._file)
                self.on_file = {_key(judgement) for judgement in read_judgements(self.folder)}
                self._opened = opened.pop_all()
        except OSError as error:
            raise disk_problem(self.folder, error) from None
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._opened.close()

    def add(self, judgement: Judgement) -> None:
        """Put one judgement on file; it is safe when this returns."""
        add_line(self._file, to_json(judgement) + b"\n", self.folder)
        self.on_file.add(_key(judgement))


def _key(judgement: Judgement) -> tuple[str, str, str, int]:
    return judgement.judge, judgement.version, judgement.transcript, judgement.sample


def read_judgements(folder: Path) -> Iterator[Judgement]:
    """Every judgement on file, in the order they were given; a torn last line is passed over."""
    return read_lines(folder / JUDGEMENTS, Judgement)


def find_runs(paths: Iterable[Path]) -> list[Path]:
    """The run folders among these paths and directly below them."""
    found: list[Path] = []
    for path in paths:
        if (path / HEADER).exists():
            found.append(path)
        elif path.is_dir():
            found += sorted(one.parent for one in path.glob(f"*/{HEADER}"))
        else:
            raise Problem("there is no such folder of runs; `sab run` makes one.", place=path)
    if not found:
        where = ", ".join(map(str, paths))
        raise Problem("holds no runs yet; `sab run` makes some.", place=where)
    return found


def _lock(folder: Path) -> IO[bytes]:
    lock = (folder / "lock").open("ab")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.close()
        raise Problem(
            "is being written by another process; wait for it, or choose another folder with --out.",
            place=folder,
        ) from None
    return lock
