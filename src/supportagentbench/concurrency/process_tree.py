"""Process tree: a process and everything it started, as `/proc` shows it; elsewhere it has no descendants.

A process that outlives its parent is adopted by the next ancestor that has asked for it (`adopt_orphans`), so
neither a double fork nor a new session leaves the tree.
"""

import os
import signal
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from pathlib import Path

PROC = Path("/proc")

MOST_ROUNDS = 1_000
"""Looks for processes that were started while others were stopped."""

QUIET_ROUNDS = 3
"""Looks in a row that find nothing new: a process may fork and end between being listed and being read."""

_GONE = (b"Z", b"X")
"""States of processes that have ended."""


def descendants(roots: Iterable[int]) -> list[int]:
    """Everything that these processes started, directly or not, and that has not ended."""
    children: dict[int, list[int]] = defaultdict(list)
    ended = set()
    for pid, state, parent in _processes():
        children[parent].append(pid)
        if state in _GONE:
            ended.add(pid)
    waiting, found = list(roots), []
    while waiting:
        below = children.pop(waiting.pop(), ())
        waiting += below
        found += [pid for pid in below if pid not in ended]
    return found


def end_trees(roots: Collection[int]) -> None:
    """Kill these processes and everything they started. All are stopped first, so that none can fork."""
    stopped = [root for root in roots if _signalled(root, signal.SIGSTOP)]
    end_descendants(roots)
    for root in stopped:
        _signalled(root, signal.SIGKILL)


def end_descendants(roots: Collection[int]) -> None:
    """Kill everything that these processes started, but not the processes themselves."""
    _end_all(lambda: descendants(roots))


def end_marked(mark: str) -> None:
    """Kill every process that was started with this setting in its environment."""
    wanted = mark.encode()
    _end_all(lambda: [pid for pid, state, _ in _processes() if state not in _GONE and _has_mark(pid, wanted)])


def _has_mark(pid: int, wanted: bytes) -> bool:
    with suppress(OSError):
        return wanted in (PROC / str(pid) / "environ").read_bytes().split(b"\0")
    return False


def _end_all(find: Callable[[], list[int]]) -> None:
    """Kill what is found. All are stopped first, until no new one is found, so that none can fork."""
    stopped: dict[int, None] = {}
    quiet = 0
    for _ in range(MOST_ROUNDS):
        found = [pid for pid in find() if pid not in stopped]
        quiet = 0 if found else quiet + 1
        if quiet == QUIET_ROUNDS:
            break
        for pid in found:
            _signalled(pid, signal.SIGSTOP)
            stopped[pid] = None
    for pid in stopped:
        _signalled(pid, signal.SIGKILL)


def memory_of(pids: Iterable[int]) -> int:
    """Bytes of memory that these processes use; what several share counts once, if that can be seen."""
    return sum(_share(pid) or _resident(pid) for pid in pids)


def exceeds(pids: Collection[int], memory: int) -> bool:
    """Whether these processes use more memory than this; the exact sum is only taken if it may be."""
    return sum(map(_resident, pids)) > memory and memory_of(pids) > memory


def _processes() -> Iterator[tuple[int, bytes, int]]:
    """Every process with its state and parent."""
    with suppress(OSError), os.scandir(PROC) as every:
        for found in every:
            if found.name.isdigit():
                with suppress(OSError, ValueError):  # It may end while we look.
                    state, parent = _read(f"{found.path}/stat").rpartition(b")")[2].split(None, 2)[:2]
                    yield int(found.name), state, int(parent)


def _read(path: str) -> bytes:
    """The start of a small file; every process is asked, and a Path would take longer than the rest."""
    file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        return os.read(file, 4096)
    finally:
        os.close(file)


def _resident(pid: int) -> int:
    with suppress(OSError, IndexError):
        return int((PROC / str(pid) / "statm").read_bytes().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return 0


def _share(pid: int) -> int:
    """Its memory, with only its share of what it has in common with others; 0: unknown."""
    with suppress(OSError, ValueError):
        text = (PROC / str(pid) / "smaps_rollup").read_text()
        return int(text.partition("\nPss:")[2].split(None, 1)[0]) * 1024
    return 0


def _signalled(pid: int, number: signal.Signals) -> bool:
    """Send a signal; whether the process was there to get it."""
    with suppress(ProcessLookupError, PermissionError):
        os.kill(pid, number)
        return True
    return False
