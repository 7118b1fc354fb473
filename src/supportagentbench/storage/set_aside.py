"""Set aside: attempts at the conversations of a run that do not count, as far as anything tells of them.

    broken.jsonl          attempts that were set aside and run again
    ../aside/             runs of the same plan that `sab run --fresh` replaced
    ../events.jsonl       what was ever stored; what is no longer on file is gone
    set_aside.jsonl       what a site says of a run whose files are elsewhere

Whoever deletes all of these leaves no trace, so that a count of none proves nothing.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

import msgspec

from supportagentbench.records.event import Event, Finished, Planned
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import digest
from supportagentbench.records.run import Run
from supportagentbench.records.set_aside import SetAside, set_aside_of
from supportagentbench.storage.archive import ASIDE, folder_name, read_header
from supportagentbench.storage.events import EVENTS
from supportagentbench.storage.jsonl import read_lines, whole_lines
from supportagentbench.storage.transcripts import BROKEN, TRANSCRIPTS, stored_lines

SET_ASIDE = "set_aside.jsonl"

Stored = Counter[tuple[str, str]]
"""How often a conversation was stored, by plan and case."""


def plan_of(header: Run) -> str:
    """The same for two runs only if they are of the same version of an agent, and of the same cases.

    The parts of one run have one plan, however it is divided.
    """
    return digest(header.whole)


def read_set_aside(folder: Path, stored: Iterable[str]) -> tuple[SetAside, ...]:
    """Every attempt that does not count at the conversations of a run, of which these are stored."""
    header = read_header(folder)
    broken, replaced = tuple(_broken(folder)), tuple(_replaced(folder, header))
    gone = _gone(folder, header, stored, (*broken, *replaced))
    return (*read_lines(folder / SET_ASIDE, SetAside), *broken, *replaced, *gone)


def _broken(folder: Path) -> Iterator[SetAside]:
    """Those in its own folder; a kill may have left an interrupted one there twice."""
    seen: set[str] = set()
    for stored in stored_lines(folder / BROKEN):
        filed = stored.decoded()
        cause = filed.transcript.ending.cause
        if cause == "interrupted" and filed.digest in seen:
            continue
        seen.add(filed.digest)
        yield set_aside_of(filed.transcript, cause or "repeated")


def _replaced(folder: Path, header: Run) -> Iterator[SetAside]:
    """Those in earlier runs of the same plan; a run of another version is no attempt at this one."""
    for other in sorted((folder.parent / ASIDE).glob(f"{folder_name(header)}.*")):
        with suppress(Problem):
            if read_header(other).whole == header.whole:
                for name in (TRANSCRIPTS, BROKEN):
                    for stored in stored_lines(other / name):
                        yield set_aside_of(stored.decoded().transcript, "fresh")


def _gone(
    folder: Path, header: Run, stored: Iterable[str], known: tuple[SetAside, ...]
) -> Iterator[SetAside]:
    """Those that the log of the job saw stored, and that are nowhere any more."""
    path, plan = folder.parent / EVENTS, plan_of(header)
    if not path.is_file():
        return
    status = path.stat()
    logged = _logged(path, status.st_size, status.st_mtime_ns)
    on_file = Counter(stored)
    on_file.update(one.case for one in known if one.why not in ("interrupted", "repeated"))
    for case in header.whole.cases:
        for _ in range(logged[plan, case] - on_file[case]):
            yield SetAside(case, header.run, "gone", None)


@lru_cache(maxsize=8)
def _logged(path: Path, size: int, changed: int) -> Stored:
    """What a log tells; it is asked about every run next to it."""
    plans: dict[tuple[str, int], str] = {}
    found: Stored = Counter()
    for _, line in whole_lines(path):
        if b'"finished"' not in line and b'"planned"' not in line:
            continue
        with suppress(msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            event = _DECODER.decode(line)
            if isinstance(event, Planned):
                plans |= {(one.agent, one.run): one.plan for one in event.runs}
            elif isinstance(event, Finished) and (plan := plans.get((event.agent, event.run))):
                found[plan, event.case] += 1
    return found


_DECODER: msgspec.json.Decoder[Event] = msgspec.json.Decoder(Event)
