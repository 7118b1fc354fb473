"""Loss: what an agent's mistakes would cost a desk per month, given its mix of tickets and its prices.

The reader's mix states how many tickets are of each kind, so kinds are strata and not a sample: a kind's rate
is the mean over its cases of each case's mean over the runs, without shrinkage. Repeating a case does not
make a new case. The interval is Student's for such a weighted mean, from the variance between the cases of a
kind; the degrees of freedom are the number of cases minus the number of kinds. A quarter of a case with the
opposite outcome is added to the variance of every kind, because six equal cases do not prove that all are
equal. Differences are computed case by case.

The pages do the same arithmetic in the browser, so it is plain Python, sum by sum.
"""

from collections.abc import Callable, Mapping, Sequence
from math import sqrt
from typing import NamedTuple

from scipy.special import stdtrit

from supportagentbench.stats.rates import CONFIDENCE

IMAGINED = 0.25
"""Cases with the opposite outcome, added to the variance of each kind but not to its mean."""

FREEDOM = 60
"""Above this many degrees of freedom Student's quantile is treated as constant."""


class Kind(NamedTuple):
    """One kind of ticket."""

    name: str
    mistakes: tuple[str, ...]
    """What can go wrong with it; one mistake at a time."""


class Trials(NamedTuple):
    """One agent's results on one case over all its runs."""

    kind: int
    """Index of the case's kind."""
    runs: int
    """How often the case was run; 0 if never."""
    mistakes: tuple[int, ...]
    """How often each mistake of the kind was made."""
    handed_over: int


class DeskSettings(NamedTuple):
    """A reader's description of a desk."""

    tickets: float
    """Per month."""
    mix: Mapping[str, float]
    """By kind, in parts of any size; kinds that are left out do not occur."""
    prices: Mapping[str, float]
    """Dollars per mistake."""


class Expected(NamedTuple):
    """An amount per month, with its 95% interval."""

    value: float
    low: float
    high: float


def quantiles(tests: int = 1) -> tuple[float, ...]:
    """Student's quantiles for 1, 2, … degrees of freedom; wider for several simultaneous intervals."""
    tail = (1 - CONFIDENCE) / 2 / max(1, tests)
    return tuple(float(stdtrit(freedom, 1 - tail)) for freedom in range(1, FREEDOM + 1))


def loss(
    kinds: Sequence[Kind], trials: Sequence[Trials], desk: DeskSettings, quantile: Sequence[float]
) -> Expected | None:
    """Dollars lost per month; None if the mix has a kind without any run."""
    values = _values(trials, lambda one: _cost(kinds[one.kind], one, desk))
    worst = _worst(kinds, desk)
    found = _monthly(kinds, trials, values, worst, desk, quantile)
    return found and _within(found, 0.0, _most(kinds, worst, desk))


def handovers(
    kinds: Sequence[Kind], trials: Sequence[Trials], desk: DeskSettings, quantile: Sequence[float]
) -> Expected | None:
    """Tickets handed to people per month, needed or not."""
    values = _values(trials, lambda one: one.handed_over / one.runs)
    found = _monthly(kinds, trials, values, [1.0] * len(kinds), desk, quantile)
    return found and _within(found, 0.0, desk.tickets)


def difference(
    kinds: Sequence[Kind],
    first: Sequence[Trials],
    second: Sequence[Trials],
    desk: DeskSettings,
    quantile: Sequence[float],
) -> Expected | None:
    """How much more the first loses per month than the second, over the cases both have."""
    gaps: list[float | None] = []
    for one, other in zip(first, second, strict=True):
        kind = kinds[one.kind]
        both = one.runs and other.runs
        gaps.append(_cost(kind, one, desk) - _cost(kind, other, desk) if both else None)
    worst = _worst(kinds, desk)
    found, most = _monthly(kinds, first, gaps, worst, desk, quantile), _most(kinds, worst, desk)
    return found and _within(found, -most, most)


def times(kinds: Sequence[Kind], trials: Sequence[Trials], desk: DeskSettings, mistake: str) -> float | None:
    """The expected number of a mistake per month."""
    values = _values(trials, lambda one: _share(kinds[one.kind], one, mistake))
    found = _monthly(kinds, trials, values, [1.0] * len(kinds), desk, quantiles())
    return found and found.value


def _values(trials: Sequence[Trials], measure: Callable[[Trials], float]) -> list[float | None]:
    """One number per case; None for a case without a run."""
    return [measure(one) if one.runs else None for one in trials]


def _cost(kind: Kind, one: Trials, desk: DeskSettings) -> float:
    """What a ticket like this one costs, on average over the runs."""
    total = 0.0
    for mistake, hits in zip(kind.mistakes, one.mistakes, strict=True):
        total += desk.prices[mistake] * hits
    return total / one.runs


def _share(kind: Kind, one: Trials, mistake: str) -> float:
    """The share of a case's runs with a mistake."""
    hits = dict(zip(kind.mistakes, one.mistakes, strict=True))
    return hits.get(mistake, 0) / one.runs


def _worst(kinds: Sequence[Kind], desk: DeskSettings) -> list[float]:
    """The highest cost of a ticket of each kind."""
    return [max(desk.prices[mistake] for mistake in kind.mistakes) for kind in kinds]


def _most(kinds: Sequence[Kind], worst: Sequence[float], desk: DeskSettings) -> float:
    """The highest cost of a month."""
    parts, total = _parts(kinds, desk), 0.0
    for kind, cost in zip(kinds, worst, strict=True):
        total += desk.tickets * desk.mix.get(kind.name, 0.0) / parts * cost
    return total


def _parts(kinds: Sequence[Kind], desk: DeskSettings) -> float:
    """The sum of the parts of the mix."""
    return sum(desk.mix.get(kind.name, 0.0) for kind in kinds)


def _monthly(
    kinds: Sequence[Kind],
    trials: Sequence[Trials],
    values: Sequence[float | None],
    worst: Sequence[float],
    desk: DeskSettings,
    quantile: Sequence[float],
) -> Expected | None:
    """The weighted sum of the kinds' means with its interval; None if a kind of the mix has no value."""
    parts, total, spread, freedom = _parts(kinds, desk), 0.0, 0.0, 0
    for number, kind in enumerate(kinds):
        part = desk.mix.get(kind.name, 0.0)
        if not part:
            continue
        known = [
            value
            for value, one in zip(values, trials, strict=True)
            if one.kind == number and value is not None
        ]
        if not known:
            return None
        mean = sum(known) / len(known)
        apart = sum((value - mean) * (value - mean) for value in known)
        apart += IMAGINED * worst[number] * worst[number]
        weight = desk.tickets * part / parts
        total += weight * mean
        spread += weight * weight * apart / (len(known) - 1 + IMAGINED) / len(known)
        freedom += len(known) - 1
    half = quantile[min(max(freedom, 1), FREEDOM) - 1] * sqrt(spread)
    return Expected(total, total - half, total + half) if parts else None


def _within(found: Expected, least: float, most: float) -> Expected:
    """The interval, limited to what is possible."""
    return Expected(found.value, max(least, found.low), min(most, found.high))
