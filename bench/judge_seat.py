"""How good judges are against labels of faults: `python bench/judge_seat.py RUNS LABELS.jsonl`.

A label is a JSON line: case, turn, kind (a criterion or a check), quote, and whether the fault is real. A
judge finds a fault where it calls a criterion not met or confirms a finding; it is the labelled one if kind
or words agree. Labels name cases, so RUNS should hold one run of one agent.
"""

import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from supportagentbench.judges.agreement import JUDGED, agreement
from supportagentbench.records.judgement import Judgement, counting_judgements
from supportagentbench.records.record import Record
from supportagentbench.results.judged import judged_in
from supportagentbench.results.load import ScoredRun, load_runs
from supportagentbench.storage.jsonl import read_lines


class LabelledFault(Record):
    """A fault that somebody saw, or that was charged and is none."""

    case: str
    turn: int
    kind: str
    quote: str
    real: bool


class JudgedFault(NamedTuple):
    """A fault that a judge found."""

    case: str
    turn: int | None
    kind: str
    quote: str

    def is_labelled(self, label: LabelledFault) -> bool:
        """Whether it is the one of this label: the same kind, or the same words at the same turn."""
        words, other = " ".join(self.quote.split()), " ".join(label.quote.split())
        same_words = self.turn == label.turn and bool(words and other) and (words in other or other in words)
        return self.case == label.case and (self.kind == label.kind or same_words)


def faults_in(judgement: Judgement, case: str) -> Iterator[JudgedFault]:
    """Every fault that a judge found in one conversation."""
    for opinion in judgement.opinions:
        if opinion.met is False:
            yield JudgedFault(case, opinion.turn, opinion.criterion, opinion.quote)
    for one in judgement.findings:
        if one.says == "confirm":
            yield JudgedFault(case, one.turn, one.check, one.quote)


def by_judge(runs: list[ScoredRun]) -> dict[str, list[JudgedFault]]:
    """The faults that each judge found in these runs."""
    found: dict[str, list[JudgedFault]] = defaultdict(list)
    for run in runs:
        cases = {verdict.transcript: verdict.case for verdict in run.verdicts}
        for judge, judgements in counting_judgements(run.judgements).items():
            found[judge] += [
                fault for name, one in judgements.items() for fault in faults_in(one, cases[name])
            ]
    return found


def line(judge: str, faults: list[JudgedFault], labels: list[LabelledFault]) -> str:
    """One judge against the labels."""
    real = [label for label in labels if label.real]
    none = [label for label in labels if not label.real]
    found = sum(any(fault.is_labelled(label) for fault in faults) for label in real)
    rest = [fault for fault in faults if not any(map(fault.is_labelled, real))]
    false = sum(any(map(fault.is_labelled, none)) for fault in rest)
    return (
        f"{judge}: {found} of {len(real)} real faults found; {false} false faults by the labels; "
        f"{len(rest) - false} without a label"
    )


def main(place: str, labels_file: str) -> None:
    """Print every judge against the labels, and every pair of judges."""
    runs, labels = load_runs([Path(place)]), list(read_lines(Path(labels_file), LabelledFault))
    for judge, faults in sorted(by_judge(runs).items()):
        print(line(judge, faults, labels))
    for pair in agreement(judged_in(runs)).pairs:
        for kind in filter(None, map(pair.of, JUDGED)):
            kappa = "–" if kind.kappa is None else f"{kind.kappa:.2f}"
            print(
                f"{pair.first} and {pair.second}, {kind.kind}: {kind.agreed:.0%} of {kind.counts.items} "
                f"the same, kappa {kappa}, AC1 {kind.ac1:.2f}"
            )


if __name__ == "__main__":
    main(*sys.argv[1:3])
