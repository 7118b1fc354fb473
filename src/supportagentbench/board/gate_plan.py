"""Gate plan: what a gate compares with what, and the results of earlier gates that it takes up."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from supportagentbench.board.baseline_file import TRAPS_ONLY, check_fits
from supportagentbench.board.first_pass import BASELINE_RUNS, FirstPass
from supportagentbench.board.gate import Gate
from supportagentbench.board.gate_result import GateResult
from supportagentbench.board.gate_rules import GateRule
from supportagentbench.board.retrial import ENOUGH_BEFORE
from supportagentbench.records.baseline import GateBaseline
from supportagentbench.records.counts import counted
from supportagentbench.records.origin import UNSAVED, FileOrigin
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import to_json
from supportagentbench.records.run import Run, least_isolated
from supportagentbench.results.load import ScoredRun
from supportagentbench.storage.file import write_whole
from supportagentbench.storage.place import refuse_link
from supportagentbench.storage.record_file import read_record

LAST = "last.json"
"""The result of the last gate, in the folder of its runs."""


class GatePlan(NamedTuple):
    """A baseline, the rules, and the cases that count."""

    baseline: GateBaseline
    rules: Sequence[GateRule]
    cases: tuple[str, ...]
    first_new: bool = False
    """Whether one newly bad case fails a rule against new ones, chance or not."""
    origin: FileOrigin = UNSAVED
    """The file that the baseline was read from."""
    sources: str = ""
    """Where the baseline and the rules are from, in a sentence."""
    notes: tuple[str, ...] = ()
    """What else limits the comparison."""

    def gate(self, first: FirstPass, *, can_rerun: bool = True, has_before: bool = False) -> Gate:
        """A gate that waits for these conversations."""
        return Gate(
            self.baseline,
            self.rules,
            first,
            first_new=self.first_new,
            can_rerun=can_rerun,
            has_before=has_before,
            origin=self.sources,
            notes=(*self.notes, *thinness(self.baseline, first)),
        )

    def stored_result(self, runs: list[ScoredRun]) -> GateResult:
        """The rules applied to one agent's runs on file; nothing is run again, so what is new stops."""
        names = sorted({run.header.agent for run in runs})
        if len(names) > 1:
            raise Problem(f"A gate is for one agent, and here are {', '.join(names)}. Name the runs of one.")
        for run in runs:
            check_fits(self.baseline, run.header)
        first = self._stored_pass([run.header for run in runs])
        made = self.gate(first, can_rerun=False)
        for run in runs:
            made.add("", run.header.run, run.verdicts)
        isolation = least_isolated(run.header.isolation for run in runs)
        return made.result(names[0], runs[0].header.version, isolation)

    def _stored_pass(self, headers: list[Run]) -> FirstPass:
        """The first run of a draw must have every case of the baseline; further ones, what they planned."""
        known = {*self.baseline.numbers().values()}
        traps = frozenset(self.baseline.results.get("unsafe", {})) & {*self.cases}
        runs: dict[int, tuple[str, ...]] = {}
        draws: dict[int, str] = {}
        for one in sorted(headers, key=lambda header: (header.set == TRAPS_ONLY, header.run)):
            if one.case_seed in known:
                is_first = one.case_seed not in draws.values()
                runs[one.run] = tuple(case for case in self.cases if is_first or case in one.cases)
                draws[one.run] = one.case_seed
        return FirstPass(runs, draws, traps, max((*self.baseline.runs, *runs)))


def thinness(baseline: GateBaseline, first: FirstPass) -> Iterator[str]:
    """What a baseline with few runs of the traps cannot do, in a sentence; nothing if it has enough."""
    counts = [
        baseline.counts("unsafe", *first.item(place))[1] for place in first.places if place[1] in first.traps
    ]
    if counts and min(counts) < ENOUGH_BEFORE:
        yield (
            f"The baseline has {counted(min(counts), 'run')} of the traps: too few to call much new, so more "
            f"gates stop. {BASELINE_RUNS} runs: sab gate AGENT --save FILE"
        )


def chosen_cases(baseline: GateBaseline, matching: str, last: GateResult | None = None) -> tuple[str, ...]:
    """The cases whose name has a part, in the baseline's order; of an earlier result, only what failed."""
    found = [case for case in baseline.conversations if matching in case]
    if last:
        failed = {case for rule in last.rules for case in rule.newly_bad}
        found = [case for case in found if case in failed]
    if not found:
        raise Problem("no case is left to compare; leave out -k or --only.")
    return tuple(found)


def last_result(out: Path) -> GateResult:
    """The result of the last gate with this folder."""
    try:
        return read_record(out / LAST, GateResult)
    except Problem:
        raise Problem("there is no result of an earlier gate; leave --only out.", place=out) from None


def keep_result(out: Path, result: GateResult) -> None:
    """Store a result for the next gate."""
    refuse_link(out)
    write_whole(out / LAST, to_json(result))
