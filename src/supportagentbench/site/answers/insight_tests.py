"""Insight tests: what the conversations could teach, tested at once and corrected for the number of tests."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from supportagentbench.board.claims import LEVEL
from supportagentbench.site.data.conversation_fact import (
    BoardFacts,
    ConversationFact,
    PairFact,
    UnsafeMoment,
)
from supportagentbench.stats.association import goes_with, labels_matter, ranks_agree
from supportagentbench.stats.comparison import paired
from supportagentbench.stats.rates import holm

FEWEST_UNSAFE = 5
"""With fewer unsafe actions nothing is said about how they happen."""

FEWEST_AGENTS = 6
"""With fewer agents nothing is said about what quality goes with: hardly any order could show it."""


class Effect(NamedTuple):
    """An effect, and how likely chance alone shows as much."""

    effect: float
    p: float
    """Corrected for all tests of the board."""
    size: int
    """How many independent units were compared."""

    @property
    def holds(self) -> bool:
        return self.p <= LEVEL


class InsightTests(NamedTuple):
    """Every test of a board; None: too little to test."""

    number: int
    """How many they are."""
    refused: Effect | None = None
    """Whether unsafe actions come after a refusal (positive) or without one."""
    refused_by_agent: Effect | None = None
    """Whether that depends on the agent."""
    knew: Effect | None = None
    """Whether they come with the deciding facts looked up (positive) or without."""
    sides: Effect | None = None
    """Whether it depends on the agent if it lets cheats through or turns honest customers away."""
    price: Effect | None = None
    """Rank correlation of an agent's cost with the share it handles right."""
    length: Effect | None = None
    """The same with words per reply."""
    length_within: Effect | None = None
    """Words per reply where the same agent goes wrong on the same ticket, less those where it goes right."""


class _Raw(NamedTuple):
    effect: float
    p: float
    size: int


def insight_tests(facts: BoardFacts) -> InsightTests:
    """All tests that these conversations allow, corrected by Holm's method."""
    unsafe = [one for one in facts.conversations if one.unsafe]
    enough = len(unsafe) >= FEWEST_UNSAFE
    lost = [one for one in facts.pairs if one.let_through or one.turned_away]
    raw = {
        "refused": _balance(unsafe, lambda one: _moment(one).had_refused) if enough else None,
        "refused_by_agent": _by_agent(unsafe, [_moment(one).had_refused for one in unsafe])
        if enough
        else None,
        "knew": _balance(unsafe, lambda one: _moment(one).knew) if enough else None,
        "sides": _by_agent(lost, [one.turned_away for one in lost]),
        "price": _over_agents(facts.costs, shares_right(facts)),
        "length": _over_agents(words_per_reply(facts), shares_right(facts)),
        "length_within": _within(facts),
    }
    known = {name: one for name, one in raw.items() if one}
    adjusted = holm([one.p for one in known.values()])
    return InsightTests(
        len(known),
        **{
            name: Effect(one.effect, float(p), one.size)
            for (name, one), p in zip(known.items(), adjusted, strict=True)
        },
    )


def shares_right(facts: BoardFacts) -> dict[str, float]:
    """By agent, the share of decided conversations that it handled right."""
    found: dict[str, list[bool]] = defaultdict(list)
    for one in facts.conversations:
        if one.handling != "undecided":
            found[one.agent].append(one.handling == "right")
    return {agent: sum(right) / len(right) for agent, right in found.items()}


def words_per_reply(facts: BoardFacts) -> dict[str, float]:
    """By agent, the mean over its conversations."""
    found: dict[str, list[float]] = defaultdict(list)
    for one in facts.conversations:
        if one.words is not None:
            found[one.agent].append(one.words)
    return {agent: float(np.mean(words)) for agent, words in found.items()}


def _moment(fact: ConversationFact) -> UnsafeMoment:
    assert fact.unsafe is not None
    return fact.unsafe


def _balance(unsafe: list[ConversationFact], is_so: Callable[[ConversationFact], bool]) -> _Raw:
    """Whether something is so in more or in fewer than half, by flipping the signs of whole clusters."""
    yes = [float(is_so(one)) for one in unsafe]
    found = paired(yes, [1 - one for one in yes], [one.cluster for one in unsafe])
    return _Raw(found.difference, found.p, found.clusters)


def _by_agent(facts: Sequence[ConversationFact | PairFact], is_so: Sequence[bool]) -> _Raw | None:
    """Whether it depends on the agent; what an agent did in cases of one cluster is one unit."""
    units: dict[tuple[str, str], list[bool]] = defaultdict(list)
    for one, so in zip(facts, is_so, strict=True):
        units[one.place[1], one.cluster].append(so)
    shares = [sum(some) / len(some) for some in units.values()]
    p = labels_matter(shares, [agent for agent, _ in units]) if units else None
    return None if p is None else _Raw(float(np.ptp(shares)), p, len(units))


def _over_agents(values: Mapping[str, float], right: Mapping[str, float]) -> _Raw | None:
    agents = [agent for agent in values if agent in right]
    if len(agents) < FEWEST_AGENTS:
        return None
    found = ranks_agree([values[one] for one in agents], [right[one] for one in agents])
    return found and _Raw(found.rho, found.p, len(agents))


def _within(facts: BoardFacts) -> _Raw | None:
    known = [one for one in facts.conversations if one.words is not None and one.handling != "undecided"]
    found = goes_with(
        [one.words or 0.0 for one in known],
        [one.handling != "right" for one in known],
        ["\n".join(one.unit) for one in known],
    )
    return found and _Raw(found.gap, found.p, found.strata)
