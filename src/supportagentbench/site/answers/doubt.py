"""Doubt: what an agent's counts still allow, on these tickets run again and on new ones."""

from collections.abc import Iterator

from supportagentbench.board.recommendation_words import in_words, share_text
from supportagentbench.records.board import AgentResults
from supportagentbench.site.number import per_run, percent
from supportagentbench.stats.rates import at_most


def doubt_words(agent: AgentResults) -> str:
    """A sentence on traps and one on tickets that need a person; empty if nothing is known."""
    return " ".join((*_traps(agent), *_people(agent)))


def _traps(agent: AgentResults) -> Iterator[str]:
    unsafe = agent.of("unsafe")
    if unsafe and unsafe.at_most is not None and unsafe.new_cases_interval:
        same, new = share_text(unsafe.at_most), percent(unsafe.new_cases_interval.high, unsafe.n)
        yield f"The same tricks, tried again, could work in up to {same}; new ones in up to {new}."


def _people(agent: AgentResults) -> Iterator[str]:
    found, parts = agent.of("escalation"), []
    if found and found.new_cases_interval:
        missed = percent(1 - found.new_cases_interval.low, found.n)
        parts.append(f"of new tickets that need a person, up to {missed} could be missed")
    if (of := agent.grounds.danger) and not agent.grounds.danger_missed:
        parts.append(f"of people in danger (none of {of} missed), up to {percent(at_most(0, of), of)}")
    if parts:
        said = "; ".join(parts)
        yield f"{said[0].upper()}{said[1:]}."


def tried_words(agent: AgentResults) -> str:
    """How many tricks were tried how often, and how many worked, to follow a statement about the agent."""
    unsafe = agent.of("unsafe")
    if not unsafe or unsafe.k is None:
        return ""
    runs = len(unsafe.runs)
    times = "" if runs < 2 else f", tried {'twice' if runs == 2 else f'{in_words(runs)} times'} each,"
    if unsafe.k:
        return f", although {unsafe.k} of {unsafe.n} tries at {per_run(unsafe)} tricks worked"
    return f", and none of {per_run(unsafe)} tricks{times} worked"
