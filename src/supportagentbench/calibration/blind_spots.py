"""Blind spots: one oracle per value of every fact, which does not see that value, and the traps it fails.

A trap has a deciding fact if an agent that is blind to it takes the unsafe action and still serves the trap's
benign twin. A trap without one tests something that the policy does not mention.
"""

from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial
from typing import NamedTuple

from supportagentbench.calibration.blind import Blind, FactValue, fact_values, misread
from supportagentbench.calibration.calibrate import counts, difference, judge_all
from supportagentbench.calibration.oracle import Oracle
from supportagentbench.calibration.prove import drawn
from supportagentbench.records.case import Case
from supportagentbench.records.verdict import Verdict
from supportagentbench.world.folder import World
from supportagentbench.world.policy import Rulings
from supportagentbench.world.situation import Situation

CONSEQUENCES = frozenset(
    {
        *(
            "unsafe",
            "forbidden",
            "premature",
            "waived_proof",
            "closed_unresolved",
            "late_handover",
            "disclosed",
        ),
        *("escalation", "over_escalation", "resolution", "pairs", "second_ignored", "unrequested"),
        *("unconfirmed", "unconfirmed_strict", "contradicts_record", "delivery_invented", "repeated_reply"),
        *("wrong_language", "handovers"),
    }
)
"""What a wrong decision can move: what is done, what is said about it, how often it has to be said, and in
which language, because proposals are only in English."""


class BlindSpot(NamedTuple):
    """The effect of not seeing one value of one fact."""

    unseen: FactValue
    occasions: tuple[str, ...]
    """The cases in which it decides differently."""
    moved: dict[str, int]
    felled: tuple[str, ...]
    """The traps in which it took the unsafe action and whose twins it served."""

    @property
    def stray(self) -> frozenset[str]:
        """Metrics that moved but have nothing to do with the decision."""
        return frozenset(self.moved) - CONSEQUENCES


class Decided(NamedTuple):
    """A trap and the fact value that decides it; None if no blind agent reveals one."""

    trap: str
    by: FactValue | None


class Watched(Oracle):
    """An oracle that records how it saw every situation."""

    def __init__(self, kept: list[dict[str, str]], world: World, seed: int) -> None:
        super().__init__(world, seed)
        self.kept = kept

    def _rule(self, situation: Situation) -> Rulings:
        self.kept.append(self.policy.facts_of(situation))
        return super()._rule(situation)


class Baseline(NamedTuple):
    """What the oracle saw in every case, and how it was judged."""

    seen: dict[str, list[dict[str, str]]]
    verdicts: dict[str, Verdict]


@cache
def baseline(world: str, seed: int, set_name: str = "all") -> Baseline:
    """The oracle over the cases of a set, once per process."""
    cases = drawn(world, seed)
    seen: dict[str, list[dict[str, str]]] = {name: [] for name in cases.names(set_name)}
    verdicts = {name: judge_all(cases, partial(Watched, seen[name]), names=[name])[0] for name in seen}
    return Baseline(seen, verdicts)


def blind_spots(world: str, seed: int, set_name: str = "all") -> list[BlindSpot]:
    """One for every value of every fact that the policy looks at; on all processors."""
    values = [*fact_values(drawn(world, seed).world.policy)]
    if set_name != "all":  # For a few cases, starting processes does not pay.
        return [blind_spot(world, seed, one, set_name) for one in values]
    with ProcessPoolExecutor() as pool:
        return list(pool.map(partial(blind_spot, world, seed), values))


def blind_spot(world: str, seed: int, unseen: FactValue, set_name: str = "all") -> BlindSpot:
    """Run an agent that does not see this value on the cases in which that changes a decision."""
    cases, right = drawn(world, seed), baseline(world, seed, set_name)
    policy = cases.world.policy
    occasions = [
        name for name, seen in right.seen.items() if any(misread(policy, facts, unseen) for facts in seen)
    ]
    found = judge_all(cases, partial(Blind, unseen), names=occasions)
    verdicts = right.verdicts | {verdict.case: verdict for verdict in found}
    moved = difference(counts([*right.verdicts.values()]), counts([*verdicts.values()]))
    return BlindSpot(unseen, tuple(occasions), moved, tuple(_felled(verdicts)))


def _felled(verdicts: dict[str, Verdict]) -> Iterable[str]:
    for twin in verdicts.values():
        trap = verdicts.get(twin.twin_of)
        missed = trap and False in (_is(trap, "held"), _is(trap, "escalated"))
        if trap and missed and _is(twin, "resolved"):
            yield trap.case


def _is(verdict: Verdict, check: str) -> bool | None:
    finding = verdict.of(check)
    return finding.counts_as if finding else None


def deciding_facts(world: str, seed: int, spots: Sequence[BlindSpot], set_name: str = "all") -> list[Decided]:
    """For every trap, the value that decides it; preferably one that its twin never has."""
    cases, right = drawn(world, seed), baseline(world, seed, set_name)

    def decides(twin: Case) -> FactValue | None:
        felling = [spot.unseen for spot in spots if twin.twin_of in spot.felled]
        in_twin = {FactValue(*fact) for facts in right.seen[twin.id] for fact in facts.items()}
        # The request decides nearly everything, so any other fact says more.
        return min(felling, key=lambda one: (one in in_twin, one.fact == "request"), default=None)

    chosen = (cases.cases[name] for name in right.seen)
    return [Decided(one.twin_of, decides(one)) for one in chosen if one.twin_of in right.seen]
