"""People: what judges are worth against people's labels, and what their figures become when corrected.

The labels are a sample drawn stratum by stratum: by metric, and by what one judge said. So that the rare
noes that were drawn more often do not count for more, every rate is worked out cell by cell and weighted
by how many items the cell really has.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from math import sqrt
from typing import Literal, NamedTuple

import numpy as np

from supportagentbench.judges.agreement import (
    JUDGED,
    Item,
    Judged,
    JudgePair,
    Series,
    Source,
    Verdicts,
    by_kind,
    compare,
    metric_of,
    series_of,
    votes,
)
from supportagentbench.records.judgement import Judgement
from supportagentbench.records.record import Record
from supportagentbench.stats.agreement import Confusion, confusion
from supportagentbench.stats.alt_test import AltTest, alt_test
from supportagentbench.stats.correction import (
    LEAST_LABELS,
    LEAST_SKILL,
    Corrected,
    CorrectionStratum,
    powered,
    rogan_gladen,
)
from supportagentbench.stats.rates import Z, clustered_wilson, wilson

TOO_FEW: Literal["too few labels"] = "too few labels"
TOO_WEAK: Literal["judge too weak"] = "judge too weak"
Refusal = Literal["too few labels", "judge too weak"]

ALL_AGENTS = ""


class Share(Record):
    """A rate that was worked out from a weighted sample."""

    rate: float
    low: float
    high: float
    labels: int
    """Labels it is based on."""
    worth: float
    """How many independent labels would tell as much."""


class Skill(Record):
    """How well a judge finds what people find, on one kind of criterion."""

    kind: str
    """A judged metric, or the id of a rule."""
    counts: Confusion
    """Labels as they are, unweighted; people first, yes is `met`."""
    sensitivity: Share | None
    """Of what people call met, how much the judge calls met."""
    specificity: Share | None
    """Of what people call not met, how much the judge calls not met."""


class CorrectedFigure(Record):
    """A judged metric of one agent as the judge has it, and corrected in two ways."""

    metric: str
    agent: str
    """Empty: all agents."""
    raw: Corrected
    """The judge's own, with the interval for cases like these."""
    items: int
    rogan_gladen: Corrected | Refusal
    """Taking the judge to be as good with this agent as with all; for cases like these."""
    powered: Corrected | Refusal
    """From this agent's own labels, regardless of the judge's errors; for these conversations only."""


class Calibrated(Record):
    """One judge against people."""

    judge: str
    version: str
    skills: tuple[Skill, ...]
    figures: tuple[CorrectedFigure, ...]
    alt_test: AltTest | None
    """None: it needs three annotators who read enough of the same items."""

    def skill(self, kind: str) -> Skill | None:
        """How well it does on this kind, if any of it was labelled."""
        return next((found for found in self.skills if found.kind == kind), None)


class Calibration(Record, tag_field="record", tag="calibration/1"):
    """All judges against people."""

    drawn_by: str
    """The judge whose verdicts the sample was drawn by."""
    annotators: tuple[str, ...]
    labels: int
    """Items on which people agree, or most of them."""
    unclear: int
    """Items that people could not decide."""
    tied: int
    """Items on which as many say yes as no; they count as no label."""
    among: tuple[JudgePair, ...]
    """Annotators against each other."""
    judges: tuple[Calibrated, ...]
    votes: float | None
    """How many independent votes the judges are worth together, by how similar their errors are."""

    def of(self, judge: str) -> Calibrated | None:
        return next((found for found in self.judges if found.judge == judge), None)


class LabelledCell(NamedTuple):
    """Items with the same verdicts by the judges, and people's labels of some of them."""

    read: bool
    items: int
    labels: int
    yes: int


class Sampled(NamedTuple):
    """What a sample was drawn from, and people's labels."""

    strata: Verdicts
    """By item, the verdict it was drawn by."""
    labels: Verdicts
    sources: Mapping[str, Source]


def calibrate(judged: Judged, people: Sequence[Judgement], drawn_by: str, version: str) -> Calibration:
    """Every judge against people's labels, of a sample that was drawn by one of them in this version.

    Only what the board counts is part of it.
    """
    series = series_of(judged, {drawn_by: version})
    said = {one.judge: one.verdicts() for one in series}
    given = _by_annotator(people)
    labels, tied = majority(given.values())
    asked = {(one.transcript, opinion.criterion) for one in people for opinion in one.opinions}
    strata = {
        item: met for item, met in said[drawn_by].items() if judged.sources[item[0]].counts_for(item[1])
    }
    sample = Sampled(strata, {item: met for item, met in labels.items() if item in strata}, judged.sources)
    return Calibration(
        drawn_by=drawn_by,
        annotators=tuple(given),
        labels=len(sample.labels),
        unclear=len(asked - labels.keys() - tied),
        tied=len(tied),
        among=tuple(
            compare(one, other, given, judged.sources)
            for at, one in enumerate(given)
            for other in list(given)[at + 1 :]
        ),
        judges=tuple(_calibrated(one, said[one.judge], sample, given) for one in series),
        votes=_votes_of_errors(list(said.values()), sample.labels),
    )


def _by_annotator(people: Iterable[Judgement]) -> dict[str, dict[Item, bool]]:
    given: dict[str, dict[Item, bool]] = {}
    for one in people:
        given.setdefault(one.judge, {}).update(Series(one.judge, one.version, (one,), {}).verdicts())
    return given


def majority(given: Iterable[Verdicts]) -> tuple[dict[Item, bool], set[Item]]:
    """The majority label of every item, and the items on which people are split."""
    balance: dict[Item, int] = defaultdict(int)
    for verdicts in given:
        for item, met in verdicts.items():
            balance[item] += 1 if met else -1
    return {item: lead > 0 for item, lead in balance.items() if lead}, {
        item for item, lead in balance.items() if not lead
    }


def _calibrated(series: Series, said: Verdicts, sample: Sampled, given: Mapping[str, Verdicts]) -> Calibrated:
    items = [item for item in sample.strata if item in said]
    skills = [_skill(kind, some, said, sample) for kind, some in by_kind(items).items()]
    skills = [skill for skill in skills if skill.counts.items]
    by_kind_of = {skill.kind: skill for skill in skills}
    figures = []
    for (metric, agent), some in _by_agent(items, sample.sources).items():
        figures.append(_figure(metric, agent, some, said, sample, by_kind_of.get(metric)))
    return Calibrated(series.judge, series.version, tuple(skills), tuple(figures), alt_test(said, given))


def _by_agent(items: Iterable[Item], sources: Mapping[str, Source]) -> dict[tuple[str, str], list[Item]]:
    """By metric and agent; first all agents together."""
    found: dict[tuple[str, str], list[Item]] = defaultdict(list)
    for item in items:
        found[metric_of(item[1]), ALL_AGENTS].append(item)
        found[metric_of(item[1]), sources[item[0]].agent].append(item)
    return {key: found[key] for key in sorted(found, key=lambda key: (JUDGED.index(key[0]), key[1]))}


def _skill(kind: str, items: Sequence[Item], said: Verdicts, sample: Sampled) -> Skill:
    labelled = [item for item in items if item in sample.labels]
    counts = confusion([sample.labels[item] for item in labelled], [said[item] for item in labelled])
    cells = _cells(items, said, sample)
    misread = [cell._replace(read=not cell.read, yes=cell.labels - cell.yes) for cell in cells]
    return Skill(kind, counts, sensitivity=found_share(cells), specificity=found_share(misread))


def _cells(items: Iterable[Item], said: Verdicts, sample: Sampled) -> list[LabelledCell]:
    """Within a stratum and a judge's verdict, the labelled items represent all."""
    counts: dict[tuple[bool, bool], list[int]] = defaultdict(lambda: [0, 0, 0])
    for item in items:
        count = counts[sample.strata[item], said[item]]
        count[0] += 1
        if item in sample.labels:
            count[1] += 1
            count[2] += sample.labels[item]
    return [LabelledCell(read, *count) for (_, read), count in counts.items()]


def found_share(cells: Sequence[LabelledCell]) -> Share | None:
    """The share of true yeses that is read as yes; None if no label says yes.

    What a cell's labels leave open is Jeffreys' beta, so one without labels is half and half and wholly
    open; the error of the ratio is that of its logarithm.
    """
    labels = sum(cell.yes for cell in cells)
    if not labels:
        return None
    seen, mean, error = ({True: 0.0, False: 0.0} for _ in range(3))
    for cell in cells:
        yes = (cell.yes + 0.5) / (cell.labels + 1)
        seen[cell.read] += cell.items * (cell.yes / cell.labels if cell.labels else 0.5)
        mean[cell.read] += cell.items * yes
        error[cell.read] += cell.items**2 * yes * (1 - yes) / (cell.labels + 2)
    rate, soft = (part[True] / (part[True] + part[False]) for part in (seen, mean))
    worth = float(labels)
    if all(mean.values()):
        worth = 1 / (soft * (1 - soft) * sum(error[read] / mean[read] ** 2 for read in mean))
    return Share(rate, *wilson(rate, worth), labels=labels, worth=worth)


def _figure(
    metric: str,
    agent: str,
    items: Sequence[Item],
    said: Verdicts,
    sample: Sampled,
    skill: Skill | None,
) -> CorrectedFigure:
    raw = _raw(items, said, sample.sources)
    return CorrectedFigure(metric, agent, raw, len(items), _gladen(raw, skill), _powered(items, said, sample))


def _raw(items: Sequence[Item], said: Verdicts, sources: Mapping[str, Source]) -> Corrected:
    """The share of items met; a repeated case is not a new case, and families are the clusters."""
    met: dict[tuple[str, str], list[bool]] = defaultdict(list)
    for item in items:
        source = sources[item[0]]
        met[source.case, source.family].append(said[item])
    rates, sizes = (
        [sum(some) / len(some) for some in met.values()],
        [float(len(some)) for some in met.values()],
    )
    rate = sum(map(sum, met.values())) / len(items)
    return Corrected(rate, *clustered_wilson(rates, [family for _, family in met], sizes))


def _gladen(raw: Corrected, skill: Skill | None) -> Corrected | Refusal:
    if skill is None or skill.sensitivity is None or skill.specificity is None:
        return TOO_FEW
    found, spared = skill.sensitivity, skill.specificity
    trials = trials_behind(raw)
    # Counts of independent labels that would tell as much, so they need not be whole.
    yes = found.rate * found.worth, found.worth
    no = spared.rate * spared.worth, spared.worth
    corrected = rogan_gladen((raw.rate * trials, trials), yes, no)
    if corrected is not None:
        return corrected
    return TOO_FEW if min(found.worth, spared.worth) < LEAST_LABELS else TOO_WEAK


def trials_behind(found: Corrected) -> float:
    """How many independent trials would give a Wilson interval as wide as this one."""
    half, spread = (found.high - found.low) / 2, found.rate * (1 - found.rate)
    # Wilson's half width is h with (h² - 1/4)u² + (2h² - p(1 - p))u + h² = 0, where u is z²/n.
    b = 2 * half**2 - spread
    return Z**2 * (sqrt(b * b - (4 * half**2 - 1) * half**2) - b) / (2 * half**2)


def _powered(items: Iterable[Item], said: Verdicts, sample: Sampled) -> Corrected | Refusal:
    drawn: dict[bool, tuple[list[Item], list[Item]]] = {}
    for item in items:
        unlabelled, labelled = drawn.setdefault(sample.strata[item], ([], []))
        (labelled if item in sample.labels else unlabelled).append(item)
    strata = []
    for unlabelled, labelled in drawn.values():
        while len(unlabelled) < 2 and labelled:  # A spread takes two; a label more or less does no harm.
            unlabelled.append(labelled.pop())
        strata.append(
            CorrectionStratum(
                [float(said[item]) for item in unlabelled],
                [float(said[item]) for item in labelled],
                [float(sample.labels[item]) for item in labelled],
            )
        )
    return powered(strata) or TOO_FEW


def _votes_of_errors(said: Sequence[Verdicts], labels: Verdicts) -> float | None:
    """The effective number of votes, counted on where the judges are wrong."""
    items = [item for item in labels if all(item in verdicts for verdicts in said)]
    return votes(np.array([[float(one[item] != labels[item]) for item in items] for one in said]))


def calibration_note(calibration: Calibration | None, judge: str, metric: str) -> str:
    """The note next to a judged figure: `uncalibrated` and why, or how good the judge is."""
    found = calibration.of(judge) if calibration else None
    skill = found.skill(metric) if found else None
    if calibration is None or skill is None:
        return "uncalibrated (no person has labelled any of it)"
    labels = skill.counts.items
    yes, no = skill.sensitivity, skill.specificity
    if labels < LEAST_LABELS or yes is None or no is None:
        return f"uncalibrated ({labels} labels are too few)"
    weak = ", hardly better than a coin" if yes.rate + no.rate - 1 < LEAST_SKILL else ""
    return (
        f"{labels} labels by {_people(len(calibration.annotators))}: finds {_percent(yes)} of what "
        f"people call met and {_percent(no)} of what they call not met{weak}"
    )


def _people(count: int) -> str:
    return "one person" if count == 1 else f"{count} people"


def _percent(share: Share) -> str:
    return f"{share.rate * 100:.0f}% ({share.low * 100:.0f}–{share.high * 100:.0f})"
