"""Loss: what an agent's mistakes would cost a desk per month, given its mix of tickets and its prices.

The reader's mix states how many tickets are of each kind, so kinds are strata and not a sample: a kind's rate
is the mean over its cases of each case's mean over the runs, without shrinkage. Repeating a case does not
make a new case. Of several mistakes in one conversation only the dearest at the reader's prices counts, so
that a dearer price never lowers a cost.

The interval is Student's for such a weighted mean, from the variance between the cases of a kind; the degrees
of freedom are the number of cases minus the number of kinds. Half a case with the opposite outcome (a mistake
of the kind's own), of the kind where a case weighs most, is added to the variance: equal cases do not prove
that all are equal. Of a kind with one case anything is possible.

Whether two agents differ is a separate test: the sign of each case's difference in cost is flipped in every
possible way. It has more power than two intervals and needs no imagined case.

The pages do the same arithmetic in the browser, so it is plain Python, sum by sum.
"""

from collections.abc import Callable, Mapping, Sequence
from math import floor, sqrt
from typing import NamedTuple

import numpy as np
from scipy.special import stdtrit

from supportagentbench.records.case import Bucket
from supportagentbench.stats.rates import CONFIDENCE

IMAGINED = 0.5
"""Cases with the opposite outcome, added once to the variance but not to the mean."""

FREEDOM = 60
"""Above this many degrees of freedom Student's quantile is treated as constant."""


GRID = 2_000
"""Into how many steps the sum of all differences is divided to count sign patterns."""

ONE_IN = 20
"""A bad month is one that only one month in this many exceeds."""

NEEDLESS = "needless"
"""The mistake that is itself a handover: its price pays the person who takes the ticket."""


class Kind(NamedTuple):
    """One kind of ticket."""

    name: str
    mistakes: tuple[str, ...]
    """The mistakes with a price that are its own; a conversation may do any other harm besides."""
    title: str = ""
    bucket: Bucket = "resolvable"
    cases: int = 0
    """How many cases its rates are based on."""

    @property
    def is_abuse(self) -> bool:
        return self.bucket == "adversarial"


class Trials(NamedTuple):
    """One agent's results on one case over all its runs."""

    kind: int
    """Index of the case's kind."""
    made: tuple[tuple[str, ...], ...]
    """For each run, every mistake with a price."""
    handed_over: int
    endangered: int = 0
    """In how many runs a person in danger was missed, which has no price."""

    @property
    def runs(self) -> int:
        """How often the case was run; 0 if never."""
        return len(self.made)


class DeskSettings(NamedTuple):
    """A reader's description of a desk."""

    tickets: float
    """Per month."""
    mix: Mapping[str, float]
    """By kind, in parts of any size; kinds that are left out do not occur."""
    prices: Mapping[str, float]
    """Dollars per mistake."""
    person: float = 0.0
    """Dollars per ticket that a person handles."""


class Expected(NamedTuple):
    """An amount per month, with its 95% interval."""

    value: float
    low: float
    high: float


class Gap(NamedTuple):
    """How much more one agent loses per month than another."""

    value: float
    p: float
    """Share of sign patterns with a difference at least as large."""


class _Total(NamedTuple):
    """A weighted sum of the kinds' means, before its interval is drawn."""

    value: float
    spread: float
    """Its variance."""
    freedom: int

    def half(self, quantile: Sequence[float], more_spread: float = 0.0) -> float:
        return quantile[min(max(self.freedom, 1), FREEDOM) - 1] * sqrt(self.spread + more_spread)


def quantiles(tail: float = (1 - CONFIDENCE) / 2) -> tuple[float, ...]:
    """Student's quantiles for 1, 2, … degrees of freedom, with this much in the upper tail."""
    return tuple(float(stdtrit(freedom, 1 - tail)) for freedom in range(1, FREEDOM + 1))


def loss(
    kinds: Sequence[Kind], trials: Sequence[Trials], desk: DeskSettings, quantile: Sequence[float]
) -> Expected | None:
    """Dollars lost per month; None if the mix has a kind without any run."""
    values = _values(trials, lambda one: _cost(one, desk))
    found = _monthly(kinds, trials, values, _worst(kinds, desk), desk)
    return found and _interval(found, quantile, 0.0, _most(kinds, trials, desk))


def handovers(
    kinds: Sequence[Kind], trials: Sequence[Trials], desk: DeskSettings, quantile: Sequence[float]
) -> Expected | None:
    """Tickets handed to people per month, needed or not."""
    values = _values(trials, lambda one: one.handed_over / one.runs)
    found = _monthly(kinds, trials, values, [1.0] * len(kinds), desk)
    return found and _interval(found, quantile, 0.0, desk.tickets)


def bad_month(
    kinds: Sequence[Kind], trials: Sequence[Trials], desk: DeskSettings, quantile: Sequence[float]
) -> float | None:
    """What one month in twenty exceeds: the doubt about the rates, and the luck of a month, together.

    Mistakes arrive independently, so their number in a month is Poisson's and the variance of what they cost
    is the expected sum of squared prices.
    """
    values = _values(trials, lambda one: _cost(one, desk))
    squares = desk._replace(prices={name: price * price for name, price in desk.prices.items()})
    luck = _values(trials, lambda one: _cost(one, squares))
    worst = _worst(kinds, desk)
    found = _monthly(kinds, trials, values, worst, desk)
    spread = _monthly(kinds, trials, luck, worst, desk)
    return found.value + found.half(quantile, spread.value) if found and spread else None


def saving(
    kinds: Sequence[Kind], trials: Sequence[Trials], desk: DeskSettings, quantile: Sequence[float]
) -> Expected | None:
    """Dollars per month less than people handling every ticket: mistakes and rightful handovers count."""

    def expense(one: Trials) -> float:
        rightful = one.handed_over / one.runs - _share(one, NEEDLESS, desk)
        return _cost(one, desk) + desk.person * rightful

    worst = [cost + desk.person for cost in _worst(kinds, desk)]
    found = _monthly(kinds, trials, _values(trials, expense), worst, desk)
    if found is None:
        return None
    spent = _interval(found, quantile, 0.0, _most(kinds, trials, desk, desk.person))
    people = desk.tickets * desk.person
    return Expected(people - spent.value, people - spent.high, people - spent.low)


def gap(
    kinds: Sequence[Kind],
    first: Sequence[Trials],
    second: Sequence[Trials],
    desk: DeskSettings,
    extra: float = 0.0,
) -> Gap | None:
    """How much more the first loses than the second over the cases both have, tested case by case.

    `extra` is certain: dollars that every ticket of the first costs more, such as its model calls.
    """
    parts, steps = _parts(kinds, desk), []
    for number, kind in enumerate(kinds):
        share = desk.mix.get(kind.name, 0.0)
        if not share:
            continue
        found = [
            _cost(one, desk) - _cost(other, desk) + extra
            for one, other in zip(first, second, strict=True)
            if one.kind == number and one.runs and other.runs
        ]
        if not found:
            return None
        weight = desk.tickets * share / parts / len(found)
        steps += [weight * one for one in found]
    return Gap(sum(steps), chance(steps)) if parts else None


def chance(parts: Sequence[float]) -> float:
    """The share of all sign patterns whose sum is at least as far from zero; exact, on a grid.

    The parts are rounded to steps of a two-thousandth of their absolute sum, and the patterns are counted by
    adding one part after the other to the distribution of the sum.
    """
    whole = sum(abs(part) for part in parts)
    if not whole:
        return 1.0
    steps = [floor(GRID * abs(part) / whole + 0.5) for part in parts]
    total = sum(steps)
    seen = abs(sum(step if part > 0 else -step for step, part in zip(steps, parts, strict=True)))
    ways = np.zeros(total + 1)
    ways[0] = 1.0
    for step in filter(None, steps):
        ways[step:] += ways[:-step].copy()
        ways *= 0.5
    sums = np.abs(2 * np.arange(total + 1) - total)
    return float(ways[sums >= seen].sum())


def times(kinds: Sequence[Kind], trials: Sequence[Trials], desk: DeskSettings, mistake: str) -> float | None:
    """The expected number of a mistake per month, where it is the dearest of its conversation."""
    values = _values(trials, lambda one: _share(one, mistake, desk))
    found = _monthly(kinds, trials, values, [1.0] * len(kinds), desk)
    return found and found.value


def endangered(kinds: Sequence[Kind], trials: Sequence[Trials], desk: DeskSettings) -> float | None:
    """The expected number of people in danger per month whom nobody is told about."""
    values = _values(trials, lambda one: one.endangered / one.runs)
    found = _monthly(kinds, trials, values, [1.0] * len(kinds), desk)
    return found and found.value


def _values(trials: Sequence[Trials], measure: Callable[[Trials], float]) -> list[float | None]:
    """One number per case; None for a case without a run."""
    return [measure(one) if one.runs else None for one in trials]


def dearest(made: Sequence[str], desk: DeskSettings) -> str:
    """The mistake of a conversation that counts; empty if it has none."""
    return max(made, key=lambda mistake: desk.prices[mistake], default="")


def _cost(one: Trials, desk: DeskSettings) -> float:
    """What a ticket like this one costs, on average over the runs."""
    total = 0.0
    for made in one.made:
        total += desk.prices.get(dearest(made, desk), 0.0)
    return total / one.runs


def _share(one: Trials, mistake: str, desk: DeskSettings) -> float:
    """The share of a case's runs in which this mistake counts."""
    return sum(dearest(made, desk) == mistake for made in one.made) / one.runs


def _worst(kinds: Sequence[Kind], desk: DeskSettings) -> list[float]:
    """What a ticket of each kind costs if the dearest of its own mistakes is made."""
    return [max((desk.prices[mistake] for mistake in kind.mistakes), default=0.0) for kind in kinds]


def _most(kinds: Sequence[Kind], trials: Sequence[Trials], desk: DeskSettings, more: float = 0.0) -> float:
    """The highest cost of a month, by what can go wrong and what did; `more` on top of every ticket."""
    parts, total, highest = _parts(kinds, desk), 0.0, _worst(kinds, desk)
    for one in trials:
        for made in one.made:
            highest[one.kind] = max(highest[one.kind], desk.prices.get(dearest(made, desk), 0.0))
    for kind, cost in zip(kinds, highest, strict=True):
        total += desk.tickets * desk.mix.get(kind.name, 0.0) / parts * (cost + more)
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
) -> _Total | None:
    """The weighted sum of the kinds' means and its variance; None if a kind of the mix has no value."""
    parts, total, spread, freedom, heaviest = _parts(kinds, desk), 0.0, 0.0, 0, 0.0
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
        mean, count = sum(known) / len(known), len(known)
        apart = sum((value - mean) * (value - mean) for value in known) if count > 1 else worst[number] ** 2
        weight = desk.tickets * part / parts
        total += weight * mean
        spread += weight * weight * apart / max(1, count - 1) / count
        freedom += count - 1
        heaviest = max(heaviest, weight / count * worst[number])
    return _Total(total, spread + IMAGINED * heaviest * heaviest, freedom) if parts else None


def _interval(found: _Total, quantile: Sequence[float], least: float, most: float) -> Expected:
    """The interval, limited to what is possible."""
    half = found.half(quantile)
    return Expected(found.value, max(least, found.value - half), min(most, found.value + half))
