"""Archive: runs on disk, one folder per run.

    runs/oracle-1/run.json            the header
    runs/oracle-1/transcripts.jsonl   one line per conversation, append-only: the source of everything else
    runs/oracle-1/broken.jsonl        attempts that were set aside and run again, as after an outage
    runs/oracle-1/in_flight.jsonl     conversations in which something was changed, until they are stored
    runs/oracle-1/judgements.jsonl    one line per judgement, append-only
    runs/oracle-1/errors.jsonl        one line per error of the agent's own code, with its traceback
    runs/oracle-1/changed.txt         how another process changed the run, if one did
    runs/aside/oracle-1.1/            a run that `sab run --fresh` replaced

Killing the process at any moment loses no finished conversation, and nothing that was carried out in others.
A torn last line is cut off when the run is opened again.
"""

import fcntl
import gc
import os
import re
import shlex
import time
from collections.abc import Iterable, Iterator, Set
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from functools import lru_cache
from pathlib import Path
from types import TracebackType
from typing import IO

import msgspec

from supportagentbench.concurrency.shared_process import end_copy
from supportagentbench.records.agent_error import AgentError
from supportagentbench.records.agent_version import in_short
from supportagentbench.records.clock import TurnClock
from supportagentbench.records.consistent import header_fault
from supportagentbench.records.judgement import RULE_JUDGE, Judgement, joined
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import from_json, read_back, to_json
from supportagentbench.records.run import Run
from supportagentbench.records.secrets import sealed_json
from supportagentbench.records.transcript import Transcript
from supportagentbench.storage.file import (
    LARGEST_RECORD,
    disk_problem,
    make_folder,
    open_append,
    open_reading,
    read_bounded,
    write_whole,
)
from supportagentbench.storage.inventory import Inventory
from supportagentbench.storage.jsonl import (
    add_line,
    cut_torn_line,
    damaged_path,
    read_lines,
    set_aside,
)
from supportagentbench.storage.kept_file import KeptFile, is_changed, leave_mark, refuse_changed
from supportagentbench.storage.place import inside, refuse_bucket, refuse_link, refuse_links, safe_name
from supportagentbench.storage.record_file import REPAIR, line_of_fault, unreadable
from supportagentbench.storage.transcripts import (
    BROKEN,
    TRANSCRIPTS,
    ArchiveLine,
    Filed,
    archive_line,
)

HEADER, JUDGEMENTS, ERRORS, LOCK = "run.json", "judgements.jsonl", "errors.jsonl", "lock"

ASIDE = "aside"
"""The folder next to the runs with those that were replaced; no command reads it unless it is named."""

_VERSION = re.compile(r"[\w.+-]{1,32}")


def folder_name(run: Run) -> str:
    """The folder of a run, such as `oracle-1` or `my_shop.agents_Agent-2`."""
    return folder_of(run.agent, run.run)


def folder_of(agent: str, run: int) -> str:
    """The same, from the agent's name and the number of its run."""
    return f"{safe_name(agent)}-{run}"


class RunWriter:
    """An open run: the one process that may add conversations to it."""

    def __init__(self, root: Path, header: Run, inventory: Inventory | None = None) -> None:
        self.folder = inside(root, folder_name(header))
        self.header = header
        self.inventory = inventory or Inventory(self.folder, header)
        self._owner = os.getpid()
        self._kept = self.inventory.kept[TRANSCRIPTS]
        self.repaired = 0
        """Bytes of a torn last line that were cut off on opening."""

    def __enter__(self) -> "RunWriter":
        try:
            is_newcomer = self.inventory.was_missing and os.path.lexists(self.folder)
            make_folder(self.folder)
            refuse_links(self.folder)
            with ExitStack() as opened:
                opened.enter_context(lock_folder(self.folder))
                if is_newcomer:
                    raise newcomer(self.folder)
                self._write_header()
                with open_append(self.folder / TRANSCRIPTS) as file:
                    self.repaired = cut_torn_line(file)
                self.inventory.read()
                self.inventory.set_outside_aside()
                self._watch_judgements()
                self._file = opened.enter_context(open_append(self.folder / TRANSCRIPTS))
                self._kept.note(self._file.fileno())
                self.inventory.was_opened = True
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
            self.inventory.check()

    @property
    def finished(self) -> Set[str]:
        """Cases whose conversation is stored."""
        return self.inventory.endings.keys()

    def missing(self) -> tuple[str, ...]:
        """Planned conversations that are not on file yet."""
        return tuple(case for case in self.header.cases if case not in self.finished)

    def add(
        self, transcript: Transcript, *, started: float, seconds: float, clock: tuple[TurnClock, ...] = ()
    ) -> Filed:
        """Put one finished conversation on file; it is safe when this returns."""
        end_copy(self._owner)
        filed, line = archive_line(transcript, started, seconds, clock)
        self._refuse_unreadable(line)
        self._append(line)
        if time.monotonic() - self._synced > 1:
            self._sync()
        self.inventory.add(filed)
        return filed

    def set_aside(self, attempt: Filed) -> None:
        """Keep a conversation that does not count: another attempt at its case does."""
        line = archive_line(attempt.transcript, attempt.started, attempt.seconds, attempt.clock)[1]
        try:
            with open_append(self.folder / BROKEN) as file:
                cut_torn_line(file)
                add_line(file, line, self.folder)
        except OSError as error:
            raise disk_problem(self.folder, error) from None
        self.inventory.kept[BROKEN].add(line)

    def _append(self, line: bytes) -> None:
        """Put a line at the end of a file that no other process has touched."""
        file = self._file.fileno()
        try:
            self._kept.glance(file)
        except Problem as problem:
            leave_mark(self.folder, problem)
            raise
        try:
            add_line(self._file, line, self.folder)
        except Problem:
            with suppress(OSError):
                self._file.truncate(self._kept.size)
            raise
        self._kept.add(line)
        self._kept.note(file)

    def _refuse_unreadable(self, line: bytes) -> None:
        """A conversation that could not be read back is kept in a file next to it."""
        try:
            with _no_collecting():
                from_json(bytes(from_json(line, ArchiveLine).transcript), Transcript)
        except msgspec.MsgspecError as error:
            path = self.folder / TRANSCRIPTS
            set_aside(path, [line])
            raise Problem(
                f"cannot take a conversation, because it could not be read back: {error}; "
                f"it is kept in {damaged_path(path).name}.",
                place=path,
            ) from None

    def add_error(self, error: AgentError) -> None:
        """Store the traceback of a broken conversation, next to the conversations."""
        end_copy(self._owner)
        try:
            with open_append(self.folder / ERRORS) as file:
                cut_torn_line(file)
                add_line(file, sealed_json(error, to_json) + b"\n", self.folder)
        except OSError as problem:
            raise disk_problem(self.folder, problem) from None

    def _sync(self) -> None:
        try:
            os.fsync(self._file.fileno())
        except OSError as error:
            raise disk_problem(self.folder, error) from None
        self._synced = time.monotonic()

    def _watch_judgements(self) -> None:
        """Nobody is asked for an opinion while agents run, so that none may be added."""
        kept = self.inventory.kept
        if JUDGEMENTS in kept:
            kept[JUDGEMENTS].check()
        else:
            kept[JUDGEMENTS] = KeptFile(self.folder / JUDGEMENTS, whole=False)
            kept[JUDGEMENTS].take()

    def _write_header(self) -> None:
        path = self.folder / HEADER
        if not path.exists():
            write_whole(path, header_bytes(self.header))
        else:
            refuse_other_run(self.folder, self.header)
        kept = self.inventory.kept[HEADER] = KeptFile(path, whole=False)
        kept.take()


def refuse_other_run(folder: Path, header: Run) -> None:
    """Stop at a folder that holds a run with another header."""
    if not (folder / HEADER).exists():
        return
    found = read_header(folder)
    if found.agent == header.agent:
        refuse_other_version(folder, header)
    refuse_other_part(folder, found, header)
    changed = [name for name in header.__struct_fields__ if getattr(found, name) != getattr(header, name)]
    if changed:
        raise Problem(
            f"holds a run made with another {' and '.join(changed)}; "
            "choose another folder with --out, or move this one away with --fresh.",
            place=folder,
        )


def refuse_other_part(folder: Path, found: Run, header: Run) -> None:
    """Stop at a run that is another part of a job, or a part of another job."""
    if found.shard == header.shard:
        return
    here, asked = (one.shown if one else "a whole run" for one in (found.shard, header.shard))
    same = "another plan: its agents, cases and runs must be those of the first command"
    raise Problem(
        f"holds {here} and not {asked if here != asked else f'{asked} of {same}'}. "
        "Choose another folder with --out, or move this one away with --fresh.",
        place=folder,
    )


@contextmanager
def _no_collecting() -> Iterator[None]:
    """Records decoded only for checking are dropped at once, so a garbage collection would be wasted."""
    is_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if is_on:
            gc.enable()


def header_bytes(header: Run) -> bytes:
    """A header as it is stored, formatted for people; one that could not be read back is refused."""
    try:
        return msgspec.json.format(to_json(read_back(header, Run)))
    except msgspec.MsgspecError as error:
        raise Problem(f"the run of {header.agent!r} cannot be filed: {error}.") from None


def refuse_other_version(folder: Path, header: Run) -> None:
    """Stop at a run of another version of the agent: it is neither resumed nor added to."""
    if changes := header.agent_changes_from(read_header(folder)):
        raise Problem(
            f"holds a run of another version of {header.agent}: {in_short(changes)}. "
            "Start over with --fresh, which moves its old runs aside, or keep both with --name v2, "
            f"then see what the change did: sab diff {shlex.quote(header.agent)} v2",
            place=folder,
        )


def runs_of(root: Path, agent: str) -> list[Path]:
    """The run folders of an agent in a folder, those of other versions included."""
    return [folder for folder in begun_in(root) if is_of(folder, agent)]


def headers_of(root: Path, agent: str) -> list[Run]:
    """The headers of an agent's runs in a folder that can be read."""
    found = []
    for folder in runs_of(root, agent):
        with suppress(Problem):
            found.append(read_header(folder))
    return found


def is_of(folder: Path, agent: str) -> bool:
    """Whether this is a run of an agent."""
    try:
        return read_header(folder).agent == agent
    except Problem:  # Of another version, or torn: its name has to tell.
        return re.fullmatch(rf"{re.escape(safe_name(agent))}-\d+", folder.name) is not None


def move_aside(root: Path, agent: str) -> list[Path]:
    """Move all runs of an agent to a folder where no command counts them; returns where they are now."""
    moved = []
    for folder in runs_of(root, agent):
        number = 1
        while (place := inside(root, f"{ASIDE}/{folder.name}.{number}")).exists():
            number += 1
        try:
            with lock_folder(folder):
                place.parent.mkdir(exist_ok=True)
                folder.rename(place)
        except OSError as error:
            raise Problem(f"cannot be moved aside: {error.strerror}.", place=folder) from None
        moved.append(place)
    return moved


def read_header(folder: Path) -> Run:
    """The header of the run in this folder."""
    path = folder / HEADER
    if not has_header(folder):
        raise Problem("is not a run; it has no run.json.", place=folder)
    refuse_changed(folder)
    data = read_bounded(path, LARGEST_RECORD)
    try:
        header, fault = _decoded(data)
    except msgspec.MsgspecError as error:
        if version := _other_version(data):
            raise Problem(
                f"was written by version {version}; run it again with the same command, "
                f"or read it with version {version}.",
                place=folder,
            ) from None
        raise unreadable(error, path, line_of_fault(data, error), REPAIR) from None
    if fault:
        raise Problem(f"{fault}; restore the file from the original.", place=path)
    return header


@lru_cache(maxsize=64)
def _decoded(data: bytes) -> tuple[Run, str]:
    """A header and what does not fit in it; it is long and asked for by many, so it is decoded once."""
    header = from_json(data, Run)
    return header, header_fault(header)


def has_header(folder: Path) -> bool:
    """Whether a run was begun in this folder."""
    refuse_bucket(folder)
    try:
        return (folder / HEADER).exists()
    except OSError as error:
        raise Problem(f"cannot be read ({error.strerror}).", place=folder) from None


class _AnyHeader(msgspec.Struct):
    """What the header of a run has in every version."""

    record: str
    package: str


def _other_version(data: bytes) -> str:
    """The version that wrote this header, if it is a header of another version than ours."""
    try:
        found = from_json(data, _AnyHeader)
    except msgspec.MsgspecError:
        return ""
    is_other = found.record.startswith("run/") and found.record != Run.__struct_config__.tag
    return found.package if is_other and _VERSION.fullmatch(found.package) else ""


class JudgementWriter:
    """A run opened for judging; stored judgements are not asked for again."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.on_file: dict[tuple[str, str, str, int], frozenset[str]] = {}
        """By judge, version, transcript and sample, the findings that it was asked about."""

    def __enter__(self) -> "JudgementWriter":
        refuse_links(self.folder)
        try:
            with ExitStack() as opened:
                opened.enter_context(lock_folder(self.folder))
                self._file = opened.enter_context(open_append(self.folder / JUDGEMENTS))
                cut_torn_line(self._file)
                self.on_file = dict(map(_entry, read_judgements(self.folder)))
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
        try:
            read_back(judgement, Judgement)
        except msgspec.MsgspecError as error:
            raise Problem(
                f"cannot take a judgement, because it could not be read back: {error}.",
                place=self.folder / JUDGEMENTS,
            ) from None
        add_line(self._file, sealed_json(judgement, to_json) + b"\n", self.folder)
        key, asked = _entry(judgement)
        self.on_file[key] = self.on_file.get(key, frozenset()) | asked


def _entry(judgement: Judgement) -> tuple[tuple[str, str, str, int], frozenset[str]]:
    key = judgement.judge, judgement.version, judgement.transcript, judgement.sample
    return key, frozenset(one.question for one in judgement.findings)


def read_judgements(folder: Path) -> list[Judgement]:
    """Every judgement on file, in the order they were given; a torn last line is skipped.

    The rule judge's opinions are computed, so a line that claims to be one of them is skipped as well.
    """
    on_file = read_lines(folder / JUDGEMENTS, Judgement, REPAIR)
    return joined(one for one in on_file if one.judge != RULE_JUDGE)


class _JudgeOf(msgspec.Struct):
    """Whose a judgement is."""

    judge: str


def claimed_judgements(folder: Path) -> int:
    """How many lines claim to be the rule judge's."""
    return sum(one.judge == RULE_JUDGE for one in read_lines(folder / JUDGEMENTS, _JudgeOf, REPAIR))


def read_errors(folder: Path) -> list[AgentError]:
    """The errors of an agent's own code in one run, in the order they happened; none for most runs."""
    return list(read_lines(folder / ERRORS, AgentError))


def begun_in(root: Path) -> list[Path]:
    """The runs directly below a folder; one that is a link is somebody else's, and is refused."""
    found = sorted(header.parent for header in root.glob(f"*/{HEADER}"))
    for folder in found:
        refuse_link(folder)
    return found


def find_runs(paths: Iterable[Path]) -> list[Path]:
    """The run folders among these paths and directly below them."""
    found: list[Path] = []
    for path in paths:
        if has_header(path):
            found.append(path)
        elif path.is_dir():
            found += begun_in(path)
        else:
            raise Problem("there is no such folder of runs; `sab run` makes one.", place=path)
    if not found:
        where = ", ".join(map(str, paths))
        raise Problem("holds no runs yet; `sab run` makes some.", place=where)
    return found


def customers_in(root: Path) -> set[str]:
    """The customers of all runs in a folder; none, if there is no such folder yet."""
    return {read_header(folder).customer for folder in begun_in(root) if not is_changed(folder)}


def newcomer(folder: Path) -> Problem:
    """What to say of a run of the command's own agent that the command did not make."""
    return Problem(
        "appeared while this command ran, which did not make this run; move the folder away.", place=folder
    )


def is_being_written(folder: Path) -> bool:
    """Whether a living process keeps all others from writing to a run."""
    try:
        with open_reading(folder / LOCK) as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except (Problem, OSError):
        return False
    return False


def lock_folder(folder: Path) -> IO[bytes]:
    """Keeps every other process from writing to a run until it is closed."""
    lock = open_append(folder / LOCK)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.close()
        raise Problem(
            "is being written by another process; wait for it, or choose another folder with --out.",
            place=folder,
        ) from None
    return lock
