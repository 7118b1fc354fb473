"""Loss: what an agent's mistakes would cost a desk a month, by that desk's own mix of tickets and own prices.

The reader's mix says how many tickets are of each kind, so kinds are strata and not a sample: a kind's rate
is the mean over its cases of what each case came to over the runs, as counted and not shrunk. Repeating a
case is no new case. The interval is Student's for such a weighted mean, from what varies between the cases
of a kind (Satterthwaite's freedom); a quarter of a case that went the other way altogether joins the spread
of every kind, because six cases that end alike do not show that all do. Differences are taken case by case.

The pages do the same arithmetic in the browser, so it is plain Python, sum by sum.
"""

from collections.abc import Callable, Mapping, Sequence
from math import floor, sqrt
from typing import NamedTuple

from scipy.special import stdtrit

from supportagentbench.tally.stats import CONFIDENCE

IMAGINED = 0.25
"""Cases that went the other way, added to the spread of each kind but not to its mean."""

FREEDOM = 60
"""Beyond so many degrees of freedom Student's quantile is taken as it is here."""


class Kind(NamedTuple):
    """One kind of ticket."""

    name: str
    mistakes: tuple[str, ...]
    """What can go wrong with it; of several, one at a time."""


class Trials(NamedTuple):
    """What one agent did in one case over all its runs."""

    kind: int
    """Place of the case's kind among all kinds."""
    runs: int
    """How often it was tried; 0 if never."""
    mistakes: tuple[int, ...]
    """How often each mistake of the kind was made."""
    handed_over: int


class Desk(NamedTuple):
    """What a reader says of a desk."""

    tickets: float
    """A month."""
    mix: Mapping[str, float]
    """By kind, parts of any size; kinds that are left out do not come in."""
    prices: Mapping[str, float]
    """Dollars a mistake."""


class Expected(NamedTuple):
    """So much a month, with its 95% interval."""

    value: float
    low: float
    high: float


def quantiles(tests: int = 1) -> tuple[float, ...]:
    """Student's quantiles for 1, 2, … degrees of freedom; wider where so many intervals must hold at once."""
    tail = (1 - CONFIDENCE) / 2 / max(1, tests)
    return tuple(float(stdtrit(freedom, 1 - tail)) for freedom in range(1, FREEDOM + 1))


def loss(
    kinds: Sequence[Kind], trials: Sequence[Trials], desk: Desk, quantile: Sequence[float]
) -> Expected | None:
    """Dollars lost a month; None if the mix has a kind that the agent was never tried on."""
    values = _values(trials, lambda one: _cost(kinds[one.kind], one, desk))
    return _within(_monthly(kinds, trials, values, _worst(kinds, desk), desk, quantile), kinds, desk)


def handovers(
    kinds: Sequence[Kind], trials: Sequence[Trials], desk: Desk, quantile: Sequence[float]
) -> Expected | None:
    """Tickets handed to people a month, needed or not."""
    values = _values(trials, lambda one: one.handed_over / one.runs)
    found = _monthly(kinds, trials, values, [1.0] * len(kinds), desk, quantile)
    return found and Expected(found.value, max(0.0, found.low), min(desk.tickets, found.high))


def difference(
    kinds: Sequence[Kind],
    first: Sequence[Trials],
    second: Sequence[Trials],
    desk: Desk,
    quantile: Sequence[float],
) -> Expected | None:
    """How much more the first loses a month than the second, case by case over the cases both have."""
    gaps: list[float | None] = []
    for one, other in zip(first, second, strict=True):
        kind = kinds[one.kind]
        both = one.runs and other.runs
        gaps.append(_cost(kind, one, desk) - _cost(kind, other, desk) if both else None)
    return _monthly(kinds, first, gaps, _worst(kinds, desk), desk, quantile)


def times(kinds: Sequence[Kind], trials: Sequence[Trials], desk: Desk, mistake: str) -> float | None:
    """How often a mistake is to be expected a month."""
    values = _values(trials, lambda one: _times(kinds[one.kind], one, mistake))
    found = _monthly(kinds, trials, values, [1.0] * len(kinds), desk, quantiles())
    return found and found.value


def _values(trials: Sequence[Trials], measure: Callable[[Trials], float]) -> list[float | None]:
    """One number a case, none for a case that was never tried."""
    return [measure(one) if one.runs else None for one in trials]


def _cost(kind: Kind, one: Trials, desk: Desk) -> float:
    """What a ticket like this one costs, on average over the runs."""
    total = 0.0
    for mistake, hits in zip(kind.mistakes, one.mistakes, strict=True):
        total += desk.prices[mistake] * hits
    return total / one.runs


def _times(kind: Kind, one: Trials, mistake: str) -> float:
    hits = dict(zip(kind.mistakes, one.mistakes, strict=True))
    return hits.get(mistake, 0) / one.runs


def _worst(kinds: Sequence[Kind], desk: Desk) -> list[float]:
    """What a ticket of each kind can cost at most."""
    return [max(desk.prices[mistake] for mistake in kind.mistakes) for kind in kinds]


def _monthly(
    kinds: Sequence[Kind],
    trials: Sequence[Trials],
    values: Sequence[float | None],
    worst: Sequence[float],
    desk: Desk,
    quantile: Sequence[float],
) -> Expected | None:
    """The weighted sum of the kinds' means, and its interval."""
    parts = sum(desk.mix.get(kind.name, 0.0) for kind in kinds)
    total = spread = squares = 0.0
    for number, kind in enumerate(kinds):
        part = desk.mix.get(kind.name, 0.0)
        if not part:
            continue
        found = [value for value, one in zip(values, trials, strict=True) if one.kind == number]
        known = [value for value in found if value is not None]
        if not known:
            return None
        mean = sum(known) / len(known)
        freedom = len(known) - 1 + IMAGINED
        apart = sum((value - mean) * (value - mean) for value in known)
        apart += IMAGINED * worst[number] * worst[number]
        weight = desk.tickets * part / parts
        variance = weight * weight * apart / freedom / len(known)
        total += weight * mean
        spread += variance
        squares += variance * variance / freedom
    if not parts:
        return None
    freedom = floor(spread * spread / squares) if squares else 1
    half = quantile[min(max(freedom, 1), FREEDOM) - 1] * sqrt(spread)
    return Expected(total, total - half, total + half)


def _within(found: Expected | None, kinds: Sequence[Kind], desk: Desk) -> Expected | None:
    """No desk loses less than nothing, nor more than everything that can go wrong."""
    if found is None:
        return None
    parts = sum(desk.mix.get(kind.name, 0.0) for kind in kinds)
    most = 0.0
    for kind, worst in zip(kinds, _worst(kinds, desk), strict=True):
        most += desk.tickets * desk.mix.get(kind.name, 0.0) / parts * worst
    return Expected(found.value, max(0.0, found.low), min(max(most, found.value), found.high))
