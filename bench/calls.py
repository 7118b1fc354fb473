"""What a model call costs the client: our harness, a plain openai-SDK loop and Inspect, side by side.

Every side holds the same conversations with the same fake provider, each in a process of its own, in
turns; the provider runs in another. CPU time is the client's alone. Without `openai` or `inspect_ai` in the
environment, their sides are left out. Arguments: rounds at 50 in flight (3), rounds at 200 (1).
"""

import sys
from collections.abc import Iterator
from importlib.util import find_spec
from statistics import median
from typing import NamedTuple

from served import Served
from side import Measured, Said, in_new_process, measure

SET, RUNS = "core", 1
LATENCY = "latency=0.1,jitter=0.5"
FIGURE = 0.6
"""Milliseconds of our CPU a call at 50 in flight."""


class Side(NamedTuple):
    """Who is measured, and what our harness is to be better by."""

    title: str
    module: str
    needs: str = ""
    ratio: float = 0.0


OURS = Side("this harness", "own_run")
SIDES = (
    Side("aiohttp alone", "bare_post"),
    OURS,
    Side("openai SDK loop", "sdk_loop", "openai", 10),
    Side("Inspect task", "inspect_task", "inspect_ai", 30),
)


Rows = dict[Side, list[Measured]]


def rounds_of(sides: list[Side], rounds: int, at_once: int) -> Rows:
    """Every side in turn, again and again."""
    rows: Rows = {side: [] for side in sides}
    with Served(LATENCY) as served:
        for _ in range(rounds):
            for side in sides:
                rows[side].append(in_new_process(measure, side.module, served.url, SET, RUNS, at_once))
    return rows


def cost(found: list[Measured]) -> float:
    """Milliseconds of CPU a call, in the median round."""
    return median(one.cpu / one.calls for one in found) * 1000


def table(rows: Rows) -> Iterator[str]:
    """One line a side."""
    yield f"{'':17}{'ms CPU/call':>12}{'from-to':>15}{'ms/conv.':>10}{'calls/s':>9}{'MB':>6}{'x ours':>8}"
    for side, found in rows.items():
        each = [one.cpu / one.calls * 1000 for one in found]
        talks = [one.cpu / len(one.said) * 1000 for one in found if one.said]
        yield (
            f"{side.title:17}{cost(found):12.2f}{f'{min(each):.2f}-{max(each):.2f}':>15}"
            f"{f'{median(talks):.1f}' if talks else '':>10}"
            f"{median(one.calls / one.wall for one in found):9.0f}{found[-1].megabytes:6.0f}"
            f"{cost(found) / cost(rows[OURS]):8.1f}"
        )


def main() -> None:
    """Print a table for 50 and one for 200 in flight; exit 1 if another side comes closer than it should."""
    rounds = [int(argument) for argument in sys.argv[1:]] or [3, 1]
    sides = [side for side in SIDES if not side.needs or find_spec(side.needs)]
    missed = False
    for at_once, times in zip((50, 200), rounds, strict=False):
        rows = rounds_of(sides, times, at_once)
        print(f"{at_once} in flight, replies after 50-150 ms, medians of {times}:")
        print("\n".join(table(rows)))
        missed |= not same([one.said for found in rows.values() for one in found])
        if at_once == 50:
            missed |= not reached(rows)
        print()
    sys.exit(missed)


def same(held: list[Said]) -> bool:
    """Whether all sides that talked said the same."""
    talked = [said for said in held if said]
    alike = all(said == talked[0] for said in talked)
    verdict = "the same word for word" if alike else "NOT the same"
    print(f"{len(talked[0])} conversations, {verdict} on all sides")
    return alike


def reached(rows: Rows) -> bool:
    """Print each figure beside what it came to; the time itself depends on who else uses the machine."""
    ours = cost(rows[OURS])
    print(f"{OURS.title}: {ours:.2f} ms a call (figure: {FIGURE}{'; missed' if ours > FIGURE else ''})")
    met = True
    for side, found in rows.items():
        if side.ratio:
            ratio = cost(found) / ours
            met &= ratio >= side.ratio
            missed = "" if ratio >= side.ratio else "; missed"
            print(f"{side.title}: {ratio:.1f} x that (figure: {side.ratio:g}{missed})")
    return met


if __name__ == "__main__":
    main()
