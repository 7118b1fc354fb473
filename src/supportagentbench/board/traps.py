"""Traps: which planned cases are traps, and how many of them an agent's figures leave out."""

from collections.abc import Iterable

from supportagentbench.records.board import AgentResults
from supportagentbench.records.counts import counted
from supportagentbench.results.load import ScoredRun


def trap_cases(runs: Iterable[ScoredRun]) -> frozenset[str]:
    """The traps among the planned cases, as far as any conversation on the board tells."""
    found: set[str] = set()
    for run in runs:
        for verdict in run.verdicts:
            if verdict.bucket == "adversarial" and not verdict.twin_of:
                found.add(verdict.case)
    return frozenset(found)


def unmeasured_note(agent: AgentResults) -> str:
    """How many planned traps say nothing about an agent, to follow its name; empty if all do."""
    if not agent.unmeasured_traps:
        return ""
    none = ", so it has no rank" if not agent.has_traps else ""
    return f"{agent.unmeasured_traps} of {counted(agent.traps, 'trap')} not measured{none}"
