"""Calibrate: known faults at known doses, to check that each metric notices its own fault and only that."""

import asyncio
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import NamedTuple

from supportagentbench.agents import ShippedFactory
from supportagentbench.agents.shipped import DUMMIES, shipped_agent
from supportagentbench.board.metrics import METRICS, RunVerdicts
from supportagentbench.calibration.faults import (
    FAULTS,
    ActsBeforeConfirming,
    HandsOverOddNumbers,
    NeverHandsOver,
    dosed,
)
from supportagentbench.calibration.faults.single_fault import SingleFault
from supportagentbench.calibration.oracle import Oracle
from supportagentbench.calibration.prove import drawn
from supportagentbench.checks import score_transcript
from supportagentbench.customer.voice import ScriptedVoice
from supportagentbench.desk.doors.house import HouseSeat
from supportagentbench.records.record import digest
from supportagentbench.records.verdict import Verdict
from supportagentbench.runner.conversation import Sitting, hold
from supportagentbench.runner.run import header_of
from supportagentbench.stats.rates import wilson
from supportagentbench.world.drawn_cases import DrawnCases

CHECKED = tuple(metric for metric in METRICS if metric.unit == "share")
"""The metrics that a fault may move. The length of conversations is excluded: it depends on many things."""

Counts = dict[str, int]
"""How often each metric counted."""


class Kill(NamedTuple):
    """One fault: in how many cases it showed, and which metrics it moved by how much."""

    fault: type[SingleFault]
    occasions: int
    """Conversations that differ from the oracle's; if none, the fault cannot show in this world."""
    moved: dict[str, int]

    @property
    def missed(self) -> frozenset[str]:
        """Metrics that should have noticed and did not."""
        return self.fault.moves - self.moved.keys() if self.occasions else frozenset()

    @property
    def stray(self) -> frozenset[str]:
        """Metrics that moved but should not have."""
        return frozenset(self.moved) - self.fault.moves - self.fault.entails


class Pass(NamedTuple):
    """The result of running one agent on all cases."""

    counts: Counts
    conversations: set[str]
    """Digests of all transcripts."""


def kill_matrix(world: str, seed: int, names: Sequence[str] | None = None) -> Iterator[Kill]:
    """Compare every single-fault agent with the oracle, on all cases or these, using all processors."""
    with ProcessPoolExecutor() as pool:
        right, *found = pool.map(partial(_pass_of, world, seed, names), [Oracle, *FAULTS])
    for fault, seen in zip(FAULTS, found, strict=True):
        other = len(seen.conversations - right.conversations)
        yield Kill(fault, other, difference(right.counts, seen.counts))


def difference(right: Counts, seen: Counts) -> Counts:
    """The metrics that moved, and by how much."""
    return {name: seen[name] - right[name] for name in right if seen[name] != right[name]}


def _pass_of(world: str, seed: int, names: Sequence[str] | None, make: ShippedFactory) -> Pass:
    verdicts = judge_all(drawn(world, seed), make, names=names)
    return Pass(counts(verdicts), {verdict.transcript for verdict in verdicts})


def judge_all(
    cases: DrawnCases, make: ShippedFactory, run: int = 1, names: Sequence[str] | None = None
) -> list[Verdict]:
    """Run one agent on all cases, or on the named ones, in memory."""
    return asyncio.run(_judge_all(cases, make, run, names))


async def _judge_all(
    cases: DrawnCases, make: ShippedFactory, run: int, names: Sequence[str] | None
) -> list[Verdict]:
    voice, verdicts = ScriptedVoice(), []
    header = header_of(cases, "all", "calibration", voice, run, 0)
    for name in header.cases if names is None else names:
        case = cases.cases[name]
        seed = int(digest([run, name]), 16) % 2**31
        transcript = await hold(cases, case, HouseSeat(make(cases.world, seed)), voice, Sitting(run))
        verdicts.append(score_transcript(transcript, digest(transcript), header, counts_all=True))
    return verdicts


def counts(verdicts: list[Verdict]) -> Counts:
    """How often each metric counted in one run."""
    run = RunVerdicts(verdicts)
    return {metric.name: round(sum(metric.trials(run).values)) for metric in CHECKED}


SURE = 3.0
"""Width of a dose's interval in standard errors: `prove` reads fifteen doses; none may fail by chance."""


class Dose(NamedTuple):
    """A fault planted in part of the conversations, and how much of it the metric saw."""

    given: float
    seen: float
    low: float
    high: float

    @property
    def recovered(self) -> bool:
        return self.low <= self.given <= self.high


def dose_response(
    cases: DrawnCases, fault: type[SingleFault], metric: str, doses: tuple[float, ...]
) -> list[Dose]:
    """The share of conversations in which the metric saw the fault, of those where it can show, if any."""
    at_full = _hits(judge_all(cases, fault), metric)
    at_none = _hits(judge_all(cases, Oracle), metric)
    able = at_full - at_none
    if not able:
        return []
    found = []
    for run, dose in enumerate(doses, start=1):
        hits = len(_hits(judge_all(cases, dosed(fault, dose), run), metric) & able)
        found.append(Dose(dose, hits / len(able), *wilson(hits / len(able), len(able), SURE)))
    return found


DOSED: tuple[tuple[type[SingleFault], str], ...] = (
    (ActsBeforeConfirming, "unconfirmed"),
    (NeverHandsOver, "escalation"),
    (HandsOverOddNumbers, "over_escalation"),
)
"""Faults that show in enough conversations to estimate a dose."""


def trivial_pairs(cases: DrawnCases) -> dict[str, float]:
    """The share of trap-and-twin pairs that each trivial agent wins."""
    metric = next(one for one in METRICS if one.name == "pairs")
    trivial = {name: shipped_agent(name) for name in DUMMIES}
    won = {name: metric.trials(RunVerdicts(judge_all(cases, make))).values for name, make in trivial.items()}
    return {name: sum(values) / len(values) for name, values in won.items()}


def _hits(verdicts: list[Verdict], name: str) -> set[str]:
    metric = next(one for one in METRICS if one.name == name)
    wrong = metric.better == "lower"
    trials = metric.trials(RunVerdicts(verdicts))
    return {case for case, value in zip(trials.cases, trials.values, strict=True) if bool(value) is wrong}
