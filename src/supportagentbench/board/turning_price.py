"""Turning price: what a customer wrongly turned away would have to count as for another choice to cost less.

It is the assumption with the most weight, so pages say from which value on it changes the answer.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from supportagentbench.board.desk import AgentOnDesk, SupportDesk
from supportagentbench.board.loss import DeskSettings, loss, quantiles, saving
from supportagentbench.board.mistakes import UNRESOLVED

FURTHEST = 128
"""A price this many times the one in force is not looked at."""

STEPS = 12
"""How often the way to the turning price is halved; the rest is taken as a straight line."""


_QUANTILES = quantiles()


class TurningPrice(NamedTuple):
    """From this price on, something else would cost less than the agent to use."""

    rival: str
    """An agent; empty: people doing all the work."""
    price: float


def unsolved_price(settings: DeskSettings) -> float | None:
    """What a customer counts as who does not get what is due; None: no ticket can go wrong like that."""
    return settings.prices.get(UNRESOLVED)


def turning_prices(
    desk: SupportDesk | None, settings: DeskSettings | None, pick: str, others: list[str]
) -> list[TurningPrice]:
    """Where another of these agents costs less, then where people alone do if that is not before."""
    price = unsolved_price(settings) if settings else None
    agents = {one.results.name: one for one in desk.agents} if desk else {}
    if desk is None or settings is None or not price or pick not in agents:
        return []
    lead = [(_lead(desk, settings, agents[pick], agents[name]), name) for name in others if name in agents]
    found = [TurningPrice(name, at) for over, name in lead if (at := _turn(over, price)) is not None]
    nearest = sorted(found, key=lambda one: (one.price, one.rival))[:1]
    return [*nearest, *_people(desk, settings, agents[pick], price)]


def _people(
    desk: SupportDesk, settings: DeskSettings, pick: AgentOnDesk, price: float
) -> Iterator[TurningPrice]:
    fees = settings.tickets * desk.fee(pick)

    def over(dollars: float) -> float:
        saved = saving(desk.kinds, pick.trials, _priced(settings, dollars), _QUANTILES)
        return fees - saved.value if saved else 0.0

    at = _turn(over, price) if settings.person else None
    if at is not None:
        yield TurningPrice("", at)


def _lead(
    desk: SupportDesk, settings: DeskSettings, pick: AgentOnDesk, other: AgentOnDesk
) -> Callable[[float], float]:
    """How much more the first costs than the other, by the price."""

    fees = settings.tickets * (desk.fee(pick) - desk.fee(other))

    def over(dollars: float) -> float:
        at = _priced(settings, dollars)
        mine, theirs = (loss(desk.kinds, one.trials, at, _QUANTILES) for one in (pick, other))
        return fees + mine.value - theirs.value if mine and theirs else 0.0

    return over


def _priced(settings: DeskSettings, dollars: float) -> DeskSettings:
    return settings._replace(prices={**settings.prices, UNRESOLVED: dollars})


def _turn(over: Callable[[float], float], price: float) -> float | None:
    """The first price at which this is above zero; None: it already is, or never."""
    if over(price) > 0:
        return None
    high = price
    while over(high) <= 0:
        high *= 2
        if high > FURTHEST * price:
            return None
    low = high / 2
    for _ in range(STEPS):
        middle = (low + high) / 2
        low, high = (low, middle) if over(middle) > 0 else (middle, high)
    below, above = over(low), over(high)
    return low + (high - low) * below / (below - above)
