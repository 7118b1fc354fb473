"""Substitutes: servers that answered as another model than the one asked for, in a sentence each."""

from collections.abc import Iterator

from supportagentbench.records.board import AgentResults

MOST_NAMED = 3
"""Models that are named; further ones are only counted."""

WHOSE = {"agent": "", "customer": "the customer of ", "judge": "the judge of ", "second_judge": "a judge of "}


def substitutes(agent: AgentResults) -> Iterator[str]:
    """One sentence per role of this agent's runs that another model played."""
    for bill in agent.bills:
        if names := bill.substitutes:
            more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
            listed = ", ".join(names[:MOST_NAMED]) + more
            yield (
                f"Asked for {WHOSE.get(bill.role, '')}{agent.name}, the server answered as {listed}: "
                "these figures may be another model's."
            )
