"""Cost notes: what has to be known beside an agent's cost, in a sentence each."""

from collections.abc import Iterator

from supportagentbench.board.substitutes import WHOSE
from supportagentbench.records.board import AgentResults
from supportagentbench.records.counts import counted
from supportagentbench.records.usage import LEAST_SHARE


def cost_notes(agent: AgentResults) -> Iterator[str]:
    """Costs that cannot be right, that are unknown in part, or that only a server or the agent tells."""
    for bill in agent.bills:
        if bill.understated:
            calls = counted(bill.understated, "call")
            yield (
                f"Cost of {WHOSE.get(bill.role, '')}{agent.name}: for {calls} the provider named less than "
                f"{LEAST_SHARE:.0%} of the price table's cost, which cannot be right; the table's is counted."
            )
    own = next((bill for bill in agent.bills if bill.role == "agent"), None)
    if own is None or agent.of("cost") is None:
        return
    if own.cost is None:
        yield f"{agent.name}: conversations with calls of unknown cost are not in its cost."
    if server := agent.servers.get("agent"):
        yield f"{agent.name}: its token counts are those of {server}, which is not the provider's own server."
    if own.named:
        yield f"{agent.name}: the cost of {counted(own.named, 'call')} is the one that the provider named."
    if agent.isolation:
        yield f"{agent.name}: its tokens and costs are as the agent reports them."
