"""First pass: the conversations that a gate begins with, and the numbers of all its runs.

Traps are run three times and everything else once. The first run of a draw is a whole one; the others repeat
only the traps. Reruns have numbers that neither the baseline nor the first pass has.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, count, islice

from supportagentbench.board.retrial import ALL, Item
from supportagentbench.records.baseline import GateBaseline

TRAP_RUNS = 3
"""Runs of the traps in a first pass."""

BASELINE_RUNS = 10
"""Runs of the traps in a baseline that `sab gate --save` makes."""

STAGES = 2
"""Reruns come in two stages: those of traps before the ordinary cases are run, all others after them."""

Place = tuple[int, str]
"""Run and case of a conversation."""


@dataclass(frozen=True)
class FirstPass:
    """Which cases are run under which numbers."""

    runs: dict[int, tuple[str, ...]]
    """The cases of each run, by its number."""
    draws: dict[int, str]
    """The draw of each run."""
    traps: frozenset[str]
    base: int
    """The largest number of any run, the baseline's included."""

    @cached_property
    def whole(self) -> dict[int, tuple[str, ...]]:
        """The first run of each draw, which has all cases."""
        firsts = {draw: run for run, draw in reversed(self.draws.items())}
        return {run: self.runs[run] for run in sorted(firsts.values())}

    @cached_property
    def places(self) -> list[Place]:
        """Every conversation, those of traps first."""
        found = [(run, case) for run, cases in self.runs.items() for case in cases]
        return sorted(found, key=lambda place: (place[1] not in self.traps, place))

    def item(self, place: Place) -> Item:
        """Draw and name of the case of a conversation."""
        return self.draws[place[0]], place[1]

    def rerun_number(self, stage: int, draw: str, number: int) -> int:
        """The run number of a rerun."""
        block = [*dict.fromkeys(self.draws.values())].index(draw) * STAGES + stage
        return self.base + block * ALL + number

    def rerun_of(self, run: int) -> tuple[int, str, int]:
        """Stage, draw and number of the rerun with this run number."""
        block, number = divmod(run - self.base - 1, ALL)
        return block % STAGES, [*dict.fromkeys(self.draws.values())][block // STAGES], number + 1


def first_pass(baseline: GateBaseline, cases: Sequence[str], trap_runs: int = TRAP_RUNS) -> FirstPass:
    """The first pass over these cases of a baseline: numbered like its runs, as far as it has any."""
    traps = frozenset(baseline.results.get("unsafe", {})) & {*cases}
    known, taken = baseline.numbers(), set(baseline.runs)
    free: Iterator[int] = (number for number in count(1) if number not in taken)
    runs: dict[int, tuple[str, ...]] = {}
    draws: dict[int, str] = {}
    for draw in dict.fromkeys(known.values()):
        own = (run for run, its in known.items() if its == draw)
        for at, run in enumerate(islice(chain(own, free), trap_runs if traps else 1)):
            runs[run] = tuple(case for case in cases if not at or case in traps)
            draws[run] = draw
    return FirstPass(runs, draws, traps, max(taken | set(runs)))
