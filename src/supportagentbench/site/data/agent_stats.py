"""Agent stats: every figure that a report gives about one agent, counted before a sentence is written."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import NamedTuple

from supportagentbench.board.grounds import suspicions
from supportagentbench.board.metrics import METRICS, TERMS, leading_judge
from supportagentbench.board.recommendation import Recommendation
from supportagentbench.board.standings import COMPARED, is_ranked
from supportagentbench.records.board import AgentResults, Estimate, Interval, Slice, SuspectedFault
from supportagentbench.records.case import Bucket
from supportagentbench.records.claim import Claim
from supportagentbench.records.judgement import Judgement
from supportagentbench.records.run import Run
from supportagentbench.records.usage_total import UsageTotal
from supportagentbench.site import number
from supportagentbench.site.data import agent_cases, agent_opinions
from supportagentbench.site.data.agent_peers import Peers
from supportagentbench.site.data.issue import SERIOUS
from supportagentbench.site.data.links import behind, counted_words
from supportagentbench.site.data.outcome import ShownOutcome
from supportagentbench.site.data.quote import Quote, Said, checked, kept_words, quote_of
from supportagentbench.site.data.site_data import ConversationRow, SiteData
from supportagentbench.site.data.term import PASSED_ON, as_term

QUOTES = 6

ACTIONS = tuple(metric.name for metric in METRICS if metric.card in ("acts", "checked"))
CLAIMS = tuple(metric.name for metric in METRICS if metric.card == "claims")
STYLE = tuple(metric.name for metric in METRICS if metric.card == "style")

_JUDGED = {
    "adherence": ("Policy adherence", "Share of applicable policy rules followed."),
    "judged_resolution": ("Resolution, judged", "Resolvable cases handled, according to this judge."),
    "settled_resolution": (
        "Resolution, settled",
        "Resolved according to the record or, where code cannot tell, according to this judge.",
    ),
    "resolution_agreement": ("Agreement on resolution", "Cases in which this judge and the record agree."),
    "sentiment": ("Sentiment trend", "Conversations that ended in a mood at least as good as they started."),
}


PLAIN = {
    **TERMS,
    "escalation": PASSED_ON,
    "pairs": "Pairs of trap and honest twin handled right",
}
"""Titles of what a figure counts, where the board's titles would need an explanation."""


class AgentFigure(NamedTuple):
    """A metric of the agent as it is printed."""

    metric: str
    title: str
    about: str
    value: str
    counted: str
    estimate: Estimate | None
    link: str
    label: str
    """What it counts, for readers who do not see where it is."""
    higher_is_better: bool


class MetricStability(NamedTuple):
    """One metric over the runs."""

    title: str
    estimate: Estimate
    flips: float | None
    every: float | None
    """The chance that all runs of a case are right."""
    p: float | None
    """The p-value of the spread between runs if only chance varied them, before correction."""
    claim: Claim | None


class AgentStats:
    """One agent's figures; each is counted once, when it is first used."""

    def __init__(self, data: SiteData, results: AgentResults, said: Said | None = None) -> None:
        self.data = data
        self.results = results
        self.slug = data.slugs[results.name]
        self.peers = Peers(data.board, data.slugs, results)
        self.said = said or kept_words(data)

    @cached_property
    def runs(self) -> list[Run]:
        return [run.header for run in self.data.runs if run.header.agent == self.results.name]

    @property
    def header(self) -> Run:
        return self.runs[0]

    @cached_property
    def is_ranked(self) -> bool:
        return is_ranked(self.results)

    # Figures

    @cached_property
    def judges(self) -> list[str]:
        return [one.judge for one in self.results.estimates if one.metric == "adherence"]

    @cached_property
    def judge(self) -> str:
        """Whose opinion the tiles show: a model's rather than the rule-based judge's; empty: no judge."""
        return leading_judge(self.judges)

    def of(self, metric: str, judge: str = "") -> Estimate | None:
        """An estimate of this agent; for judged metrics, the first judge's."""
        return self.results.of(metric, judge) or self.results.of(metric, self.judge)

    def figure(self, metric: str, judge: str = "") -> AgentFigure:
        """A metric as it is printed."""
        estimate = self.of(metric, judge)
        known = number.of_metric(metric)
        title = PLAIN.get(metric) or (known.title if known else _JUDGED[metric][0])
        return AgentFigure(
            metric=metric,
            title=title,
            about=known.about if known else _JUDGED[metric][1],
            value=number.value_text(estimate),
            counted=number.count_text(estimate),
            estimate=estimate,
            link=behind(metric, self.slug, judge=estimate.judge if estimate else ""),
            label=counted_words(title, self.results.name, estimate),
            higher_is_better=known.better == "higher" if known else True,
        )

    def seen(self, metrics: Iterable[str]) -> list[AgentFigure]:
        """The issues among these that were found, the most frequent first."""
        found = [self.figure(metric) for metric in metrics]
        return sorted(
            (one for one in found if one.estimate and one.estimate.k),
            key=lambda one: (-one.estimate.value if one.estimate else 0.0, one.title),
        )

    def unseen(self, metrics: Iterable[str]) -> list[AgentFigure]:
        """The issues among these that were checked for and never found, not even as to check."""
        found = [self.figure(metric) for metric in metrics]
        return [one for one in found if one.estimate and not one.estimate.k and not one.estimate.undecided]

    def to_check(self, metrics: Iterable[str]) -> list[SuspectedFault]:
        """The faults among these that code found and no judge has settled, the most frequent first."""
        return [one for one in self.results.grounds.suspected if one.check in {*metrics}]

    def slices(self, metric: str) -> list[Slice]:
        return [one for one in self.results.slices if one.metric == metric]

    @cached_property
    def stability(self) -> list[MetricStability]:
        """Every compared metric that has several runs."""
        known = {one.metric: one for one in self.results.stability}
        found = []
        for metric in COMPARED:
            estimate, stability = self.of(metric), known.get(metric)
            if estimate is None or len(estimate.runs) < 2:
                continue
            found.append(
                MetricStability(
                    TERMS.get(metric, self.figure(metric).title),
                    as_term(estimate),
                    flips=stability.flips if stability else None,
                    every=stability.every[-1] if stability else None,
                    p=stability.p if stability else None,
                    claim=self.peers.claim("unstable", metric),
                )
            )
        return found

    def usage(self, role: str = "agent") -> UsageTotal | None:
        return next((one for one in self.results.bills if one.role == role), None)

    # Conversations

    @cached_property
    def rows(self) -> list[ConversationRow]:
        """Its conversations on headline cases, those that count."""
        cases = self.data.cases
        return [
            row
            for row in self.data.rows
            if row.agent == self.results.name
            and not cases[row.case].twin_of
            and row.outcome.name != "outside"
        ]

    def in_bucket(self, bucket: Bucket) -> list[ConversationRow]:
        return [row for row in self.rows if self.data.cases[row.case].bucket == bucket]

    @cached_property
    def solved(self) -> list[ConversationRow]:
        """The routine tickets that count as solved, even those with an unsafe action on the way."""
        left = ("undecided", "outside", "broke")
        return [
            row
            for row in self.in_bucket("resolvable")
            if "resolved" not in row.issues and row.outcome.name not in left
        ]

    def outcomes(self, bucket: Bucket) -> Counter[ShownOutcome]:
        return Counter(row.outcome for row in self.in_bucket(bucket))

    @cached_property
    def serious(self) -> list[ConversationRow]:
        """Conversations with a serious issue."""
        return [row for row in self.rows if any(check in SERIOUS for check in row.issues)]

    @cached_property
    def recommendation(self) -> Recommendation:
        """What to do with it."""
        return self.data.recommendation.of(self.results.name)

    @cached_property
    def clean(self) -> int:
        """Conversations in which nothing was found or suspected."""
        suspected = {
            verdict.transcript
            for run in self.data.runs
            if run.header.agent == self.results.name
            for verdict in run.verdicts
            if any(suspicions(verdict))
        }
        return sum(not row.issues and row.digest not in suspected for row in self.rows)

    @cached_property
    def unsafe_turns(self) -> Counter[int]:
        """How often an unsafe action followed the customer's first, second, … message."""
        traps = self.in_bucket("adversarial")
        return Counter(row.unsafe_turn or 1 for row in traps if row.outcome.name == "unsafe")

    @cached_property
    def traps(self) -> list[agent_cases.TrapResult]:
        """Every trap, the largest excess over the other ranked agents first."""
        others = [one.name for one in self.peers.others]
        return agent_cases.trap_results(self.data, self.in_bucket("adversarial"), others)

    @cached_property
    def changed_cases(self) -> list[agent_cases.ChangedCase]:
        """Cases whose grade differs between runs."""
        return agent_cases.changed_cases(self.data, self.rows)

    @cached_property
    def handled(self) -> Mapping[tuple[str, str], agent_cases.Handled]:
        """By agent and case type, how many conversations ended right."""
        return agent_cases.handled_by(self.data, self.data.rows)

    @cached_property
    def repeated(self) -> int:
        """Cases with more than one run."""
        return sum(len(rows) > 1 for rows in agent_cases.by_case(self.rows).values())

    @cached_property
    def case_types(self) -> list[agent_cases.CaseTypeResult]:
        """Every case type that is not a trap."""
        opinions = self.judgements.get(self.judge, {})
        return agent_cases.case_type_results(
            self.data, self.results, self.rows, lambda rows: agent_opinions.mean_adherence(opinions, rows)
        )

    # Opinions

    @cached_property
    def judgements(self) -> Mapping[str, Mapping[str, Judgement]]:
        counted = {row.digest for row in self.rows}
        return agent_opinions.judgements_of(self.data.runs, self.results.name, counted, self.judges)

    @cached_property
    def rules(self) -> list[agent_opinions.RuleOpinions]:
        """Every rule that applied to a conversation; most often broken, per the first judge, comes first."""
        return agent_opinions.rule_opinions(self.judgements, self.header.rules, self.judge)

    @cached_property
    def broken(self) -> int:
        """Conversations in which the first judge found a rule broken."""
        return sum(map(agent_opinions.breaks_a_rule, self.judgements.get(self.judge, {}).values()))

    # Quotes

    @cached_property
    def quotes(self) -> list[Quote]:
        """One quote for each kind of issue, serious ones first; only from conversations in the folder."""
        kept = {(row.agent, row.case, row.run) for row in self.data.rows if row.is_kept}
        found: dict[str, Quote] = {}
        for excerpt in self.data.excerpts:
            if excerpt.agent == self.results.name and (excerpt.agent, excerpt.case, excerpt.run) in kept:
                found.setdefault(excerpt.check, quote_of(excerpt, self.slug))
        order = [check for check in (*SERIOUS, *ACTIONS, "over_escalated", *CLAIMS, *STYLE) if check in found]
        turns: dict[tuple[str, int, int], Quote] = {}
        for check in dict.fromkeys(order):
            cite = found[check].cite
            turns.setdefault((cite.case, cite.run, cite.turn), found[check])
        return [checked(quote, self.said) for quote in list(turns.values())[:QUOTES]]


def as_estimate(one: Slice) -> Estimate:
    """A slice as an estimate to draw a dot from."""
    return Estimate(
        metric=one.metric,
        value=one.rate,
        median=one.rate,
        n=one.n,
        runs=(),
        k=one.k,
        rerun_interval=Interval(one.low, one.high),
    )


def all_agent_stats(data: SiteData, said: Said | None = None) -> Iterator[AgentStats]:
    """One for every agent, in the board's order."""
    for results in data.board.agents:
        yield AgentStats(data, results, said)
