"""Headline: the board in one sentence, and which differences it can detect in another."""

from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from supportagentbench.board.metrics import METRICS
from supportagentbench.board.standings import COMPARED, is_ranked
from supportagentbench.records.board import AgentResults, Board
from supportagentbench.site.data.comparisons import too_few
from supportagentbench.site.number import per_run

BUCKETS = {"over_escalation": "routine", "escalation": "must-escalate", "unsafe": "adversarial"}
"""The metrics whose denominator is the size of a bucket."""

_SMALL = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


class Power(NamedTuple):
    """How many pairs of agents differ significantly on one metric."""

    metric: str
    title: str
    differing: int
    pairs: int
    is_possible: bool
    """Whether there are enough case types for any significant difference."""


def headline(board: Board, dates: tuple[date, date] | None = None) -> str:
    """Which agents ran on which cases, and how many had no serious failure."""
    agents = [agent for agent in board.agents if not agent.is_dummy]
    if not board.agents:
        return "No agent has been run yet."
    count = "One agent" if len(agents) == 1 else f"{len(agents) or 'No'} agents"
    if dummies := len(board.agents) - len(agents):
        count += f" and {dummies} {'dummy' if dummies == 1 else 'dummies'}"
    agents = agents or list(board.agents)
    sentence = f"{count} on {_cases(agents)}, {_runs(agents)}{_when(dates)}."
    clean = _clean(agents)
    return f"{sentence} {clean}" if clean else sentence


def _cases(agents: Sequence[AgentResults]) -> str:
    sizes = {words: _size(agents, metric) for metric, words in BUCKETS.items()}
    known = [f"{size} {words}" for words, size in sizes.items() if size]
    return f"{sum(sizes.values())} cases ({', '.join(known)})" if known else "their cases"


def _size(agents: Sequence[AgentResults], metric: str) -> int:
    """How many cases of a bucket a run has."""
    return max((per_run(found) for agent in agents if (found := agent.of(metric))), default=0)


def _runs(agents: Sequence[AgentResults]) -> str:
    runs = {agent.runs for agent in agents}
    if runs == {1}:
        return "one run each"
    if len(runs) == 1:
        return f"{in_words(runs.pop())} runs each"
    return f"{min(runs)} to {max(runs)} runs each"


def _when(dates: tuple[date, date] | None) -> str:
    if not dates:
        return ""
    return f", {dates[0]}" if dates[0] == dates[1] else f", {dates[0]} to {dates[1]}"


def _clean(agents: Sequence[AgentResults]) -> str:
    """How many agents had neither of the two serious failures, in any run."""
    known = [agent for agent in agents if agent.of("unsafe") and agent.of("escalation")]
    if not known:
        return ""
    safe = {agent.name for agent in known if _hits(agent, "unsafe") == 0}
    escalated = {agent.name for agent in known if _misses(agent) == 0}
    both = safe & escalated
    parts = [
        _group(len(safe), "took no unsafe action", "took an unsafe action in some trap"),
        _group(len(escalated), "escalated every case that needed it", "missed an escalation"),
    ]
    if both:
        parts.append(f"{in_words(len(both))} did both")
    return f"Across all runs, {', '.join(parts[:-1])} and {parts[-1]}."


def _group(count: int, clean: str, otherwise: str) -> str:
    agents = "agent" if count == 1 else "agents"
    return f"{in_words(count)} {agents} {clean}" if count else f"every agent {otherwise}"


def _hits(agent: AgentResults, metric: str) -> float:
    found = agent.of(metric)
    return 1.0 if found is None else found.value if found.k is None else found.k


def _misses(agent: AgentResults) -> float:
    found = agent.of("escalation")
    return 1.0 if found is None else 1 - found.value if found.k is None else found.n - found.k


def powers(board: Board) -> list[Power]:
    """Every compared metric with the number of pairs that differ significantly."""
    titles = {metric.name: metric.phrase for metric in METRICS} | {"pairs": "trap-and-twin pairs"}
    found = []
    for metric in COMPARED:
        claims = [claim for claim in board.claims if claim.kind == "beats" and claim.metric == metric]
        if claims:
            differing = sum(claim.holds for claim in claims)
            types = max((one.clusters for agent in board.agents if (one := agent.of(metric))), default=0)
            possible = not types or not too_few(types, len(COMPARED))
            found.append(Power(metric, titles[metric], differing, len(claims), possible))
    return found


def resolving_power(board: Board) -> str:
    """On which metrics how many pairs differ significantly, in one sentence."""
    found = powers(board)
    ranked = sum(map(is_ranked, board.agents))
    if len(board.agents) < 2:
        return "Comparisons need two agents; this board has one."
    if not found:
        if ranked < 2:
            return f"Comparisons need two ranked agents; this board has {in_words(ranked)}."
        return "No two agents were compared: these figures have no cases to pair."
    if not any(one.differing for one in found):
        return f"No significant difference between any two agents: 0 of {found[0].pairs} pairs on any metric."
    none = [one.title for one in found if not one.differing and one.is_possible]
    few = [one.title for one in found if not one.differing and not one.is_possible]
    some = [f"{one.differing} of {one.pairs} on {one.title}" for one in found if one.differing]
    some[0] = some[0].replace(" on ", " pairs on ", 1)
    sentence = f"Compared two by two, agents differ significantly in {_and(some)}."
    sentence += f" No two agents differ significantly on {_and(none)}." if none else ""
    return f"{sentence} Too few case types to compare on {_and(few)}." if few else sentence


def _and(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def in_words(number: int) -> str:
    """A count with its noun; small numbers are spelled out."""
    return _SMALL[number] if number < len(_SMALL) else str(number)
