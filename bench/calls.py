"""What a model call costs the client: this harness, a plain openai-SDK loop and Inspect, side by side.

Every side runs the same conversations with the same fake provider, each in a process of its own, one after
the other; the provider has its own process. CPU time is that of the client only. Sides whose library is not
installed are left out: `pip install openai inspect_ai`. An argument sets the number of rounds.
"""

import sys
from collections.abc import Iterator
from importlib.util import find_spec
from statistics import median
from typing import NamedTuple

from served import Served
from side import Measured, in_new_process, measure

ROUNDS = 3
FIGURE = 0.6
"""Milliseconds of our CPU per call."""


class Load(NamedTuple):
    """Concurrency and latency of one measurement."""

    concurrency: int
    title: str
    faults: str


LOADS = (
    Load(50, "replies at once", ""),
    Load(50, "replies after 50-150 ms", "latency=0.1,jitter=0.5"),
    Load(200, "replies after 50-150 ms", "latency=0.1,jitter=0.5"),
)


class Side(NamedTuple):
    """Who is measured, and how many times cheaper our harness should be."""

    title: str
    module: str
    needs: str = ""
    ratio: float = 0.0
    converses: bool = True


ALONE = Side("aiohttp alone", "bare_post", converses=False)
OURS = Side("this harness", "own_run")
SIDES = (
    ALONE,
    OURS,
    Side("openai SDK loop", "sdk_loop", "openai", 10),
    Side("Inspect task", "inspect_task", "inspect_ai", 30),
)

Rows = dict[Side, list[Measured]]


def rounds_of(load: Load, sides: list[Side], rounds: int) -> Rows:
    """Every side in turn, in several rounds."""
    rows: Rows = {side: [] for side in sides}
    with Served(load.faults) as served:
        for _ in range(rounds):
            for side in sides:
                found = in_new_process(measure, side.module, served.url, "core", 1, load.concurrency)
                rows[side].append(found)
    return rows


def cost(found: list[Measured]) -> float:
    """Milliseconds of CPU per call, in the median round."""
    return median(one.cpu / one.calls for one in found) * 1000


def table(rows: Rows) -> Iterator[str]:
    """One line per side."""
    yield f"{'':17}{'ms CPU/call':>12}{'from-to':>15}{'ms/conv.':>10}{'calls/s':>9}{'MB':>6}{'x ours':>8}"
    for side, found in rows.items():
        each = [one.cpu / one.calls * 1000 for one in found]
        conversations = [one.cpu / len(one.said) * 1000 for one in found if one.said]
        yield (
            f"{side.title:17}{cost(found):12.2f}{f'{min(each):.2f}-{max(each):.2f}':>15}"
            f"{f'{median(conversations):.1f}' if conversations else '':>10}"
            f"{median(one.calls / one.wall for one in found):9.0f}{found[-1].megabytes:6.0f}"
            f"{cost(found) / cost(rows[OURS]):8.1f}"
        )


def verdicts(rows: Rows) -> Iterator[str]:
    """Each target, and what was measured."""
    ours, alone = cost(rows[OURS]), cost(rows[ALONE])
    missed = "" if ours <= FIGURE else ", missed"
    yield f"{OURS.title}: {ours:.2f} ms per call (target: {FIGURE}{missed})"
    yield f"{OURS.title}: {ours / alone:.1f} times {ALONE.title}"
    for side, found in rows.items():
        if side.ratio:
            ratio = cost(found) / ours
            missed = "" if ratio >= side.ratio else ", missed"
            yield f"{side.title}: {ratio:.1f} times that (target: {side.ratio:g}{missed})"


def differences(rows: Rows) -> Iterator[str]:
    """Where a side held other conversations than ours: each sentence names one side and one conversation."""
    ours = rows[OURS][0]
    for side, found in rows.items():
        for one in found if side.converses else ():
            names = ours.said.keys() | one.said.keys()
            other = [name for name in names if ours.said.get(name) != one.said.get(name)]
            if other:
                yield f"{side.title}: {len(other)} of {len(names)} conversations differ, such as {min(other)}"
            elif one.calls != ours.calls:
                yield f"{side.title}: {one.calls} calls in place of {ours.calls}"


def main() -> None:
    """Print a table for each load. Times vary with the machine, so only differing conversations exit 1."""
    rounds = int(sys.argv[1]) if sys.argv[1:] else ROUNDS
    sides = [side for side in SIDES if not side.needs or find_spec(side.needs)]
    differ: list[str] = []
    for load in LOADS:
        rows = rounds_of(load, sides, rounds)
        print(f"{load.concurrency} in flight, {load.title}, medians of {rounds}")
        print("\n".join([*table(rows), *verdicts(rows), ""]))
        differ += differences(rows)
    print("\n".join(differ or ["The conversations were the same word for word on all sides."]))
    sys.exit(bool(differ))


if __name__ == "__main__":
    main()
