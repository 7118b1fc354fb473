"""Plan: about what a model will be asked for, and what that costs, before anything is spent."""

from typing import NamedTuple

from supportagentbench.models.prices import dollars
from supportagentbench.models.provider import PROVIDERS, Role, is_model, key_of
from supportagentbench.models.spec import parse_model
from supportagentbench.records.usage import Usage

LETTERS_A_TOKEN = 4
SECONDS_A_CALL = 3.0
"""A guess, until the first answers come in."""


class Weight(NamedTuple):
    """What work comes to: requests, and letters sent, of these sent before, and written."""

    calls: int = 0
    sent: int = 0
    before: int = 0
    written: int = 0

    def and_also(self, other: "Weight") -> "Weight":
        return Weight(*(one + another for one, another in zip(self, other, strict=True)))

    def times(self, number: float) -> "Weight":
        return Weight(*(round(one * number) for one in self))


class CostPlan(NamedTuple):
    """About what one model will take."""

    model: str
    talks: int
    calls: int
    input: int
    """Tokens, those a provider may have in its cache included."""
    output: int
    cost: float | None
    """Dollars; None when no table knows the price."""
    seconds: float
    is_paid: bool
    """Whether a key is used, and somebody gets a bill."""
    role: Role = "agent"
    most: float | None = None
    """Dollars if everything takes as long as it may."""


def check_keys(names: list[str]) -> None:
    """Stop at the first of these models whose key is missing."""
    for name in names:
        if is_model(name) and (parsed := parse_model(name)).provider in PROVIDERS:
            key_of(parsed)


def planned(
    name: str, weight: Weight, talks: int, at_once: int, role: Role = "agent", most: Weight | None = None
) -> CostPlan:
    """What this much work means for one model, and what it costs if there is as much as there may be."""
    parsed = parse_model(name)
    provider = PROVIDERS.get(parsed.provider)

    def cost(weight: Weight) -> float | None:
        sent, before, written = (letters // LETTERS_A_TOKEN for letters in weight[1:])
        usage = Usage(parsed.model, input=sent - before, cache_read=before, output=written)
        return dollars(usage, provider.prices, parsed.model) if provider else None

    return CostPlan(
        model=parsed.shown,
        talks=talks,
        calls=weight.calls,
        input=weight.sent // LETTERS_A_TOKEN,
        output=weight.written // LETTERS_A_TOKEN,
        cost=cost(weight),
        seconds=weight.calls * SECONDS_A_CALL / at_once,
        is_paid=bool(provider and provider.keys),
        role=role,
        most=cost(most or weight),
    )
