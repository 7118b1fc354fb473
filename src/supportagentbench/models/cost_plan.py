"""Cost plan: an estimate of a model's calls and their cost, before anything is spent."""

from collections.abc import Iterable
from typing import NamedTuple

from supportagentbench.models.prices import dollars
from supportagentbench.models.provider import PROVIDERS, Role, host_of, is_model, key_of
from supportagentbench.models.spec import parse_model
from supportagentbench.records.usage import Usage

CHARACTERS_PER_TOKEN = 4
SECONDS_PER_CALL = 3.0
"""A guess until the first answers arrive."""


class Workload(NamedTuple):
    """Requests to a model, and the characters in them."""

    calls: int = 0
    sent: int = 0
    repeated: int = 0
    """Characters sent that an earlier request already sent, which a provider may cache."""
    written: int = 0
    """Characters the model writes."""

    def plus(self, other: "Workload") -> "Workload":
        return Workload(*(one + another for one, another in zip(self, other, strict=True)))

    def times(self, number: float) -> "Workload":
        return Workload(*(round(one * number) for one in self))


class CostPlan(NamedTuple):
    """What one model is expected to use."""

    model: str
    conversations: int
    calls: int
    input: int
    """Tokens, including those that a provider may cache."""
    output: int
    cost: float | None
    """Dollars; None if the price is unknown."""
    seconds: float
    is_paid: bool
    """Whether the provider charges for calls."""
    role: Role = "agent"
    most: float | None = None
    """Dollars if every conversation runs to the turn limit."""
    host: str = ""
    """The server that gets the requests; empty for a model in this process."""


def cost_range(plans: list[CostPlan]) -> tuple[float | None, float | None]:
    """Dollars that all plans cost together, at least and at most; None if any price is unknown."""
    paid = [plan for plan in plans if plan.is_paid]
    if not paid or any(plan.cost is None for plan in paid):
        return None, None
    return sum(plan.cost or 0.0 for plan in paid), sum(plan.most or 0.0 for plan in paid)


def sent_to(models: Iterable[tuple[str, str]]) -> list[str]:
    """Which servers receive the requests and keys, from pairs of a server and a model."""
    found: dict[str, dict[str, None]] = {}
    for host, model in models:
        if host:
            found.setdefault(host, {})[model] = None
    return [f"Sent to {host}: {', '.join(names)}." for host, names in found.items()]


def check_keys(names: list[str]) -> None:
    """Raise a Problem at the first of these models whose key is missing."""
    for name in names:
        if is_model(name) and (parsed := parse_model(name)).provider in PROVIDERS:
            key_of(parsed)


def planned(
    name: str,
    workload: Workload,
    conversations: int,
    concurrency: int,
    role: Role = "agent",
    most: Workload | None = None,
) -> CostPlan:
    """The plan of one model for this workload; `most` is the workload at the turn limit."""
    parsed = parse_model(name)
    provider = PROVIDERS.get(parsed.provider)

    def cost(workload: Workload) -> float | None:
        sent, repeated, written = (characters // CHARACTERS_PER_TOKEN for characters in workload[1:])
        usage = Usage(parsed.model, input=sent - repeated, cache_read=repeated, output=written)
        return dollars(usage, provider.prices, parsed.model) if provider else None

    return CostPlan(
        model=parsed.shown,
        conversations=conversations,
        calls=workload.calls,
        input=workload.sent // CHARACTERS_PER_TOKEN,
        output=workload.written // CHARACTERS_PER_TOKEN,
        cost=cost(workload),
        seconds=workload.calls * SECONDS_PER_CALL / concurrency,
        is_paid=bool(provider and provider.keys),
        role=role,
        host=host_of(name),
        most=cost(most or workload),
    )
