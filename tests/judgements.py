"""Judgements in tests: conversations that nobody held, and judges that err as planted."""

from collections.abc import Callable, Mapping
from random import Random

from supportagentbench.judges.agreement import Item, Judged, Source
from supportagentbench.records.judgement import Judgement, Opinion

Errs = Callable[[Item, bool], bool | None]
"""What a judge says of an item, given what is true of it; None is void or could not be told."""


def entrants(
    agents: Mapping[str, str], families: int = 20, cases: int = 3, runs: int = 1
) -> dict[str, Source]:
    """Conversations of agents, by name, whose vendors are known; all of them on the same cases."""
    found = {}
    for agent, vendor in agents.items():
        for family in range(families):
            for number in range(cases):
                for run in range(runs):
                    case = f"f{family}-{number}"
                    name = f"{agent}-{run}/{case}"
                    found[name] = Source(name, agent, vendor, case, f"f{family}")
    return found


def truth_of(
    sources: Mapping[str, Source], rates: Mapping[str, float], criteria: tuple[str, ...], seed: int = 0
) -> dict[Item, bool]:
    """What is true of every criterion of every conversation, at each agent's own rate."""
    random = Random(seed)
    return {
        (name, criterion): random.random() < rates[source.agent]
        for name, source in sources.items()
        for criterion in criteria
    }


def errs(sensitivity: float, specificity: float, seed: int = 1) -> Errs:
    """A judge that finds so much of what is met, and so much of what is not."""
    random = Random(seed)
    return lambda item, met: random.random() < (sensitivity if met else 1 - specificity)


def opinions_of(judge: str, truth: Mapping[Item, bool], errs: Errs, version: str = "v") -> list[Judgement]:
    """One judgement a conversation."""
    by_source: dict[str, list[Opinion]] = {}
    for item, met in truth.items():
        by_source.setdefault(item[0], []).append(Opinion(item[1], errs(item, met)))
    return [Judgement(name, judge, version, tuple(said)) for name, said in by_source.items()]


def judged_by(sources: dict[str, Source], truth: Mapping[Item, bool], judges: Mapping[str, Errs]) -> Judged:
    """All conversations with what each of these judges holds of them."""
    return Judged(sources, [one for judge, errs in judges.items() for one in opinions_of(judge, truth, errs)])
