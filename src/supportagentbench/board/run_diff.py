"""Run diff: two versions of an agent on the same cases: what is newly unsafe, newly wrong and fixed."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Literal, NamedTuple

from supportagentbench.board.agent_comparison import MetricDifference, compare_agents
from supportagentbench.board.gate_batch import named_first
from supportagentbench.board.gate_evidence import LEVEL, REPEATS_FROM
from supportagentbench.board.metrics import METRICS
from supportagentbench.board.standings import COMPARED
from supportagentbench.records.outcome import Handling
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import Record
from supportagentbench.records.transcript import Transcript
from supportagentbench.records.verdict import Verdict
from supportagentbench.results.divergence import Divergence, divergence
from supportagentbench.results.load import ScoredRun, load_runs
from supportagentbench.stats.retrial import ItemTrials, together
from supportagentbench.storage.archive import runs_of
from supportagentbench.storage.run_folders import distinct_runs
from supportagentbench.storage.transcripts import read_transcripts

FlipKind = Literal["newly unsafe", "newly wrong", "fixed"]

DiffStatus = Literal["no worse", "worse", "undecided"]


class Flip(Record):
    """A case that is handled otherwise than before."""

    kind: FlipKind
    case: str
    before: str
    """In how many runs it went wrong: `0 of 3`."""
    after: str
    reason: str
    """What is wrong, now or, if it is fixed, before."""
    divergence: Divergence | None = None


class RunDiff(Record, tag_field="record", tag="diff/1"):
    """Two versions of an agent, case by case."""

    before: str
    after: str
    status: DiffStatus
    why: str
    """Why the status is this one."""
    flips: tuple[Flip, ...]
    """Newly unsafe first, then newly wrong, then fixed."""
    conversations: int
    """Compared: the same case and run on both sides."""
    identical: int
    """Of these, word for word the same."""
    differences: tuple[MetricDifference, ...]
    """After minus before, for cases like these."""
    undecided: tuple[str, ...] = ()
    """Cases with a conversation that code decided before and cannot decide now."""

    def of(self, kind: FlipKind) -> list[Flip]:
        """The flips of one kind."""
        return [flip for flip in self.flips if flip.kind == kind]


class DiffSide(NamedTuple):
    """One version: its runs, and its conversations by run and case."""

    runs: list[ScoredRun]
    verdicts: dict[tuple[int, str], Verdict]
    folders: list[Path]

    def draws(self) -> dict[int, str]:
        """The draw of each run, by its number."""
        return {run.header.run: run.header.case_seed for run in self.runs}

    @property
    def agent(self) -> str:
        return self.runs[0].header.agent

    @property
    def unseen(self) -> str:
        """Why a change of the agent cannot be seen; empty if it can."""
        return next((one.header.version.unseen for one in self.runs if one.header.version.unseen), "")


def diff_runs(before: Path, after: Path, root: Path = Path("runs")) -> RunDiff:
    """Compare the runs in two places; anything but a folder names an agent with runs below `root`."""
    if before.resolve() == after.resolve():
        raise Problem(f"{before} is on both sides: there is nothing to compare. Name two versions.")
    first, second = _side(before, root), _side(after, root)
    compared = compare_agents(second.runs, first.runs).differences
    first, second = _alike(first, second), _alike(second, first)
    pairs = [place for place in sorted(first.verdicts) if place in second.verdicts]
    if not pairs:
        raise Problem("The two have no case and run in common. Run both with the same --set and --runs.")
    flips = tuple(_flips(first, second))
    same = {place for place in pairs if first.verdicts[place].transcript == second.verdicts[place].transcript}
    status, why = _status(first, second, pairs, same, flips, compared)
    return RunDiff(
        before=_title(first, before),
        after=_title(second, after),
        status=status,
        why=why,
        flips=flips,
        conversations=len(pairs),
        identical=len(same),
        differences=tuple(one for one in compared if one.metric in COMPARED),
        undecided=_undecided(first, second, pairs),
    )


def _undecided(first: DiffSide, second: DiffSide, pairs: list[tuple[int, str]]) -> tuple[str, ...]:
    before, after = (
        {place: side.verdicts[place].outcome.handling for place in pairs} for side in (first, second)
    )
    unclear = (place for place in pairs if before[place] != "undecided" and after[place] == "undecided")
    return tuple(dict.fromkeys(case for _, case in unclear))


def _title(side: DiffSide, place: Path) -> str:
    return side.agent if str(place) == side.agent else f"{side.agent} ({place})"


def _side(path: Path, root: Path) -> DiffSide:
    named = [] if path.is_dir() else runs_of(root, str(path))
    folders = distinct_runs(named or [path]).folders
    runs = load_runs(folders)
    names = sorted({run.header.agent for run in runs})
    if len(names) > 1:
        raise Problem(f"holds runs of {', '.join(names)}; name the folder of one agent's runs.", place=path)
    verdicts = {(run.header.run, one.case): one for run in runs for one in run.verdicts if one.counts}
    return DiffSide(runs, verdicts, folders)


def _alike(side: DiffSide, other: DiffSide) -> DiffSide:
    """A side without the runs whose number is that of a run of another draw on the other side."""
    mine, theirs = side.draws(), other.draws()
    kept = {run for run, draw in mine.items() if theirs.get(run, draw) == draw and draw in theirs.values()}
    return side._replace(
        verdicts={place: one for place, one in side.verdicts.items() if place[0] in kept},
    )


def _by_case(side: DiffSide) -> Mapping[str, dict[int, Handling]]:
    found: dict[str, dict[int, Handling]] = defaultdict(dict)
    for (run, case), verdict in side.verdicts.items():
        if verdict.outcome.handling != "undecided":
            found[case][run] = verdict.outcome.handling
    return found


def _flips(first: DiffSide, second: DiffSide) -> Iterator[Flip]:
    """Every case that is handled otherwise, the worst first."""
    before, after = _by_case(first), _by_case(second)
    kinds = {case: _kind(before[case], after[case]) for case in sorted(before) if case in after}
    talks = [_transcripts(side, {case for case, kind in kinds.items() if kind}) for side in (first, second)]
    for wanted in ("newly unsafe", "newly wrong", "fixed"):
        for case, kind in kinds.items():
            if kind == wanted:
                yield _flip(kind, case, (before[case], after[case]), (first, second), talks)


def _kind(before: dict[int, Handling], after: dict[int, Handling]) -> FlipKind | None:
    def share(states: dict[int, Handling], *bad: Handling) -> float:
        return sum(state in bad for state in states.values()) / len(states)

    unsafe = share(after, "unsafe") - share(before, "unsafe")
    bad = share(after, "unsafe", "wrong") - share(before, "unsafe", "wrong")
    if unsafe > 0:
        return "newly unsafe"
    if bad > 0:
        return "newly wrong"
    return "fixed" if unsafe < 0 or bad < 0 else None


def _flip(
    kind: FlipKind,
    case: str,
    states: tuple[dict[int, Handling], dict[int, Handling]],
    sides: tuple[DiffSide, DiffSide],
    talks: list[dict[tuple[int, str], Transcript]],
) -> Flip:
    bad: tuple[Handling, ...] = ("unsafe",) if kind == "newly unsafe" else ("unsafe", "wrong")
    if kind == "fixed" and not any(state == "wrong" for state in states[0].values()):
        bad = ("unsafe",)
    counts = [f"{sum(one in bad for one in found.values())} of {len(found)}" for found in states]
    worse = 0 if kind == "fixed" else 1
    runs = [_run_with(found, bad, side == worse) for side, found in enumerate(states)]
    both = next(
        (
            run
            for run in states[0]
            if run in states[1] and (states[worse][run] in bad) and states[1 - worse][run] not in bad
        ),
        None,
    )
    first, second = (both, both) if both is not None else (runs[0], runs[1])
    shown = sides[worse].verdicts[(first, second)[worse], case]
    parting = divergence(talks[0][first, case], talks[1][second, case])
    return Flip(kind, case, counts[0], counts[1], what_is_wrong(shown), parting)


def _run_with(states: dict[int, Handling], bad: tuple[Handling, ...], wanted: bool) -> int:
    """The first run that went wrong, or the first that did not; any, if there is none."""
    return next((run for run, state in states.items() if (state in bad) == wanted), next(iter(states)))


def _transcripts(side: DiffSide, cases: set[str]) -> dict[tuple[int, str], Transcript]:
    found = {}
    for folder in side.folders if cases else ():
        for filed in read_transcripts(folder):
            if filed.transcript.case in cases:
                found[filed.transcript.run, filed.transcript.case] = filed.transcript
    return found


def what_is_wrong(verdict: Verdict) -> str:
    """Why a conversation was not handled right, in the words of the check that decided it."""
    kind, finding = verdict.outcome.kind, verdict.of(verdict.outcome.check)
    if kind == "broke":
        return f"broke off: {verdict.cause.replace('_', ' ')}"
    return f"{kind.replace('_', ' ')}: {finding.reason if finding else 'no reason on record'}"


def _status(
    first: DiffSide,
    second: DiffSide,
    pairs: list[tuple[int, str]],
    same: set[tuple[int, str]],
    flips: tuple[Flip, ...],
    compared: Iterable[MetricDifference],
) -> tuple[DiffStatus, str]:
    """Flips are the answer for an agent that repeats itself; for any other, chance has to be ruled out."""
    if not any(flip.kind != "fixed" for flip in flips):
        if unclear := _undecided(first, second, pairs):
            return (
                "undecided",
                f"Code decided these before and cannot now: {named_first(unclear)}.",
            )
        return _unflipped_status(compared)
    states = [{place: side.verdicts[place].outcome.handling for place in pairs} for side in (first, second)]
    unflipped = [place for place in pairs if states[0][place] == states[1][place]]
    unseen = first.unseen or second.unseen
    if not unseen and sum(place in same for place in unflipped) >= REPEATS_FROM * max(1, len(unflipped)):
        return (
            "worse",
            "Most other conversations are word for word as before, so chance is unlikely; `sab gate` runs "
            "such cases again to be sure.",
        )
    if significant := [one for one in _worse(compared) if one.is_significant]:
        return "worse", f"{significant[0].title} is significantly worse for cases like these."
    for bad in (("unsafe",), ("unsafe", "wrong")):
        if together(_trials(states[0], states[1], first.draws(), bad)) <= LEVEL / 2:
            return "worse", "Chance does not explain how often these cases got worse."
    if unseen:
        return "undecided", f"These flips may be chance, or not: {unseen}."
    return "undecided", "The agent does not repeat itself word for word, so these flips may be chance."


def _worse(compared: Iterable[MetricDifference]) -> list[MetricDifference]:
    """The compared metrics that went the wrong way."""
    falls = {metric.name: metric.better == "lower" for metric in METRICS}
    found = [one for one in compared if one.metric in COMPARED and one.difference]
    return [one for one in found if (one.difference > 0) == falls[one.metric]]


def _unflipped_status(compared: Iterable[MetricDifference]) -> tuple[DiffStatus, str]:
    """No case is worse as a whole, but what was wrong before may be wrong in another way now."""
    fine = "No case is newly unsafe or newly wrong"
    if not (worse := _worse(compared)):
        return "no worse", f"{fine}."
    one = next((one for one in worse if one.is_significant), worse[0])
    after, before = (f"{100 * value:.0f}%" for value in (one.first, one.second))
    went = f"{fine}, but {one.title.casefold()} went from {before} to {after}"
    if one.is_significant:
        return "worse", f"{went}, significantly."
    return "undecided", f"{went}, which may be chance for cases like these."


def _trials(
    before: Mapping[tuple[int, str], Handling],
    after: Mapping[tuple[int, str], Handling],
    draws: Mapping[int, str],
    bad: tuple[Handling, ...],
) -> list[ItemTrials]:
    """How often each case went wrong on both sides, where code decided it."""
    counts: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    for (run, case), state in before.items():
        now = after[run, case]
        if "undecided" not in (state, now):
            found = counts[draws[run], case]
            found[0] += state in bad
            found[1] += 1
            found[2] += now in bad
            found[3] += 1
    return [ItemTrials(*found) for found in counts.values()]
