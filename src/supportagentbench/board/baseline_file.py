"""Baseline file: runs become a baseline, are saved, read back, and checked against other runs."""

from collections.abc import Set
from datetime import date
from pathlib import Path

import msgspec

from supportagentbench.board.metrics import METRICS, Metric, MetricTrials, RunVerdicts
from supportagentbench.board.standings import check_comparable
from supportagentbench.checks.catalogue import CATALOGUE
from supportagentbench.records.baseline import MISSING, GateBaseline
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import from_json, to_json
from supportagentbench.records.run import Run
from supportagentbench.records.verdict import Verdict
from supportagentbench.results.load import ScoredRun
from supportagentbench.storage.file import LARGEST_RECORD, NoSuchFile, read_bounded, write_whole
from supportagentbench.storage.git_file import GitFile

GATED = ("unsafe", *(check.metric_name for check in CATALOGUE.values() if check.gated))
"""The metrics that rules may name: one result per conversation, read from the record."""

GATED_METRICS: dict[str, Metric] = {metric.name: metric for metric in METRICS if metric.name in GATED}


def _unsafe_elsewhere(verdicts: RunVerdicts) -> MetricTrials:
    others = [one for one in verdicts if one.counts and not is_trap(one)]
    told = [(one, one.outcome.unsafe) for one in others if one.outcome.unsafe is not None]
    return MetricTrials(
        [one.case for one, _ in told],
        [one.family for one, _ in told],
        [float(unsafe) for _, unsafe in told],
        len(others) - len(told),
    )


def is_trap(verdict: Verdict) -> bool:
    """Whether the metric of unsafe actions is about this case."""
    return verdict.bucket == "adversarial" and not verdict.twin_of


ELSEWHERE = Metric(
    "unsafe_elsewhere",
    "Unsafe actions outside the traps",
    "Other cases, twins of traps included, in which the agent took a forbidden action.",
    "lower",
    _unsafe_elsewhere,
    "unsafe",
)
"""What a rule about unsafe actions watches as well: an action is as unsafe in an ordinary case."""

KEPT = (*GATED_METRICS.values(), ELSEWHERE)
"""The metrics that a baseline has."""

TRAPS_ONLY = "traps"
"""The set of runs that repeat only the traps, so that no board counts them with whole runs."""


def baseline_of(runs: list[ScoredRun], made: date | None = None) -> GateBaseline:
    """The baseline of one agent's runs, the last of which was made that day."""
    names = sorted({run.header.agent for run in runs})
    if len(names) > 1:
        raise Problem(f"A baseline is of one agent, and here are {', '.join(names)}. Name the runs of one.")
    ordered = sorted(runs, key=lambda run: run.header.run)
    first = next((run.header for run in ordered if run.header.set != TRAPS_ONLY), ordered[0].header)
    for run in ordered:
        is_part = run.header.set == TRAPS_ONLY
        check_comparable(first, msgspec.structs.replace(run.header, set=first.set) if is_part else run.header)
    draws = tuple(run.header.case_seed for run in ordered)
    missing = sum(len(run.header.cases) - sum(one.counts for one in run.verdicts) for run in ordered)
    if missing:
        raise Problem(
            f"The baseline would lack {missing} conversations. Run the same `sab run` again to finish them."
        )
    return GateBaseline(
        agent=first.agent,
        world=first.world,
        world_digest=first.world_digest,
        policy_digest=first.policy_digest,
        set=first.set,
        case_seed=first.case_seed,
        seed=first.seed,
        customer=first.customer,
        turn_limit=first.turn_limit,
        package=first.package,
        runs=tuple(run.header.run for run in ordered),
        conversations=_digests(ordered),
        results={metric.name: _letters(metric, ordered) for metric in KEPT},
        channel=first.channel,
        version=first.version,
        desk=first.desk,
        draws=draws if len({*draws}) > 1 else (),
        made=made,
        hosts=first.hosts,
    )


def _digests(runs: list[ScoredRun]) -> dict[str, tuple[str, ...]]:
    by_run = [{one.case: one.transcript for one in run.verdicts} for run in runs]
    return {case: tuple(found.get(case, "") for found in by_run) for case in sorted(set().union(*by_run))}


def _letters(metric: Metric, runs: list[ScoredRun]) -> dict[str, str]:
    by_run = []
    for run in runs:
        cases, _, values, _ = metric.trials(RunVerdicts(run.verdicts))
        by_run.append({case: str(int(value)) for case, value in zip(cases, values, strict=True)})
    return {
        case: "".join(found.get(case, MISSING) for found in by_run) for case in sorted(set().union(*by_run))
    }


def save_baseline(baseline: GateBaseline, path: Path) -> None:
    """Write a baseline, one line per case so that a change of it can be read in a diff."""
    write_whole(path, msgspec.json.format(to_json(baseline)) + b"\n", follow=True)


def read_baseline(place: Path | GitFile) -> GateBaseline:
    """Read a baseline; it may come from anywhere, so its letters and numbers are checked."""
    return baseline_in(place.read(LARGEST_RECORD) if isinstance(place, GitFile) else _content(place), place)


def _content(path: Path) -> bytes:
    try:
        return read_bounded(path, LARGEST_RECORD, follow=True)
    except NoSuchFile:
        raise Problem(
            f"there is no such baseline. Save one: sab gate AGENT --save {path}", place=path
        ) from None


def baseline_in(data: bytes, place: Path | GitFile) -> GateBaseline:
    """The baseline that was read from there."""
    path = str(place)
    try:
        found = from_json(data, GateBaseline)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise Problem(f"is not a baseline: {error}.", place=path) from None
    if not _is_sound(found):
        raise Problem("is not a baseline: its results do not fit its runs. Save it again.", place=path)
    return found


def _is_sound(found: GateBaseline) -> bool:
    count = len(found.runs)
    letters = [one for results in found.results.values() for one in results.values()]
    return (
        0 < count == len(set(found.runs))
        and all(len(one) == count and set(one) <= set(f"01{MISSING}") for one in letters)
        and all(len(digests) == count for digests in found.conversations.values())
        and len(found.draws) in (0, count)
    )


def with_draws(baseline: GateBaseline, wanted: Set[str]) -> GateBaseline:
    """The baseline with these draws only; a Problem if it lacks one."""
    has = set(baseline.numbers().values())
    if missing := sorted(wanted - has):
        raise Problem(
            f"The baseline has no draw {', '.join(missing)}; it has {', '.join(sorted(has))}. "
            "Save a new one from runs with --case-seed."
        )
    return baseline.with_draws(wanted)


def check_fits(baseline: GateBaseline, header: Run) -> None:
    """Refuse a baseline from another world, another draw of the cases or another customer."""
    same = ("world_digest", "desk", "policy_digest", "case_seed", "seed", "customer", "channel", "turn_limit")
    drawn = baseline.numbers().get(header.run, header.case_seed if baseline.draws else baseline.case_seed)
    for field in same:
        expected = drawn if field == "case_seed" else getattr(baseline, field)
        if expected != getattr(header, field):
            raise Problem(
                f"The baseline and run {header.run} of {header.agent} differ in {field} and cannot be "
                "compared. Run with the baseline's settings, or save a new baseline."
            )
