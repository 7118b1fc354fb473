"""Claims: what may be said of entries beside each other, each sentence with the test it rests on.

Whatever prints prose about results takes its comparisons from here and has its text read by `unclaimed`
before it is shown: a comparative or superlative that no claim bears out fails the build.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations

import numpy as np

from supportagentbench.board.badges import RULES
from supportagentbench.board.estimates import Sample
from supportagentbench.board.metrics import Metric
from supportagentbench.records.claim import Claim
from supportagentbench.stats.comparison import Floats, Pairwise, Rank, dominance, pairwise, ranks
from supportagentbench.stats.rates import correlation, holm
from supportagentbench.stats.reliability import spread_p

LEVEL = 0.05
SURE = 0.95
"""How sure a dominance has to be."""

FEWEST_FOR_CORRELATION = 8
"""Entries below which no correlation over entries is looked at."""

Samples = Mapping[str, Sample]
"""One metric's samples by agent."""


class MetricTable:
    """One metric of many agents: a line an agent, a column a case, nan where an agent lacks one."""

    def __init__(self, metric: Metric, samples: Samples) -> None:
        self.metric = metric
        self.agents = list(samples)
        columns = {
            case: family
            for sample in samples.values()
            for case, family in zip(sample.cases, sample.families, strict=True)
        }
        self.cases, self.families = list(columns), list(columns.values())
        self.values = np.full((len(self.agents), len(columns)), np.nan)
        place = {case: number for number, case in enumerate(self.cases)}
        for row, sample in enumerate(samples.values()):
            self.values[row, [place[case] for case in sample.cases]] = sample.rates

    @property
    def sign(self) -> int:
        return 1 if self.metric.better == "higher" else -1

    def compared(self) -> Pairwise:
        """Every agent with every other, more being better."""
        return pairwise(self.sign * self.values, self.families)


def places(table: MetricTable, tests: int) -> dict[str, Rank]:
    """The places each agent may hold, where so many metrics are looked at in all."""
    return dict(zip(table.agents, ranks(table.compared(), LEVEL / tests), strict=True))


def beats(tables: Sequence[MetricTable]) -> Iterator[Claim]:
    """Every pair on every one of these metrics; corrected for all of them together."""
    for table in tables:
        found = table.compared()
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
                sentence=f"{first} beats {second} on {table.metric.title.casefold()}.",
                holds=p <= LEVEL and gap != 0,
                test="sign flips of whole families, paired by case; Westfall-Young over all pairs, "
                f"Bonferroni over {len(tables)} metrics",
                value=p,
                needs=f"<= {LEVEL}",
                metric=table.metric.name,
                subject=first,
                other=second,
            )


def dominates(tables: Sequence[MetricTable]) -> Iterator[Claim]:
    """Whether an agent is nowhere worse than another and somewhere better, on all of these metrics.

    Where only one metric varies, chance alone is nowhere worse one time in two. So the lead on at least one
    of them has to be beyond chance as well, corrected like every other comparison.
    """
    if not tables:
        return
    cases = {
        case: family for table in tables for case, family in zip(table.cases, table.families, strict=True)
    }
    better = [table.sign for table in tables]
    agents = [agent for agent in tables[0].agents if all(agent in table.agents for table in tables)]
    rows = {agent: np.stack([_aligned(table, agent, list(cases)) for table in tables]) for agent in agents}
    names = ", ".join(table.metric.title.casefold() for table in tables)
    ahead = {(claim.subject, claim.other) for claim in beats(tables) if claim.holds}
    for first, second in sorted(ahead):
        if first not in rows or second not in rows:
            continue
        sure = dominance(rows[first], rows[second], better, list(cases.values()))
        yield Claim(
            kind="dominates",
            sentence=f"{first} dominates {second} on {names}.",
            holds=sure >= SURE,
            test="beats it on at least one of them; families drawn anew 4,000 times: how often it is nowhere "
            "worse and somewhere better",
            value=sure,
            needs=f">= {SURE}",
            subject=first,
            other=second,
        )


def _aligned(table: MetricTable, agent: str, cases: list[str]) -> Floats:
    """One agent's line, over a wider set of cases."""
    known = dict(zip(table.cases, table.values[table.agents.index(agent)], strict=True))
    return np.array([known.get(case, np.nan) for case in cases])


def unstable(samples: Mapping[Metric, Samples]) -> Iterator[Claim]:
    """Whether an agent's runs differ by more than its cases would by chance, on any of these metrics."""
    repeated = [
        (metric, agent, sample)
        for metric, found in samples.items()
        for agent, sample in found.items()
        if len(sample.runs) > 1
    ]
    if not repeated:
        return
    adjusted = holm([spread_p(run_table(sample)) for _, _, sample in repeated])
    for (metric, agent, _), p in zip(repeated, adjusted, strict=True):
        yield Claim(
            kind="unstable",
            sentence=f"{agent} is unstable from run to run on {metric.title.casefold()}.",
            holds=float(p) <= LEVEL,
            test="Cochran's Q by shuffling runs within cases; Holm over agents and metrics",
            value=float(p),
            needs=f"<= {LEVEL}",
            metric=metric.name,
            subject=agent,
        )


def run_table(sample: Sample) -> Floats:
    """Cases by runs, of the cases that were held in every run."""
    return np.array([found for found in sample.values if len(found) == len(sample.runs)], float)


def correlates(first: MetricTable, second: MetricTable) -> Iterator[Claim]:
    """Whether two metrics go together over the agents."""
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
    titles = first.metric.title, second.metric.title.casefold()
    yield Claim(
        kind="correlates",
        sentence=f"{titles[0]} goes with {direction} {titles[1]} over {len(agents)} agents "
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
"""Words that compare, rank, or promise a difference; thresholds, and pairs that are won, do not."""

_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z\W])|\n\s*\n")


def unclaimed(text: str, claims: Iterable[Claim]) -> list[str]:
    """Every sentence of a text that compares, and that no claim bears out, however its lines are broken.

    The rules of the badges are definitions: they say when somebody is the cheapest, not that anybody is.
    """
    for said in (*RULES.values(), *(claim.sentence for claim in claims if claim.holds)):
        text = _as_sentence(said).sub(r"\g<before>\n\n", text)
    return [" ".join(one.split()) for one in _SENTENCE.split(text) if COMPARES.search(one)]


def _as_sentence(words: str) -> re.Pattern[str]:
    """These words where they are a whole sentence, not a part of a longer one."""
    said = r"\s+".join(map(re.escape, words.removesuffix(".").split()))
    return re.compile(rf"(?P<before>\A|[\n.!?])\W*?{said}(?:\.(?=\s|\Z)|(?=\s*\Z))")
