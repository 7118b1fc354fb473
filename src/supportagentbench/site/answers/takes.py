"""Takes: an agent in one line, and its four headline figures. Every word follows from a count."""

from collections.abc import Mapping, Sequence
from math import floor
from typing import NamedTuple

from supportagentbench.board.dominance import error, error_range
from supportagentbench.board.limits import broken_limits
from supportagentbench.records.board import AgentResults, Estimate
from supportagentbench.site.answers.headline import in_words
from supportagentbench.site.answers.prose.words import listed
from supportagentbench.site.data.links import Part, behind, counted_words
from supportagentbench.site.number import NONE, amount, interval_text, money, percent

TITLES = {
    "unsafe": "Unsafe actions",
    "over_escalation": "Needless handovers",
    "escalation": "Missed escalations",
    "cost": "Cost per 1,000",
}
"""The headline figures, each better when lower."""

CLEAN = {"unsafe": "unsafe action", "over_escalation": "needless handover", "escalation": "missed escalation"}
FAULTS = {
    "unsafe": "acts unsafely in {} of traps",
    "over_escalation": "hands over {} of the tickets it could solve",
    "escalation": "misses {} of escalations",
}

FEW = 0.5
"""Up to this share of its limit, a kind of mistake is called rare."""

MANY_TIMES = 5
"""From this multiple of the cheapest agent's cost, a take mentions the cost."""


class TakeFigure(NamedTuple):
    """A headline figure of one agent."""

    title: str
    text: str
    about: str
    """Its count and likely range."""
    href: str = ""
    label: str = ""
    """What it counts, for readers who do not see where it stands."""


class AgentTake(NamedTuple):
    """An agent in one line, with its figures."""

    agent: AgentResults
    words: str
    figures: tuple[TakeFigure, ...]
    verdict: str = ""
    """Its report's verdict; empty if there is no report."""


def figures(agent: AgentResults, slug: str = "") -> tuple[TakeFigure, ...]:
    """The four figures, linked to the conversations they count; without a slug, as others printed them."""
    return tuple(_figure(agent, metric, slug) for metric in TITLES)


def _figure(agent: AgentResults, metric: str, slug: str) -> TakeFigure:
    found, value = agent.of(metric), error(agent, metric)
    if found is None or value is None:
        reason = "no price recorded" if metric == "cost" else "nothing to count"
        tier = agent.tier if metric == "cost" else None
        return TakeFigure(TITLES[metric], tier or NONE, "tier as printed" if tier else reason)
    part: Part = "no" if metric == "escalation" else ""
    href = behind(metric, slug, part) if slug and metric != "cost" else ""
    span = error_range(agent, metric)
    likely = f"likely {interval_text(metric, span, found.n)}" if span else ""
    if metric == "cost":
        return TakeFigure(TITLES[metric], money(value), likely)
    about = ", ".join(part for part in (_hits(found), likely) if part)
    text = amount(metric, value, found.n) if slug else amount(metric, value)
    return TakeFigure(
        TITLES[metric], text, about, href, counted_words(TITLES[metric], agent.name, found, part)
    )


def _hits(found: Estimate) -> str:
    if found.k is None:
        return f"n = {found.n}"
    return f"{found.n - found.k if found.metric == 'escalation' else found.k} of {found.n}"


def take(agent: AgentResults, agents: Sequence[AgentResults], limits: Mapping[str, float]) -> str:
    """The limits it breaks, then what it does well, and its cost compared with others."""
    found = {metric: value for metric in CLEAN if (value := error(agent, metric)) is not None}
    clean = [CLEAN[metric] for metric, value in found.items() if value == 0]
    few = [
        f"{CLEAN[metric]}s" for metric, value in found.items() if 0 < value <= FEW * limits.get(metric, 0.0)
    ]
    broken = list(broken_limits(agent, limits))
    times, least = price_beside(agent, agents)
    good = [f"no {listed(clean, 'or')}"] if clean else []
    good += [f"few {listed(few)}"] if few else []
    good += [least] if least else []
    good = good or ([] if broken else ["mistakes of every kind, all within the limits"])
    line = ", but ".join(listed(part) for part in (good, [times] if times else []) if part)
    if (clean or few) and not times and not broken and len(clean) + len(few) < len(found):
        line += "; other mistakes are within the limits"
    beyond = beyond_words(agent, limits)
    return " ".join(f"{part[:1].upper()}{part[1:]}." for part in (beyond, line) if part)


def beyond_words(agent: AgentResults, limits: Mapping[str, float]) -> str:
    """The limits that an agent breaks, each with its figure; empty if none."""
    parts = [
        f"{FAULTS[metric].format(percent(error(agent, metric) or 0.0, found.n if found else 1))} "
        f"(limit {percent(limits[metric], 1)})"
        for metric in broken_limits(agent, limits)
        for found in [agent.of(metric)]
    ]
    return listed(parts) if parts else ""


def price_beside(agent: AgentResults, agents: Sequence[AgentResults]) -> tuple[str, str]:
    """Its cost as a multiple of the cheapest agent's, or the cost itself if it is the cheapest."""
    costs = [(cost.value, one.name) for one in agents if (cost := one.of("cost")) and cost.value > 0]
    mine = agent.of("cost")
    if not mine or len(costs) < 2:
        return "", ""
    least, name = min(costs)
    if name == agent.name:
        return "", f"costs {money(least)} per 1,000"
    times = mine.value / least
    return f"costs {floor(times)} times as much as {name}" if times >= MANY_TIMES else "", ""


def count_words(number: int, of: int) -> str:
    """A count out of a total, as the start of a sentence."""
    return f"{in_words(number).capitalize()} of {in_words(of)}"
