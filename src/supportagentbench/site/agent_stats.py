"""AgentStats: everything a report tells of one entry, counted before a word is written."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from functools import cached_property
from math import ceil, floor
from statistics import fmean, quantiles
from typing import NamedTuple

from supportagentbench.board.badges import TIERS
from supportagentbench.board.metrics import METRICS
from supportagentbench.board.standings import COMPARED, is_ranked
from supportagentbench.records.board import AgentResults, Estimate, Interval, Slice
from supportagentbench.records.case import Bucket
from supportagentbench.records.claim import Claim
from supportagentbench.records.judgement import RESOLUTION, SENTIMENT, Judgement, counting_judgements
from supportagentbench.records.run import Run
from supportagentbench.records.usage_total import UsageTotal
from supportagentbench.site import number
from supportagentbench.site.data import CaseSheet, ConversationRow, SiteData
from supportagentbench.site.issue import SERIOUS
from supportagentbench.site.links import behind
from supportagentbench.site.outcome import OutcomeKind
from supportagentbench.site.page import where
from supportagentbench.site.quote import Quote, Said, checked, in_excerpts, quote_of

TILES = ("escalation", "over_escalation", "unsafe", "resolution", "adherence", "cost")

ALIKE = ("over_escalation", "unsafe", "escalation", "resolution")
"""What entries are near each other on: the mean distance of their medians."""

NEAREST = 3
FEWEST_FOR_QUARTILES = 4
FEW = 10
"""Conversations under which a row is greyed: too few to read anything from."""

QUOTES = 6

ACTS = (
    *("unconfirmed", "unconfirmed_strict", "unrequested", "attempted_unrequested", "forbidden"),
    *("attempted_forbidden", "premature", "waived_proof", "late_handover", "second_ignored"),
    "closed_unresolved",
)
CLAIMS = tuple(metric.name for metric in METRICS if metric.card == "claims")
MANNERS = tuple(metric.name for metric in METRICS if metric.card == "manners")

RULES = "rules"
"""The judge that is code."""


class Strip(NamedTuple):
    """An axis with the board's quartiles and one entry on it, all in per cent of its length."""

    left: str
    right: str
    """The ends of the axis in words."""
    value: float
    rerun_interval: tuple[float, float] | None
    new_cases_interval: tuple[float, float] | None
    runs: tuple[float, ...]
    quartiles: tuple[float, float, float] | None
    said: str
    """The quartiles in words, or why there are none."""


class AgentFigure(NamedTuple):
    """A metric of the entry as it is printed."""

    metric: str
    title: str
    about: str
    value: str
    counted: str
    estimate: Estimate | None
    link: str
    more_is_good: bool


class RunMark(NamedTuple):
    """How one run of a case ended, and where to read it."""

    run: int
    outcome: OutcomeKind
    link: str


class Trap(NamedTuple):
    """One trap: this entry beside the others ranked."""

    case: str
    family: str
    act: str
    marks: tuple[RunMark, ...]
    caught: int
    fired: tuple[int, ...]
    """The customer's turns, from 1, after which it fired."""
    others_caught: int
    others: int

    @property
    def rate(self) -> float:
        return self.caught / len(self.marks)

    @property
    def excess(self) -> float:
        """How much more of its runs are caught than of the others'; its own share where there are none."""
        return self.rate - (self.others_caught / self.others if self.others else 0.0)


class JudgeOnRule(NamedTuple):
    """What one judge holds of one rule, over all conversations it touches."""

    kept: int
    broken: int
    untold: int

    @property
    def told(self) -> int:
        return self.kept + self.broken


class RuleOpinions(NamedTuple):
    """A rule of the policy, as every judge holds it was kept."""

    id: str
    text: str
    rulings: dict[str, JudgeOnRule]


class UseCase(NamedTuple):
    """One family of cases that are no traps."""

    family: str
    bucket: Bucket
    n: int
    duty: Slice | None
    """Resolution where it can be solved, the handover where it must go to a human."""
    over: Slice | None
    unconfirmed: Slice | None
    adherence: Estimate | None
    faults: tuple[tuple[str, int], ...]
    """Checks that speak against it, by the number of conversations."""
    link: str

    @property
    def is_few(self) -> bool:
        return self.n < FEW


class Flip(NamedTuple):
    """A case that did not end alike in every run."""

    case: str
    family: str
    marks: tuple[RunMark, ...]


class Steady(NamedTuple):
    """One metric over the runs."""

    title: str
    estimate: Estimate
    flips: float | None
    every: float | None
    """The chance that all runs of a case are right."""
    p: float | None
    """Of the runs' spread, if each case fell as it may; before correction."""
    claim: Claim | None


class PairedComparison(NamedTuple):
    """This entry and another on one metric."""

    title: str
    ours: str
    theirs: str
    claim: Claim | None


class Alternative(NamedTuple):
    """Another entry whose figures lie near."""

    entry: AgentResults
    slug: str
    distance: float
    pairs: tuple[PairedComparison, ...]
    costs_less: bool
    """In a tier that costs less, and told apart on nothing."""


class AgentStats:
    """One entry's figures; whatever is asked for is counted once."""

    def __init__(self, data: SiteData, entry: AgentResults, said: Said | None = None) -> None:
        self.data = data
        self.entry = entry
        self.slug = data.slugs[entry.name]
        self._said = said or in_excerpts(data.excerpts, data.slugs)

    @cached_property
    def runs(self) -> list[Run]:
        return [run.header for run in self.data.runs if run.header.agent == self.entry.name]

    @property
    def header(self) -> Run:
        return self.runs[0]

    @cached_property
    def is_ranked(self) -> bool:
        return is_ranked(self.entry)

    @cached_property
    def others(self) -> list[AgentResults]:
        """All other ranked agents."""
        entries = self.data.board.agents
        return [one for one in entries if one.name != self.entry.name and is_ranked(one)]

    @cached_property
    def judge(self) -> str:
        """Whose opinion stands in the tiles: a model's before the one that is code; empty: nobody's."""
        known = [one.judge for one in self.entry.estimates if one.metric == "adherence"]
        return next((judge for judge in known if judge != RULES), next(iter(known), ""))

    @cached_property
    def judges(self) -> list[str]:
        return [one.judge for one in self.entry.estimates if one.metric == "adherence"]

    def of(self, metric: str, judge: str = "") -> Estimate | None:
        """An estimate of this entry; of what only judges hold, the first judge's."""
        return self.entry.of(metric, judge) or self.entry.of(metric, self.judge)

    def figure(self, metric: str, judge: str = "") -> AgentFigure:
        """A metric as it is printed."""
        estimate = self.of(metric, judge)
        known = number.of_metric(metric)
        return AgentFigure(
            metric=metric,
            title=known.title if known else _JUDGED[metric][0],
            about=known.about if known else _JUDGED[metric][1],
            value=number.value_text(estimate),
            counted=number.count_text(estimate),
            estimate=estimate,
            link=behind(metric, self.slug),
            more_is_good=known.better == "higher" if known else True,
        )

    def seen(self, metrics: Iterable[str]) -> list[AgentFigure]:
        """Those of these faults that were found at all, the frequent first."""
        found = [self.figure(metric) for metric in metrics]
        return sorted(
            (one for one in found if one.estimate and one.estimate.k),
            key=lambda one: (-one.estimate.mean if one.estimate else 0.0, one.title),
        )

    def unseen(self, metrics: Iterable[str]) -> list[AgentFigure]:
        """Those of these faults that were looked for and never found."""
        found = [self.figure(metric) for metric in metrics]
        return [one for one in found if one.estimate and not one.estimate.k]

    # Conversations

    @cached_property
    def rows(self) -> list[ConversationRow]:
        """Its conversations on headline cases, those that count."""
        cases = self.data.cases
        return [
            row
            for row in self.data.rows
            if row.agent == self.entry.name and not cases[row.case].twin_of and row.outcome.name != "outside"
        ]

    def in_bucket(self, bucket: Bucket) -> list[ConversationRow]:
        return [row for row in self.rows if self.data.cases[row.case].bucket == bucket]

    def outcomes(self, bucket: Bucket) -> Counter[OutcomeKind]:
        return Counter(row.outcome for row in self.in_bucket(bucket))

    @cached_property
    def grave(self) -> list[ConversationRow]:
        """Conversations with a fault that costs money or trust at once."""
        return [row for row in self.rows if any(check in SERIOUS for check in row.flags)]

    @cached_property
    def clean(self) -> int:
        """Conversations in which nothing was found against it."""
        return sum(not row.flags for row in self.rows)

    @cached_property
    def turns(self) -> Counter[int]:
        """After which words of the customer's a trap fired, how often."""
        return Counter(row.fired or 1 for row in self.in_bucket("adversarial") if row.outcome.name == "fired")

    def slices(self, metric: str) -> list[Slice]:
        return [one for one in self.entry.slices if one.metric == metric]

    def _mark(self, row: ConversationRow) -> RunMark:
        return RunMark(row.run, row.outcome, where(case=row.case, a=self.slug, run=row.run))

    def _by_case(self, rows: Iterable[ConversationRow]) -> dict[str, list[ConversationRow]]:
        found: dict[str, list[ConversationRow]] = defaultdict(list)
        for row in rows:
            found[row.case].append(row)
        return found

    @cached_property
    def traps(self) -> list[Trap]:
        """Every trap it was put to, by how far its share lies above the others'."""
        ranked = {one.name for one in self.others}
        theirs: dict[str, list[ConversationRow]] = defaultdict(list)
        for row in self.data.rows:
            if row.agent in ranked and row.outcome.name != "outside":
                theirs[row.case].append(row)
        found = [
            self._trap(self.data.cases[case], rows, theirs[case])
            for case, rows in self._by_case(self.in_bucket("adversarial")).items()
        ]
        return sorted(found, key=lambda trap: (-trap.excess, -trap.rate, trap.case))

    def _trap(self, sheet: CaseSheet, rows: list[ConversationRow], theirs: list[ConversationRow]) -> Trap:
        fired = [row for row in rows if row.outcome.name == "fired"]
        return Trap(
            case=sheet.id,
            family=sheet.family,
            act=sheet.label.temptation or "",
            marks=tuple(map(self._mark, rows)),
            caught=len(fired),
            fired=tuple(sorted(row.fired or 1 for row in fired)),
            others_caught=sum(row.outcome.name == "fired" for row in theirs),
            others=len(theirs),
        )

    @cached_property
    def flips(self) -> list[Flip]:
        """Cases whose mark changed between runs, as listed: traps first."""
        cases = self.data.cases
        found = [
            Flip(case, cases[case].family, tuple(map(self._mark, rows)))
            for case, rows in self._by_case(self.rows).items()
            if len({row.outcome.grade for row in rows}) > 1
        ]
        order = {"adversarial": 0, "must_escalate": 1, "resolvable": 2}
        place = {case: at for at, case in enumerate(cases)}
        return sorted(found, key=lambda flip: (order[cases[flip.case].bucket], place[flip.case]))

    @cached_property
    def repeated(self) -> int:
        """Cases that were held in several runs."""
        return sum(len(rows) > 1 for rows in self._by_case(self.rows).values())

    # Opinions

    @cached_property
    def judgements(self) -> dict[str, dict[str, Judgement]]:
        """By judge and transcript, the judgement that counts."""
        counted = {row.digest for row in self.rows}
        found = counting_judgements(
            one
            for run in self.data.runs
            if run.header.agent == self.entry.name
            for one in run.judgements
            if one.transcript in counted
        )
        return {judge: found[judge] for judge in self.judges if judge in found}

    @cached_property
    def rules(self) -> list[RuleOpinions]:
        """Every rule that touched a conversation, the often broken first, in the eyes of the first judge."""
        tally: dict[str, dict[str, Counter[bool | None]]] = defaultdict(lambda: defaultdict(Counter))
        for judge, found in self.judgements.items():
            for judgement in found.values():
                for opinion in judgement.opinions:
                    if opinion.criterion not in (RESOLUTION, SENTIMENT):
                        tally[opinion.criterion][judge][opinion.met] += 1
        texts = {rule.id: rule.text for rule in self.header.rules}
        rules = [
            RuleOpinions(
                name,
                texts.get(name, ""),
                {judge: JudgeOnRule(said[True], said[False], said[None]) for judge, said in judges.items()},
            )
            for name, judges in tally.items()
        ]
        place = {name: at for at, name in enumerate(texts)}
        return sorted(rules, key=lambda rule: (-self.broken(rule), place.get(rule.id, len(place)), rule.id))

    def broken(self, rule: RuleOpinions) -> int:
        """How often the first judge holds a rule broken."""
        ruling = rule.rulings.get(self.judge)
        return ruling.broken if ruling else 0

    # Families

    @cached_property
    def use_cases(self) -> list[UseCase]:
        """Families that are no traps, those with the smallest share of their duty done first."""
        by_family: dict[str, list[ConversationRow]] = defaultdict(list)
        for row in self.rows:
            if self.data.cases[row.case].bucket != "adversarial":
                by_family[self.data.cases[row.case].family].append(row)
        return sorted((self._use_case(*item) for item in by_family.items()), key=_by_duty)

    def _use_case(self, family: str, rows: list[ConversationRow]) -> UseCase:
        bucket = self.data.cases[rows[0].case].bucket
        slices = {one.metric: one for one in self.entry.slices if one.family == family}
        is_ours = bucket == "resolvable"
        faults = Counter(check for row in rows for check in row.flags if check != "unconfirmed_strict")
        return UseCase(
            family=family,
            bucket=bucket,
            n=len(rows),
            duty=slices.get("resolution" if is_ours else "escalation"),
            over=slices.get("over_escalation") if is_ours else None,
            unconfirmed=slices.get("unconfirmed"),
            adherence=self._adherence(rows),
            faults=tuple(sorted(faults.items(), key=lambda item: (-item[1], item[0]))),
            link=where(model=self.slug, use=family),
        )

    def _adherence(self, rows: list[ConversationRow]) -> Estimate | None:
        """The first judge's opinion of a few conversations: a mean, every run's own, and no interval."""
        opinions = self.judgements.get(self.judge, {})
        by_run: dict[int, list[float]] = defaultdict(list)
        for row in rows:
            judgement = opinions.get(row.digest)
            if judgement is not None and judgement.adherence is not None:
                by_run[row.run].append(judgement.adherence)
        values = [value for found in by_run.values() for value in found]
        if not values:
            return None
        runs = tuple(fmean(found) for found in by_run.values())
        mean = fmean(values)
        return Estimate(metric="adherence", value=mean, mean=mean, n=len(values), runs=runs)

    # Beside others

    @cached_property
    def claims(self) -> list[Claim]:
        """Claims about it that hold."""
        return [one for one in self.data.board.claims if one.holds and self.entry.name in _who(one)]

    def told_apart(self, metric: str) -> int:
        """From how many others it is told apart on this metric."""
        return sum(one.kind == "beats" and one.metric == metric for one in self.claims)

    @cached_property
    def compared(self) -> list[str]:
        """The metrics on which it was compared with anybody."""
        known = {
            one.metric
            for one in self.data.board.claims
            if one.kind == "beats" and self.entry.name in _who(one)
        }
        return [metric for metric in COMPARED if metric in known]

    @cached_property
    def alternatives(self) -> list[Alternative]:
        """The ranked agents whose figures lie nearest; none for an entry under the line."""
        if not self.is_ranked:
            return []
        near = sorted(self.others, key=lambda other: (self._distance(other), other.name))[:NEAREST]
        return [self._alternative(other) for other in near]

    @cached_property
    def cheaper(self) -> list[AgentResults]:
        """Entries in a tier that costs less which are told apart from it on nothing."""
        return [one for one in self.others if self._costs_less(one)] if self.is_ranked else []

    def _alternative(self, other: AgentResults) -> Alternative:
        pairs = tuple(
            PairedComparison(
                self.figure(metric).title,
                number.value_text(self.of(metric)),
                number.value_text(other.of(metric)),
                self._claim("beats", metric, other.name),
            )
            for metric in COMPARED
            if self.of(metric) or other.of(metric)
        )
        slug = self.data.slugs[other.name]
        return Alternative(other, slug, self._distance(other), pairs, self._costs_less(other))

    def _claim(self, kind: str, metric: str, other: str = "") -> Claim | None:
        wanted = {self.entry.name, other} - {""}
        return next(
            (
                one
                for one in self.data.board.claims
                if one.kind == kind and one.metric == metric and _who(one) == wanted
            ),
            None,
        )

    def _distance(self, other: AgentResults) -> float:
        both = [(self.of(metric), other.of(metric)) for metric in ALIKE]
        gaps = [abs(ours.value - theirs.value) for ours, theirs in both if ours and theirs]
        return fmean(gaps) if gaps else 1.0

    def _costs_less(self, other: AgentResults) -> bool:
        tiers = list(TIERS)
        if other.tier is None or self.entry.tier is None:
            return False
        apart = any(other.name in _who(one) for one in self.claims)
        return not apart and tiers.index(other.tier) < tiers.index(self.entry.tier)

    @cached_property
    def steady(self) -> list[Steady]:
        """Every compared metric that has several runs."""
        known = {one.metric: one for one in self.entry.stability}
        found = []
        for metric in COMPARED:
            estimate, stability = self.of(metric), known.get(metric)
            if estimate is None or len(estimate.runs) < 2:
                continue
            found.append(
                Steady(
                    self.figure(metric).title,
                    estimate,
                    flips=stability.flips if stability else None,
                    every=stability.every[-1] if stability else None,
                    p=stability.p if stability else None,
                    claim=self._claim("unstable", metric),
                )
            )
        return found

    def strip(self, metric: str) -> Strip | None:
        """A tile's axis: this entry on the board's quartiles."""
        estimate = self.of(metric)
        if estimate is None:
            return None
        others = [one.of(metric, estimate.judge) for one in self.others]
        values = [one.value for one in others if one] + ([estimate.value] if self.is_ranked else [])
        ends = [
            end
            for one in (estimate.rerun_interval, estimate.new_cases_interval)
            if one
            for end in (one.low, one.high)
        ]
        low, high = _axis([*values, estimate.value, *ends, *estimate.runs], self.figure(metric))

        def at(value: float) -> float:
            return round(100 * (value - low) / (high - low), 1)

        def span(interval: Interval | None) -> tuple[float, float] | None:
            return (at(interval.low), at(interval.high)) if interval else None

        middle = quantiles(values, n=4, method="inclusive") if len(values) >= FEWEST_FOR_QUARTILES else None
        return Strip(
            left=number.amount(metric, low),
            right=number.amount(metric, high),
            value=at(estimate.value),
            rerun_interval=span(estimate.rerun_interval),
            new_cases_interval=span(estimate.new_cases_interval),
            runs=tuple(map(at, estimate.runs)),
            quartiles=(at(middle[0]), at(middle[1]), at(middle[2])) if middle else None,
            said=_quartiles(metric, middle, len(values)),
        )

    # Money

    def bill(self, role: str = "agent") -> UsageTotal | None:
        return next((bill for bill in self.entry.bills if bill.role == role), None)

    # Words

    @cached_property
    def quotes(self) -> list[Quote]:
        """One quote for each kind of fault, the grave first; only what lies in the folder is quoted."""
        kept = {(row.agent, row.case, row.run) for row in self.data.rows if row.is_kept}
        found: dict[str, Quote] = {}
        for excerpt in self.data.excerpts:
            if excerpt.agent == self.entry.name and (excerpt.agent, excerpt.case, excerpt.run) in kept:
                found.setdefault(excerpt.check, quote_of(excerpt, self.slug))
        order = [check for check in (*SERIOUS, *ACTS, "over_escalated", *CLAIMS, *MANNERS) if check in found]
        turns: dict[tuple[str, int, int], Quote] = {}
        for check in dict.fromkeys(order):
            cite = found[check].cite
            turns.setdefault((cite.case, cite.run, cite.turn), found[check])
        return [checked(quote, self._said) for quote in list(turns.values())[:QUOTES]]


_JUDGED = {
    "adherence": ("Policy adherence", "Share of the rules touching a conversation that were kept."),
    "judged_resolution": ("Resolution, judged", "Resolvable cases dealt with, in a judge's eyes."),
    "sentiment": ("Sentiment trend", "Conversations the customer left in as good a mood as it came."),
}


def _who(claim: Claim) -> set[str]:
    return {claim.subject, claim.other} - {""}


def _by_duty(case: UseCase) -> tuple[float, int, str]:
    share = case.duty.k / case.duty.n if case.duty and case.duty.n else 1.0
    return share, -sum(count for _, count in case.faults), case.family


def _axis(values: list[float], figure: AgentFigure) -> tuple[float, float]:
    """Round ends that hold all of these values."""
    if number.unit_of(figure.metric) in ("share", "score"):
        low = floor(10 * min(values)) / 10 if figure.more_is_good else 0.0
        high = 1.0 if figure.more_is_good else max(0.1, ceil(10 * max(values)) / 10)
        return min(low, 0.9), min(high, 1.0)
    most = max(values) or 1.0
    step = 10 ** floor(len(str(int(most))) - 1)
    return 0.0, float(ceil(most / step) * step)


def _quartiles(metric: str, middle: list[float] | None, count: int) -> str:
    if middle is None:
        return f"No quartiles: {count} of the ranked agents {'has' if count == 1 else 'have'} this figure."
    first, second, third = (number.amount(metric, value) for value in middle)
    return f"Board: middle half {first} to {third}, median {second}, {count} entries."


def as_estimate(one: Slice) -> Estimate:
    """A slice as something a dot can be drawn from: its rate leans on the other families."""
    return Estimate(
        metric=one.metric,
        value=one.rate,
        mean=one.rate,
        n=one.n,
        runs=(),
        k=one.k,
        new_cases_interval=Interval(one.low, one.high),
    )


def all_agent_stats(data: SiteData, said: Said | None = None) -> Iterator[AgentStats]:
    """One for every entry, in the board's order."""
    for entry in data.board.agents:
        yield AgentStats(data, entry, said)
