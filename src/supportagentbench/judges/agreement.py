"""Agreement: how well judges of the same conversations agree, and which agents they favour.

Judge, second judge and `rules` are compared item by item; an item is one criterion of one conversation.
Means alone say nothing: a judge whose verdicts are shuffled has the right mean.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from supportagentbench.records.case import Bucket
from supportagentbench.records.judgement import (
    RESOLUTION,
    RULE_JUDGE,
    SENTIMENT,
    Flips,
    Judgement,
    counting_versions,
    flip_rate,
)
from supportagentbench.records.record import Record
from supportagentbench.records.run import Run
from supportagentbench.stats.agreement import Confusion, ac1, alpha, confusion, kappa
from supportagentbench.stats.comparison import PairedDifference, paired
from supportagentbench.stats.rates import CONFIDENCE, clustered_wilson, holm
from supportagentbench.storage.archive import folder_name

ADHERENCE = "adherence"
JUDGED = (RESOLUTION, ADHERENCE, SENTIMENT)
"""The judged metrics; adherence is all rules together."""

Item = tuple[str, str]
"""A source, and a criterion."""

Verdicts = Mapping[Item, bool]
"""One judge's verdict on every item that it decided."""

Floats = NDArray[np.float64]


class Source(Record):
    """Where a judged conversation comes from, which judges do not know."""

    name: str
    """Of run and transcript: two agents may hold the same conversation word for word."""
    agent: str
    vendor: str
    """The family of models in the agent's name; empty if none."""
    case: str
    family: str
    bucket: Bucket = "resolvable"
    is_twin: bool = False

    def counts_for(self, criterion: str) -> bool:
        """Whether the board counts it: no twins, and resolution where a case can be resolved."""
        return not self.is_twin and (criterion != RESOLUTION or self.bucket == "resolvable")


def source_name(header: Run, transcript: str) -> str:
    """What the transcript of this digest in this run is called."""
    return f"{folder_name(header)}/{transcript}"


class Judged(NamedTuple):
    """Conversations, and every judge's opinions on them."""

    sources: dict[str, Source]
    """By name."""
    judgements: list[Judgement]
    """Their `transcript` is the name of the source."""


class Series(NamedTuple):
    """All judgements of one judge in one version; two versions are never pooled."""

    judge: str
    version: str
    judgements: tuple[Judgement, ...]
    set_aside: dict[str, int]
    """By other version, how many judgements are on file and not used."""

    def verdicts(self) -> dict[Item, bool]:
        """What it decided at first asking; judging again only shows how steady it is."""
        return {
            (judgement.transcript, opinion.criterion): opinion.met
            for judgement in self.judgements
            if judgement.sample == 0
            for opinion in judgement.opinions
            if opinion.met is not None
        }


class Rate(Record):
    """k of n, with the 95% interval for cases like these."""

    k: int
    n: int
    low: float
    high: float


class Compared(Record):
    """Two judges on the items of one kind that both decided."""

    kind: str
    """A judged metric, or the id of a rule."""
    counts: Confusion
    """Yes is `met`."""
    kappa: float | None
    ac1: float
    found_by_second: Rate | None
    """Of the items that the first calls not met, how many the second does too."""
    found_by_first: Rate | None

    @property
    def agreed(self) -> float:
        """The share of items on which they say the same."""
        return (self.counts.both + self.counts.neither) / self.counts.items


class JudgeGap(Record):
    """A difference with its interval, and how easily chance would make it."""

    difference: float
    low: float
    high: float
    p: float


class Drift(Record):
    """How much better one entrant fares with the first judge than with the second; cases weigh the same."""

    metric: str
    level: Literal["agent", "vendor"]
    entrant: str
    items: int
    first: float
    second: float
    gap: JudgeGap
    """The first's mean less the second's."""
    beyond: JudgeGap | None
    """How much kinder the first is to this entrant than to all others. An entrant that is far better or
    worse than they drifts by itself, because errors pull every rate towards the middle. So the others are
    taken once where the second judge says the same and once where the first does; the truth is between
    (direct and reverse regression), the one closer to zero is here, and none if they contradict each other. P
    is that of the weaker one, after Holm over all entrants."""

    @property
    def is_favour(self) -> bool:
        """Whether one of the judges treats this entrant unlike the others."""
        return self.beyond is not None and self.beyond.p <= 1 - CONFIDENCE


class JudgePair(Record):
    """Two judges on the same conversations."""

    first: str
    second: str
    kinds: tuple[Compared, ...]
    """The judged metrics first, then rule by rule."""
    drifts: tuple[Drift, ...] = ()

    def of(self, kind: str) -> Compared | None:
        """The comparison on this kind, if both decided any."""
        return next((found for found in self.kinds if found.kind == kind), None)


class Steadiness(Record):
    """How much of what a judge said counts, and how often it says something else when asked again."""

    judge: str
    version: str
    conversations: int
    opinions: int
    void: int
    """Opinions without evidence, or that could not be read."""
    untold: int
    """Opinions that it could not tell."""
    flips: Flips
    set_aside: dict[str, int] = {}
    """By other version, judgements that are on file and not used."""


class Together(Record):
    """All judges at once, on the items of one metric that every one of them decided."""

    metric: str
    judges: int
    items: int
    alpha: float | None
    """Krippendorff's, over all items that at least two decided."""
    votes: float | None
    """How many independent votes they are worth: a lower bound, since agreeing on the truth counts too."""


class Agreement(Record, tag_field="record", tag="agreement/1"):
    """Every judge on file against every other."""

    judges: tuple[Steadiness, ...]
    pairs: tuple[JudgePair, ...]
    together: tuple[Together, ...]


def agreement(judged: Judged) -> Agreement:
    """How all judges of these conversations agree, pair by pair and all together."""
    series = series_of(judged)
    said = {one.judge: one.verdicts() for one in series}
    return Agreement(
        judges=tuple(map(_steadiness, series)),
        pairs=tuple(
            compare(first, second, said, judged.sources, with_drift=True)
            for first, second in combinations(said, 2)
        ),
        together=tuple(_together(list(said.values()))),
    )


def series_of(judged: Judged, versions: Mapping[str, str] | None = None) -> list[Series]:
    """One series per judge, `rules` last: the version that counts, unless another is asked for."""
    by_judge: dict[str, dict[str, list[Judgement]]] = defaultdict(lambda: defaultdict(list))
    known = [one for one in judged.judgements if one.transcript in judged.sources]
    for judgement in known:
        by_judge[judgement.judge][judgement.version].append(judgement)
    counting, found = counting_versions(known), []
    for judge, given in by_judge.items():
        wanted = (versions or {}).get(judge, "")
        version = wanted if wanted in given else counting[judge]
        others = {other: len(given[other]) for other in given if other != version}
        found.append(Series(judge, version, tuple(given[version]), others))
    return sorted(found, key=lambda one: one.judge == RULE_JUDGE)


def metric_of(criterion: str) -> str:
    """The judged metric that a criterion counts for."""
    return criterion if criterion in (RESOLUTION, SENTIMENT) else ADHERENCE


def by_kind(items: Iterable[Item]) -> dict[str, list[Item]]:
    """The items of every metric, and rule by rule; metrics come first."""
    found: dict[str, list[Item]] = {metric: [] for metric in JUDGED}
    rules: dict[str, list[Item]] = defaultdict(list)
    for item in items:
        metric = metric_of(item[1])
        found[metric].append(item)
        if metric == ADHERENCE:
            rules[item[1]].append(item)
    return {kind: some for kind, some in (found | dict(sorted(rules.items()))).items() if some}


def compare(
    first: str,
    second: str,
    said: Mapping[str, Verdicts],
    sources: Mapping[str, Source],
    *,
    with_drift: bool = False,
) -> JudgePair:
    """Two judges on all items that both decided."""
    one, other = said[first], said[second]
    kinds = by_kind(item for item in one if item in other)
    return JudgePair(
        first,
        second,
        tuple(_compared(kind, items, one, other, sources) for kind, items in kinds.items()),
        tuple(_drifts(kinds, one, other, sources)) if with_drift else (),
    )


def _compared(
    kind: str, items: list[Item], first: Verdicts, second: Verdicts, sources: Mapping[str, Source]
) -> Compared:
    counts = confusion([first[item] for item in items], [second[item] for item in items])
    return Compared(
        kind,
        counts,
        kappa(counts),
        ac1(counts),
        found_by_second=_noes_found(items, first, second, sources),
        found_by_first=_noes_found(items, second, first, sources),
    )


def _noes_found(
    items: list[Item], said: Verdicts, also: Verdicts, sources: Mapping[str, Source]
) -> Rate | None:
    """How many of one judge's noes another has too; families of cases are the clusters."""
    noes = [item for item in items if not said[item]]
    if not noes:
        return None
    found = [float(not also[item]) for item in noes]
    low, high = clustered_wilson(found, [sources[name].family for name, _ in noes])
    return Rate(int(sum(found)), len(noes), low, high)


def _drifts(
    kinds: Mapping[str, list[Item]], first: Verdicts, second: Verdicts, sources: Mapping[str, Source]
) -> Iterator[Drift]:
    for metric in JUDGED:
        if metric in kinds:
            yield from _drift("agent", metric, kinds[metric], first, second, sources)
            yield from _drift("vendor", metric, kinds[metric], first, second, sources)


def _drift(
    level: Literal["agent", "vendor"],
    metric: str,
    items: list[Item],
    first: Verdicts,
    second: Verdicts,
    sources: Mapping[str, Source],
) -> Iterator[Drift]:
    """Every entrant of one level, in the order of their names."""
    read = _Read.of(items, first, second, [getattr(sources[name], level) for name, _ in items], sources)
    beyond = [_beyond(read, entrant) for entrant in read.entrants]
    adjusted = holm([found.p if found else 1.0 for found in beyond])
    for entrant, extra, p in zip(read.entrants, beyond, adjusted, strict=True):
        own = read.by == entrant
        one, other = read.case_means(read.first, own), read.case_means(read.second, own)
        yield Drift(
            metric,
            level,
            entrant,
            items=int(own.sum()),
            first=float(np.nanmean(one)),
            second=float(np.nanmean(other)),
            gap=_gap(paired(one, other, read.families)),
            beyond=_gap(extra._replace(p=float(p))) if extra else None,
        )


class _Read(NamedTuple):
    """Items that two judges decided, as columns."""

    first: Floats
    second: Floats
    by: NDArray[np.str_]
    """Whose conversation it is."""
    case: NDArray[np.intp]
    families: list[str]
    """Of every case."""

    @classmethod
    def of(
        cls,
        items: list[Item],
        first: Verdicts,
        second: Verdicts,
        by: list[str],
        sources: Mapping[str, Source],
    ) -> "_Read":
        family_of = {sources[name].case: sources[name].family for name, _ in items}
        numbers = {case: number for number, case in enumerate(family_of)}
        return cls(
            np.array([float(first[item]) for item in items]),
            np.array([float(second[item]) for item in items]),
            np.array(by),
            np.array([numbers[sources[name].case] for name, _ in items]),
            list(family_of.values()),
        )

    @property
    def entrants(self) -> list[str]:
        return sorted(set(self.by.tolist()))

    def case_means(self, values: Floats, chosen: NDArray[np.bool_]) -> Floats:
        """Means case by case of what is chosen; nan where there is nothing."""
        cases = len(self.families)
        total = np.bincount(self.case[chosen], values[chosen], cases)
        count = np.bincount(self.case[chosen], minlength=cases)
        return np.asarray(np.divide(total, count, out=np.full(cases, np.nan), where=count > 0))


def _beyond(read: _Read, entrant: str) -> PairedDifference | None:
    """How much kinder the first judge is to this entrant than to the others, or less kind the second."""
    direct = _given(read, read.first, read.second, entrant)
    reverse = _given(read, read.second, read.first, entrant)
    if direct is None or reverse is None or direct.difference * reverse.difference >= 0:
        return None
    turned = reverse._replace(difference=-reverse.difference, low=-reverse.high, high=-reverse.low)
    nearer = min(direct, turned, key=lambda found: abs(found.difference))
    return nearer._replace(p=max(direct.p, turned.p))


def _given(read: _Read, said: Floats, other: Floats, entrant: str) -> PairedDifference | None:
    """How much more often an entrant's items are met than others' of which the other judge says the same."""
    own = read.by == entrant
    expected = np.full(len(said), np.nan)
    for verdict in (0.0, 1.0):
        alike = other == verdict
        if (alike & ~own).any():
            expected[alike] = said[alike & ~own].mean()
    known = ~np.isnan(expected)
    ours, theirs = (read.case_means(said - expected, known & whose) for whose in (own, ~own))
    return None if np.isnan(ours - theirs).all() else paired(ours, theirs, read.families)


def _gap(found: PairedDifference) -> JudgeGap:
    return JudgeGap(found.difference, found.low, found.high, found.p)


def _steadiness(series: Series) -> Steadiness:
    first = [judgement for judgement in series.judgements if judgement.sample == 0]
    met = Counter(
        "void" if opinion.void else "untold" if opinion.met is None else "told"
        for judgement in first
        for opinion in judgement.opinions
    )
    return Steadiness(
        series.judge,
        series.version,
        conversations=len(first),
        opinions=met.total(),
        void=met["void"],
        untold=met["untold"],
        flips=flip_rate(series.judgements),
        set_aside=series.set_aside,
    )


def _together(said: Sequence[Verdicts]) -> Iterator[Together]:
    everything = by_kind(dict.fromkeys(item for verdicts in said for item in verdicts))
    for metric in JUDGED if len(said) > 1 else ():
        items = everything.get(metric, [])
        table = np.array([[float(one.get(item, np.nan)) for item in items] for one in said])
        if (np.isfinite(table).sum(0) > 1).any():
            whole = table[:, np.isfinite(table).all(0)]
            yield Together(metric, len(said), whole.shape[1], alpha(table), votes(whole))


def votes(table: Floats) -> float | None:
    """Kish's effective number of votes: a row per judge, a column per item (Kohli 2026, arXiv 2605.29800).
    None if one of them never varies, since their similarity is then unknown.
    """
    judges = len(table)
    if judges < 2 or not table.shape[1] or not np.ptp(table, axis=1).all():
        return None
    alike = float(np.mean(np.asarray(np.corrcoef(table))[np.triu_indices(judges, 1)]))
    return judges / (1 + (judges - 1) * max(alike, 0.0))
