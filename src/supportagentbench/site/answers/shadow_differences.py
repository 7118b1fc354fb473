"""Shadow differences: how often each agent did what the people did, and how it differs elsewhere."""

from collections.abc import Iterator
from typing import NamedTuple, get_args

from supportagentbench.records.shadow import Difference
from supportagentbench.site.data.opened_set import OpenedSet
from supportagentbench.site.data.shadow_data import ShadowData, TriedTicket
from supportagentbench.site.number import dollars_text

TITLES: dict[Difference, str] = {
    "same": "Same",
    "more_generous": "More generous",
    "stricter": "Stricter",
    "handed_over": "Handed over",
    "taken_on": "Taken on",
    "other": "Other",
    "unknown": "Not known",
}

MEANINGS: dict[Difference, str] = {
    "same": "did what your people did",
    "more_generous": "gave away more than your people",
    "stricter": "gave away less than your people",
    "handed_over": "handed over what your people settled",
    "taken_on": "took on what your people handed over",
    "other": "did something else, for the same money",
    "unknown": "the talk broke off, or what it did cannot be observed",
}
"""What is counted under each title."""


class DifferenceCount(NamedTuple):
    """How often an agent differs in one way."""

    kind: Difference
    title: str
    opened: OpenedSet
    money: str = ""
    """By how many dollars, all of them together."""


class AgentDifferences(NamedTuple):
    """All of them for one agent."""

    agent: str
    counts: tuple[DifferenceCount, ...]
    same: OpenedSet
    """Where it did what the people did."""
    known: OpenedSet
    """Where it can be said what it did."""


def agent_differences(data: ShadowData) -> list[AgentDifferences]:
    """One row for each agent; `Not known` is left out where everything is known."""
    kinds = list(get_args(Difference))
    if all(one.is_known for agent in data.agents for one in data.tried(agent)):
        kinds.remove("unknown")
    return [_differences(data, agent, kinds) for agent in data.agents]


def _differences(data: ShadowData, agent: str, kinds: list[Difference]) -> AgentDifferences:
    counts = tuple(_counts(data, agent, kinds))
    known = data.talks(f"what {data.names[agent]} did is known", data.known(agent))
    return AgentDifferences(agent, counts, counts[0].opened, known)


def _counts(data: ShadowData, agent: str, kinds: list[Difference]) -> Iterator[DifferenceCount]:
    for kind in kinds:
        some = [one for one in data.tried(agent) if one.tried.difference == kind]
        opened = data.talks(f"{data.names[agent]} {MEANINGS[kind]}", some)
        yield DifferenceCount(kind, TITLES[kind], opened, _money(some))


def _money(some: list[TriedTicket]) -> str:
    dollars = sum(one.tried.dollars for one in some)
    if round(dollars, 2) == 0:
        return ""
    return f"{dollars_text(abs(dollars))} {'more' if dollars > 0 else 'less'}"
