"""Customer: which customer the agents of a job get."""

from collections.abc import Sequence
from pathlib import Path

from supportagentbench.agents.spec import AgentSpec
from supportagentbench.customer.choice import AUTO, CustomerChoice, choose_customer, is_known_customer
from supportagentbench.records.origin import FileOrigin
from supportagentbench.storage.archive import customers_in


def customer_for(asked: str, specs: Sequence[AgentSpec], out: Path | None = None) -> CustomerChoice:
    """The requested customer, or the one that suits these agents and the runs already in a folder."""
    chosen = choose_customer(
        asked,
        [spec.name for spec in specs],
        customers_in(out) if out else (),
        models=[spec.model for spec in specs if spec.model],
        has_known_words=all(spec.has_known_words for spec in specs),
    )
    if out and asked == AUTO:
        known_customer(chosen.name, FileOrigin(out))
    return chosen


def known_customer(name: str, origin: FileOrigin) -> str:
    """The customer that a file names; a Problem if it is code or has an address."""
    return origin.accept("customer", name, is_known_customer(name))
