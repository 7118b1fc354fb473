"""Gate batch: conversations that a gate wants next; which they are follows from those that it has."""

from collections.abc import Iterator, Sequence, Set
from functools import partial
from typing import Literal, NamedTuple

from supportagentbench.board.baseline_file import TRAPS_ONLY
from supportagentbench.board.first_pass import Place
from supportagentbench.board.gate_evidence import REPLAYS, GateEvidence
from supportagentbench.board.retrial import ALL, Item
from supportagentbench.records.counts import counted
from supportagentbench.stats.retrial import LOOKS

MOST_NAMED = 12
"""Cases that a sentence names; further ones are only counted."""

FOLDERS = (TRAPS_ONLY, "reruns", "before", *(f"replay-{number}" for number in range(1, 2 * REPLAYS + 1)))
"""Below the folder of a gate, those of its batches besides the whole runs."""

BatchKind = Literal["first", "replay", "rerun", "before"]


class GateBatch(NamedTuple):
    """Conversations that a gate wants next."""

    kind: BatchKind
    folder: str
    """Below the gate's own; empty: that itself."""
    runs: dict[int, tuple[str, ...]]
    """The cases of each run, by its number."""
    draws: dict[int, str]
    needed: frozenset[Place]
    """What the gate waits for: of a whole run, it may be the traps only."""
    about: str

    @property
    def set_name(self) -> str:
        """What the runs are called, so that no board counts them with whole runs; empty: they are whole."""
        return TRAPS_ONLY if self.folder == TRAPS_ONLY else "reruns" if self.folder else ""


class GateBatches:
    """All batches of a gate, in order."""

    def __init__(self, evidence: GateEvidence, *, can_rerun: bool, has_before: bool) -> None:
        """`can_rerun`: whether there is an agent to run. `has_before`: also an earlier version of it."""
        self.data = evidence
        self._can_rerun, self._has_before = can_rerun, has_before

    def has(self, batch: GateBatch) -> bool:
        """Whether everything that a batch is needed for is in."""
        return not self.lacks(batch)

    def lacks(self, batch: GateBatch) -> Set[Place]:
        match batch.kind:
            case "first":
                return batch.needed - self.data.verdicts.keys()
            case "rerun":
                return batch.needed - self.data.reruns.keys()
            case "before":
                return batch.needed - self.data.old.keys()
            case "replay":
                return {
                    place for place in batch.needed if batch.folder not in self.data.replays.get(place, {})
                }

    def all(self) -> Iterator[GateBatch]:
        """All batches in order. Each is asked for when those before it are in, because it depends on them."""
        *traps, rest = self.first()
        yield from traps
        yield from self.retrial_batches(0)
        yield rest
        yield from self.retrial_batches(1)

    def first(self) -> list[GateBatch]:
        """The first pass: the traps, in the whole runs and repeated, then everything else."""
        first, found = self.data.first, []
        make = partial(GateBatch, "first", draws=first.draws)
        if in_whole := frozenset(place for place in self.data.traps_first if place[0] in first.whole):
            found.append(make(folder="", runs=first.whole, needed=in_whole, about="the traps"))
        if parts := {run: cases for run, cases in first.runs.items() if run not in first.whole}:
            needed = frozenset(place for place in first.places if place[0] in parts)
            found.append(make(folder=TRAPS_ONLY, runs=parts, needed=needed, about="the traps, repeated"))
        needed = frozenset(place for place in first.places if place[0] in first.whole)
        return [*found, make(folder="", runs=first.whole, needed=needed, about="all other cases")]

    def retrial_batches(self, stage: int) -> Iterator[GateBatch]:
        if not self._can_rerun:
            return
        if suspects := [item for one in self.data.retrials(stage) for item in self.data.repeated(one)]:
            for number in range(1, REPLAYS + 1):
                yield self.replay(f"replay-{stage * REPLAYS + number}", [*dict.fromkeys(suspects)])
        done = 0
        candidates = [*dict.fromkeys(item for one in self.data.retrials(stage) for item in one.candidates)]
        if candidates and self._has_before:
            yield self.again("before", stage, candidates, 0, ALL)
        for look in LOOKS:
            asked = [*dict.fromkeys(item for one in self.data.retrials(stage) for item in one.asked(look))]
            if asked:
                yield self.again("rerun", stage, asked, done, look)
            done = look

    def replay(self, folder: str, items: Sequence[Item]) -> GateBatch:
        """The very conversations in which these cases were unsafe, held again under the same numbers."""
        places = [self.bad_place(item) for item in items]
        runs = {run: tuple(case for its, case in places if its == run) for run, _ in sorted(places)}
        return GateBatch(
            "replay",
            folder,
            runs,
            self.data.first.draws,
            frozenset(places),
            f"replays of {_named(items)}",
        )

    def bad_place(self, item: Item) -> Place:
        bad = {place for rule in self.data.rules for place in self.data.bad(rule, item)}
        return min(bad)

    def again(self, kind: BatchKind, stage: int, items: Sequence[Item], done: int, look: int) -> GateBatch:
        runs: dict[int, tuple[str, ...]] = {}
        draws: dict[int, str] = {}
        for draw in dict.fromkeys(draw for draw, _ in items):
            for number in range(done + 1, look + 1):
                run = self.data.first.rerun_number(stage, draw, number)
                runs[run], draws[run] = tuple(case for its, case in items if its == draw), draw
        needed = frozenset((run, case) for run, cases in runs.items() for case in cases)
        about = f"{counted(look - done, 'rerun')} each of {_named(items)}"
        folder = "before" if kind == "before" else "reruns"
        return GateBatch(kind, folder, runs, draws, needed, about if kind == "rerun" else f"{about}, before")


def _named(items: Sequence[Item]) -> str:
    return named_first(list(dict.fromkeys(case for _, case in items)))


def named_first(cases: Sequence[str]) -> str:
    """The first of these cases by name, and how many there are besides."""
    more = len(cases) - MOST_NAMED
    return ", ".join(cases[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
