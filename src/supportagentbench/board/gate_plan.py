"""Gate plan: what a gate compares with what, and the results of earlier gates that it takes up."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from supportagentbench.board.baseline_file import check_fits
from supportagentbench.board.gate import Gate, GateResult, Place, planned_order
from supportagentbench.board.gate_rules import GateRule
from supportagentbench.records.baseline import GateBaseline
from supportagentbench.records.origin import UNSAVED, FileOrigin
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import to_json
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

    def gate(self, order: Sequence[Place]) -> Gate:
        """A gate that waits for these conversations."""
        return Gate(self.baseline, self.rules, order, first_new=self.first_new, origin=self.sources)

    def stored_result(self, runs: list[ScoredRun]) -> GateResult:
        """The rules applied to one agent's runs on file."""
        names = sorted({run.header.agent for run in runs})
        if len(names) > 1:
            raise Problem(f"A gate is for one agent, and here are {', '.join(names)}. Name the runs of one.")
        for run in runs:
            check_fits(self.baseline, run.header)
        made = self.gate(planned_order(self.baseline, [run.header.run for run in runs], self.cases))
        for run in runs:
            made.add_run(run.header.run, run.verdicts)
        isolation = min(run.header.isolation for run in runs)  # The least of them, as on a board.
        return made.result(names[0], runs[0].header.version, isolation)


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
