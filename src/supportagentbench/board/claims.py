"""Claims: statements that compare agents, each with the test it is based on.

Text about results takes its comparisons from here and is checked by `unclaimed` before it is shown: a
comparative or superlative without a claim that supports it fails the build.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import combinations

import numpy as np

from supportagentbench.board.badges import RULES
from supportagentbench.board.clusters import clusters_of
from supportagentbench.board.estimates import Sample
from supportagentbench.board.metrics import Metric
from supportagentbench.records.claim import Claim
from supportagentbench.records.counts import counted
from supportagentbench.stats.comparison import Floats, Pairwise, Rank, dominance, pairwise, ranks
from supportagentbench.stats.rates import correlation, holm

LEVEL = 0.05
SURE = 0.95
"""Share of resamples that a dominance needs."""

FEWEST_FOR_CORRELATION = 8
"""With fewer agents no correlation is tested."""

Samples = Mapping[str, Sample]
"""The samples of one metric by agent."""


class MetricTable:
    """One metric of many agents: a row per agent, a column per case, nan where a value is missing."""

    def __init__(self, metric: Metric, samples: Samples) -> None:
        self.metric = metric
        self.samples = samples
        self.agents = list(samples)
        columns = {
            item: (family, decider)
            for sample in samples.values()
            for item, family, decider in zip(sample.items, sample.families, sample.deciders, strict=True)
        }
        self.items = list(columns)
        """Draw and name of each case."""
        self.clusters = clusters_of(*zip(*columns.values(), strict=True))
        self.values = np.full((len(self.agents), len(columns)), np.nan)
        place = {item: number for number, item in enumerate(self.items)}
        for row, sample in enumerate(samples.values()):
            self.values[row, [place[item] for item in sample.items]] = sample.rates

    @property
    def sign(self) -> int:
        return 1 if self.metric.better == "higher" else -1

    @cached_property
    def compared(self) -> Pairwise:
        """Every agent compared with every other; higher is better."""
        return pairwise(self.sign * self.values, self.clusters)


def places(table: MetricTable, tests: int) -> dict[str, Rank]:
    """The possible ranks of each agent, corrected for the number of metrics tested."""
    return dict(zip(table.agents, ranks(table.compared, LEVEL / tests), strict=True))


def beats(tables: Sequence[MetricTable]) -> Iterator[Claim]:
    """Every pair of agents on each of these metrics, corrected for all of them together."""
    for table in tables:
        found = table.compared
        for one, other in combinations(range(len(table.agents)), 2):
            gap = float(found.difference[one, other])
            first, second = (
                (table.agents[one], table.agents[other])
                if gap >= 0
                else (table.agents[other], table.agents[one])
            )
            p = min(1.0, float(found.adjusted[one, other]) * len(tables))
            yield Claim(
                kind="beats",
                sentence=f"{first} beats {second} on {table.metric.phrase}.",
                holds=p <= LEVEL and gap != 0,
                test="sign flips of whole case types or deciding rules, paired by case; Westfall-Young over "
                f"all pairs, Bonferroni over {counted(len(tables), 'metric')}",
                value=p,
                needs=f"<= {LEVEL}",
                metric=table.metric.name,
                subject=first,
                other=second,
            )


def dominates(tables: Sequence[MetricTable]) -> Iterator[Claim]:
    """Whether an agent is nowhere worse than another and somewhere better, on all of these metrics.

    If only one metric varies, an agent is nowhere worse by chance half of the time. So it must also be
    significantly better on at least one metric, corrected like every other comparison.
    """
    if not tables:
        return
    items = {
        item: cluster for table in tables for item, cluster in zip(table.items, table.clusters, strict=True)
    }
    better = [table.sign for table in tables]
    agents = [agent for agent in tables[0].agents if all(agent in table.agents for table in tables)]
    rows = {agent: np.stack([_aligned(table, agent, list(items)) for table in tables]) for agent in agents}
    names = ", ".join(table.metric.phrase for table in tables)
    ahead = {(claim.subject, claim.other) for claim in beats(tables) if claim.holds}
    for first, second in sorted(ahead):
        if first not in rows or second not in rows:
            continue
        sure = dominance(rows[first], rows[second], better, list(items.values()))
        yield Claim(
            kind="dominates",
            sentence=f"{first} dominates {second} on {names}.",
            holds=sure >= SURE,
            test="beats it on at least one of them; case types or deciding rules resampled 4,000 times: how "
            "often it is nowhere worse and somewhere better",
            value=sure,
            needs=f">= {SURE}",
            subject=first,
            other=second,
        )


def _aligned(table: MetricTable, agent: str, items: list[tuple[str, str]]) -> Floats:
    """One agent's row, extended to more cases."""
    known = dict(zip(table.items, table.values[table.agents.index(agent)], strict=True))
    return np.array([known.get(item, np.nan) for item in items])


def unstable(samples: Mapping[Metric, Samples]) -> Iterator[Claim]:
    """Whether an agent's runs differ by more than chance, on each of these metrics."""
    repeated = [
        (metric, agent, sample)
        for metric, found in samples.items()
        for agent, sample in found.items()
        if sample.is_repeated
    ]
    if not repeated:
        return
    adjusted = holm([sample.spread_p for _, _, sample in repeated])
    for (metric, agent, _), p in zip(repeated, adjusted, strict=True):
        yield Claim(
            kind="unstable",
            sentence=f"{agent} is unstable from run to run on {metric.phrase}.",
            holds=float(p) <= LEVEL,
            test="Cochran's Q by shuffling runs within cases; Holm over agents and metrics",
            value=float(p),
            needs=f"<= {LEVEL}",
            metric=metric.name,
            subject=agent,
        )


def correlates(first: MetricTable, second: MetricTable) -> Iterator[Claim]:
    """Whether two metrics correlate over the agents."""
    agents = [agent for agent in first.agents if agent in second.agents]
    if len(agents) < FEWEST_FOR_CORRELATION:
        return
    lines = [
        [float(np.nanmean(table.values[table.agents.index(agent)])) for agent in agents]
        for table in (first, second)
    ]
    found = correlation(*lines)
    if found is None:
        return
    r, low, high = found
    nearer = low if r > 0 else -high
    direction = "higher" if r > 0 else "lower"
    titles = first.metric.title, second.metric.phrase
    yield Claim(
        kind="correlates",
        sentence=f"{titles[0]} goes with a {direction} share of {titles[1]} over {len(agents)} agents "
        f"(r = {r:.2f}, {low:.2f} to {high:.2f}).",
        holds=nearer > 0,
        test="Pearson's r over agents, Fisher's interval",
        value=nearer,
        needs="> 0",
        metric=f"{first.metric.name}, {second.metric.name}",
    )


COMPARES = re.compile(
    r"(?ix)\b(?:"
    r"better|worse(?!\s+disposed)|best|worst|beats?|beaten|outperforms?|outranks?|outdo(?:es)?"
    r"|surpass(?:es)?|exceeds?|trails|tops|lags|leads(?!\s+to)|leader|ahead\s+of|behind\s+\w|loses?\s+to"
    r"|wins(?!\s+(?:\S+\s+){0,6}(?:pairs?|share)\b)|winner|edges?\s+out|ranks?\s+(?:first|last|above|below)"
    r"|safer|safest|riskier|riskiest|stronger|strongest|weaker|weakest|higher|highest|lower|lowest"
    r"|cheaper|cheapest|dearer|dearest|faster|fastest|slower|slowest|greater|greatest|largest"
    r"|smallest|fewer(?!\s+than\s+(?:\d|an?\s|half|ten\s))|(?<!then\s)fewest"
    r"|(?:more|less)\s+\w+\s+than|(?:more|less)\s+often|(?:twice|half)\s+as|(?:as|so)\s+\w+\s+as\s+any"
    r"|(?:most|least)\s+\w+(?:ly|ful|ble|ous|ive|ed)"
    r"|superior|inferior|dominat\w+|unstable|steadier|steadiest|significant\w*|improve[sd]?|regress\w*"
    r"|unmatched|second\s+only|on\s+par"
    r")\b"
)
"""Words that compare, rank or claim a difference; thresholds and won pairs are allowed."""

NEUTRAL = re.compile(
    r"(?ix)(?:lower|higher)\s+is\s+better|\blower\s+bounds?\b|\bno\s+significant\s+differences?\b"
    r"|\bsignificant\s+differences:\s+\d+\s+of\s+\d+|\d+\s+comparisons?,\s+\d+\s+significant\b"
)
"""Directions, counts of tests, and differences that were not found: these do not compare agents."""

_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z\W])|\n\s*\n")


def unclaimed(text: str, claims: Iterable[Claim]) -> list[str]:
    """Every sentence of a text that compares without a supporting claim, across line breaks.

    The rules of the badges are definitions, not comparisons.
    """
    text = NEUTRAL.sub("", text)
    for said in (*RULES.values(), *(claim.sentence for claim in claims if claim.holds)):
        text = _as_sentence(said).sub(r"\g<before>\n\n", text)
    return [" ".join(one.split()) for one in _SENTENCE.split(text) if COMPARES.search(one)]


def _as_sentence(words: str) -> re.Pattern[str]:
    """A pattern for these words as a whole sentence or heading, not as part of a longer one."""
    said = r"\s+".join(map(re.escape, words.removesuffix(".").split()))
    return re.compile(rf"(?P<before>\A|[\n.!?])\W*?{said}(?:\.(?=\s|\Z)|(?=[ \t]*(?:\n\s*\n|\s*\Z)))")
