"""Likeness: how much more often than by chance trials that have something in common go the same way.

A trial is a hit if a normal variable is below the threshold that the agent's rate gives. What trials of one
case type, of one case and of one draw of it have in common are shares of that variable's variance. From the
shares of pairs of trials in which both are hits (tetrachoric correlations).
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from itertools import combinations
from math import sqrt
from typing import NamedTuple

from scipy.special import ndtr, ndtri, owens_t

LARGEST = 0.95
"""A correlation: some luck is left in every trial."""
STEPS = 30


class Likeness(NamedTuple):
    """Shares of the variance; the rest is between runs of one draw."""

    case_type: float
    case: float
    draw: float
    shared: float
    """The part of these shares that two agents have in common: both find the same cases hard."""


class TriedItem(NamedTuple):
    """One draw of a case, and what became of it."""

    case_type: str
    case: str
    draw: str
    hits: float
    trials: int


class PairCount(NamedTuple):
    """Pairs of trials of agents with these rates, and those of which both are hits."""

    first: float
    second: float
    pairs: float
    hits: float


def likeness(agents: Sequence[Sequence[TriedItem]], usual: Likeness) -> Likeness:
    """The likeness of these agents' trials; shares they cannot show take the usual values. One draw cannot
    separate the case from its draw, and one case of each type cannot separate it from the type.
    """
    own = [agent for agent in agents if 0 < _rate(agent) < 1]
    known = usual.case_type + usual.case + usual.draw
    item = _found((_pairs(agent, _item, _trial) for agent in own), known)
    unclear = (1 - usual.draw / known) * item, usual.case_type / known * item
    case = min(item, _found((_pairs(agent, _case, _item) for agent in own), unclear[0]))
    type_ = _found((_pairs(agent, _type, _case) for agent in own), unclear[1])
    between = _found((_across(*pair) for pair in combinations(own, 2)), usual.shared * item)
    type_ = min(type_, case)
    return Likeness(type_, case - type_, item - case, min(1.0, between / item) if item else usual.shared)


def _rate(agent: Sequence[TriedItem]) -> float:
    return sum(one.hits for one in agent) / max(1, sum(one.trials for one in agent))


Label = Callable[[TriedItem], Hashable]


def _type(one: TriedItem) -> Hashable:
    return one.case_type


def _case(one: TriedItem) -> Hashable:
    return one.case_type, one.case


def _item(one: TriedItem) -> Hashable:
    return one.case_type, one.case, one.draw


def _trial(one: TriedItem) -> Hashable:
    """Every trial is a group by itself."""
    return None


def _pairs(agent: Sequence[TriedItem], alike: Label, apart: Label) -> PairCount:
    """Pairs of trials that share one level but not the narrower one."""
    wide, narrow = _sums(agent, alike), _sums(agent, apart)
    if apart is _trial:
        # A hit paired with itself: hits are 0 or 1, so that its square is a hit.
        less = sum(one.hits for one in agent), float(sum(one.trials for one in agent))
    else:
        less = sum(hits**2 for hits, _ in narrow), sum(trials**2 for _, trials in narrow)
    hits = sum(hits**2 for hits, _ in wide) - less[0]
    pairs = sum(trials**2 for _, trials in wide) - less[1]
    rate = _rate(agent)
    return PairCount(rate, rate, pairs, hits)


def _sums(agent: Sequence[TriedItem], label: Label) -> list[tuple[float, float]]:
    found: dict[Hashable, list[float]] = defaultdict(lambda: [0.0, 0.0])
    for one in agent:
        found[label(one)][0] += one.hits
        found[label(one)][1] += one.trials
    return [(hits, trials) for hits, trials in found.values()]


def _across(first: Sequence[TriedItem], second: Sequence[TriedItem]) -> PairCount:
    """Pairs of trials of two agents on one item."""
    theirs = {_item(one): one for one in second}
    both = [(one, theirs[_item(one)]) for one in first if _item(one) in theirs]
    pairs = sum(one.trials * other.trials for one, other in both)
    hits = sum(one.hits * other.hits for one, other in both)
    return PairCount(_rate(first), _rate(second), pairs, hits)


def _found(counts: Iterable[PairCount], unknown: float) -> float:
    """The correlation from 0 that gives this number of pairs of hits; the other number without pairs."""
    known = [count for count in counts if count.pairs > 0]
    if not known:
        return unknown
    seen = sum(count.hits for count in known)
    low, high = 0.0, LARGEST
    for _ in range(STEPS):
        middle = (low + high) / 2
        expected = sum(count.pairs * both_hits(count.first, count.second, middle) for count in known)
        low, high = (middle, high) if expected < seen else (low, middle)
    return (low + high) / 2 if high - low < LARGEST else 0.0


def both_hits(first: float, second: float, correlation: float) -> float:
    """The chance that two trials with these rates and this correlation are both hits."""
    h, k = (float(ndtri(rate)) or 1e-12 for rate in (first, second))
    rest = sqrt(1 - correlation**2)
    corner = owens_t(h, (k - correlation * h) / (h * rest)) + owens_t(k, (h - correlation * k) / (k * rest))
    return float((ndtr(h) + ndtr(k)) / 2 - corner - (0.5 if h * k < 0 else 0.0))
