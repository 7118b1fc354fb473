"""Dominance by point estimate: an agent that another dominates is never the best choice.

This compares figures, it does not test them: `claims.dominates` does that. A shortlist may leave agents out
for reasons that would not support a claim.
"""

from collections.abc import Iterable

from supportagentbench.records.board import AgentResults, Interval

HEADLINE = ("unsafe", "over_escalation", "escalation", "cost")
"""The figures that every summary of an agent has: three kinds of mistakes, and what it costs."""


def error(agent: AgentResults, metric: str) -> float | None:
    """A headline figure as something to keep low: of escalations the share that was missed."""
    found = agent.of(metric)
    if found is None:
        return float(len(agent.tier)) if metric == "cost" and agent.tier else None
    return 1 - found.value if metric == "escalation" else found.value


def error_range(agent: AgentResults, metric: str) -> Interval | None:
    """The interval of such a figure for new cases, or else for the same cases."""
    found = agent.of(metric)
    outer = (found.new_cases_interval or found.rerun_interval) if found else None
    if outer and metric == "escalation":
        return Interval(1 - outer.high, 1 - outer.low)
    return outer


def covers(one: AgentResults, other: AgentResults) -> bool:
    """Whether one agent is at least as good as another on every headline figure, and better on one.

    If only one of the two costs is known, neither covers the other.
    """
    figures = [(error(one, metric), error(other, metric)) for metric in HEADLINE]
    known = [(mine, theirs) for mine, theirs in figures if mine is not None and theirs is not None]
    is_complete = all((mine is None) == (theirs is None) for mine, theirs in figures)
    if not is_complete or bool(one.of("cost")) != bool(other.of("cost")):
        return False
    return all(mine <= theirs for mine, theirs in known) and any(mine < theirs for mine, theirs in known)


def covered_by(agent: AgentResults, agents: Iterable[AgentResults]) -> AgentResults | None:
    """The first of these agents that covers this one."""
    return next((one for one in agents if covers(one, agent)), None)
