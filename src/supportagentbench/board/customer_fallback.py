"""Marred: conversations in which the model that spoke for the customer would not do, and whether it matters.

No faulty draft is ever sent, so such a conversation is a whole one: a script spoke or tables read in the
model's place. It counts like any other. Which ones these are is decided without a look at what the agent did.
Here the figures are made once more without them, and it is tested whether they fell on some outcomes or some
entries rather than on others: then the figures without them would be no fair sample.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from supportagentbench.board.claims import LEVEL
from supportagentbench.board.estimates import estimate, sample_of
from supportagentbench.board.metrics import Metric
from supportagentbench.records.board import AgentResults, CustomerFallbacks, Estimate
from supportagentbench.records.verdict import Verdict
from supportagentbench.stats.comparison import Floats
from supportagentbench.stats.rates import holm

SHUFFLES = 1_999
Runs = Sequence[list[Verdict]]


def fallbacks_in(runs: Runs, metrics: Sequence[Metric]) -> CustomerFallbacks | None:
    """The marred conversations of one entry; None where no model spoke for a customer."""
    spoken = [verdict for verdicts in runs for verdict in verdicts if verdict.customer]
    if not spoken:
        return None
    whole = [[verdict for verdict in verdicts if not had_fallback(verdict)] for verdicts in runs]
    return CustomerFallbacks(
        conversations=sum(map(had_fallback, spoken)),
        of=len(spoken),
        without=tuple(_estimates(metrics, whole)),
        chance={metric.name: p for metric in metrics if (p := _outcome_p(metric, runs)) is not None},
    )


def had_fallback(verdict: Verdict) -> bool:
    """Whether anything reached this talk that a model was to word or read and did not."""
    return verdict.customer is not None and bool(verdict.customer.fell_back or verdict.customer.unread)


def uneven(entries: Iterable[AgentResults]) -> dict[str, list[str]]:
    """For each agent the metrics on which its marred cases come out differently, all tests taken together."""
    found = [
        (entry.name, metric, p)
        for entry in entries
        if entry.fallbacks
        for metric, p in entry.fallbacks.chance.items()
    ]
    held: dict[str, list[str]] = defaultdict(list)
    for (agent, metric, _), p in zip(found, holm([p for _, _, p in found]) if found else (), strict=True):
        if p <= LEVEL:
            held[agent].append(metric)
    return held


def agents_p(entries: Mapping[str, Runs]) -> float | None:
    """The chance that entries' shares of marred conversations differ so, if cases marred all alike."""
    if len(entries) < 2:
        return None
    shares = [_shares(runs) for runs in entries.values()]
    shared = sorted(set.intersection(*(set(found) for found in shares)))
    table = np.array([[found[case] for found in shares] for case in shared])
    if not table.size or not np.ptp(table):
        return None
    rng = np.random.default_rng(0)
    drawn = [rng.permuted(table, axis=1).mean(0).var() for _ in range(SHUFFLES)]
    return _chance(table.mean(0).var(), np.array(drawn))


def _estimates(metrics: Sequence[Metric], runs: Runs) -> list[Estimate]:
    samples = [(metric, sample_of(metric, runs)) for metric in metrics]
    return [estimate(metric, sample) for metric, sample in samples if sample]


def _outcome_p(metric: Metric, runs: Runs) -> float | None:
    """The chance that marred cases come out so differently: cases are shuffled, so repeats count for one."""
    sample, shares = sample_of(metric, runs), _shares(runs)
    if sample is None:
        return None
    marred = np.array([shares.get(case, 0.0) for case in sample.cases])
    rates = np.array(sample.rates)
    if not np.ptp(marred) or not np.ptp(rates):
        return None
    middle = rates - rates.mean()
    drawn = np.random.default_rng(0).permuted(np.tile(marred, (SHUFFLES, 1)), axis=1) @ middle
    return _chance(abs(marred @ middle), abs(drawn))


def _shares(runs: Runs) -> dict[str, float]:
    """For each case, in how many of its conversations the customer was marred."""
    found: dict[str, list[bool]] = defaultdict(list)
    for verdicts in runs:
        for verdict in verdicts:
            found[verdict.case].append(had_fallback(verdict))
    return {case: sum(each) / len(each) for case, each in found.items()}


def _chance(seen: float, drawn: Floats) -> float:
    """The share of draws at least as far out, the one that was seen counted with them."""
    return float((1 + np.sum(drawn >= seen - 1e-12)) / (1 + len(drawn)))
