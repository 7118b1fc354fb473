"""Customer fallback: conversations in which scripted words or rules replaced the customer's model.

A faulty draft is never sent: the script speaks, or rules read the reply, instead of the model. Such a
conversation is complete and counts like any other. The fallback does not depend on what the agent did, except
where its words made the model or a filter refuse; those are counted separately.
Here the figures are computed again without these conversations. Tests show whether fallbacks are more
frequent for some outcomes or some agents; then the figures without them would be biased.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from supportagentbench.board.claims import LEVEL
from supportagentbench.board.estimates import estimate, sample_of
from supportagentbench.board.metrics import Metric, RunVerdicts
from supportagentbench.records.board import AgentResults, CustomerFallbacks, Estimate
from supportagentbench.records.fidelity import refused_words
from supportagentbench.records.verdict import Verdict
from supportagentbench.stats.comparison import Floats
from supportagentbench.stats.rates import holm

SHUFFLES = 1_999
Runs = Sequence[RunVerdicts]


def fallbacks_in(runs: Runs, metrics: Sequence[Metric]) -> CustomerFallbacks | None:
    """One agent's conversations with a fallback; None if no model played the customer."""
    spoken = [verdict for verdicts in runs for verdict in verdicts if verdict.customer]
    if not spoken:
        return None
    whole = [
        RunVerdicts((one for one in verdicts if not had_fallback(one)), verdicts.draw) for verdicts in runs
    ]
    return CustomerFallbacks(
        conversations=sum(map(had_fallback, spoken)),
        of=len(spoken),
        refused=sum(had_fallback(one) and _was_refused(one) for one in spoken),
        without=tuple(_estimates(metrics, whole)),
        chance={metric.name: p for metric in metrics if (p := _outcome_p(metric, runs)) is not None},
    )


def had_fallback(verdict: Verdict) -> bool:
    """Whether scripted words or rules replaced the customer's model at least once."""
    return verdict.customer is not None and bool(verdict.customer.fell_back or verdict.customer.unread)


def _was_refused(verdict: Verdict) -> bool:
    return verdict.customer is not None and refused_words(verdict.customer)


def uneven(agents: Iterable[AgentResults]) -> dict[str, list[str]]:
    """For each agent the metrics that differ between cases with and without fallbacks, after Holm."""
    found = [
        (agent.name, metric, p)
        for agent in agents
        if agent.fallbacks
        for metric, p in agent.fallbacks.chance.items()
    ]
    significant: dict[str, list[str]] = defaultdict(list)
    for (agent, metric, _), p in zip(found, holm([p for _, _, p in found]) if found else (), strict=True):
        if p <= LEVEL:
            significant[agent].append(metric)
    return significant


def agents_p(agents: Mapping[str, Runs]) -> float | None:
    """How likely the agents' shares of fallbacks differ this much if they were equally frequent for all."""
    if len(agents) < 2:
        return None
    shares = [_shares(runs) for runs in agents.values()]
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
    """How likely cases with fallbacks differ this much by chance; whole cases are shuffled, not runs."""
    sample, shares = sample_of(metric, runs), _shares(runs)
    if sample is None:
        return None
    fallback = np.array([shares.get(item, 0.0) for item in sample.items])
    rates = np.array(sample.rates)
    if not np.ptp(fallback) or not np.ptp(rates):
        return None
    middle = rates - rates.mean()
    drawn = np.random.default_rng(0).permuted(np.tile(fallback, (SHUFFLES, 1)), axis=1) @ middle
    return _chance(abs(fallback @ middle), abs(drawn))


def _shares(runs: Runs) -> dict[tuple[str, str], float]:
    """For each draw and case, the share of its conversations with a fallback."""
    found: dict[tuple[str, str], list[bool]] = defaultdict(list)
    for verdicts in runs:
        for verdict in verdicts:
            found[verdicts.draw, verdict.case].append(had_fallback(verdict))
    return {case: sum(each) / len(each) for case, each in found.items()}


def _chance(seen: float, drawn: Floats) -> float:
    """The share of draws at least as extreme; the observed value counts as one of them."""
    return float((1 + np.sum(drawn >= seen - 1e-12)) / (1 + len(drawn)))
