"""Processors: how many this process may use, and how much memory, as its control group allows.

In a container `os.cpu_count` counts the processors of the whole node; a pool of that size would mostly wait.
"""

import os
import re
from collections.abc import Iterator
from math import ceil
from pathlib import Path

ROOT = Path("/")

LONGEST = 65_536
"""Bytes of a file that the kernel writes."""

_NUMBER = re.compile(r"-?[0-9]{1,20}")

UNLIMITED = 2**60
"""Bytes; from here on version 1 means that there is no limit."""


def processors(root: Path = ROOT) -> int:
    """Processors that this process may use; part of one counts as one."""
    try:
        count = len(os.sched_getaffinity(0))
    except AttributeError:  # Not on Linux.
        count = os.cpu_count() or 1
    quotas = [quota / period for quota, period in _quotas(root) if quota > 0 and period > 0]
    return max(1, min(count, ceil(min(quotas, default=count))))


def memory_limit(root: Path = ROOT) -> int | None:
    """Bytes that this process and the others of its group may use; None: there is no limit."""
    names = ("memory.max", "memory.limit_in_bytes")
    found = [int(word) for folder in _groups(root, "memory") for word in _words(folder, *names)[:1]]
    return min((size for size in found if 0 < size < UNLIMITED), default=None)


def _quotas(root: Path) -> Iterator[tuple[int, int]]:
    """Microseconds of processor time, and of the period they are for, of every group that has them."""
    for folder in _groups(root, "cpu"):
        match _words(folder, "cpu.max"), _words(folder, "cpu.cfs_quota_us", "cpu.cfs_period_us"):
            case ([quota, period], _) | (_, [quota, period]):
                yield int(quota), int(period)


def _groups(root: Path, controller: str) -> Iterator[Path]:
    """The folders of this process's group and of all above it, in both versions; a limit of any applies."""
    mounted = root / "sys/fs/cgroup"
    for line in _text(root / "proc/self/cgroup").splitlines():
        _, _, rest = line.partition(":")
        controllers, _, path = rest.partition(":")
        if controllers and controller not in controllers.split(","):
            continue
        place = mounted / controller if controllers else mounted
        parts = [part for part in path.split("/") if part]
        if ".." in parts:  # The group is outside of what this process can see.
            parts = []
        for depth in range(len(parts), -1, -1):
            yield place.joinpath(*parts[:depth])


def _words(folder: Path, *names: str) -> list[str]:
    """The numbers in those of these files that are there; none if a limit is `max`."""
    found = " ".join(_text(folder / name) for name in names).split()
    return found if all(map(_NUMBER.fullmatch, found)) else []


def _text(path: Path) -> str:
    try:
        with path.open("rb") as opened:
            return opened.read(LONGEST).decode("utf-8", "replace")
    except OSError:
        return ""
