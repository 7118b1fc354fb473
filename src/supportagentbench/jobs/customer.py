"""Customer: which customer the agents of a job get."""

from collections.abc import Iterable, Sequence

from supportagentbench.agents.spec import AgentSpec
from supportagentbench.customer.choice import CustomerChoice, choose_customer


def customer_for(asked: str, specs: Sequence[AgentSpec], stored: Iterable[str] = ()) -> CustomerChoice:
    """The requested customer, or the one that suits these agents and the runs already stored."""
    return choose_customer(
        asked,
        [spec.name for spec in specs],
        stored,
        models=[spec.model for spec in specs if spec.model],
        has_known_words=all(spec.has_known_words for spec in specs),
    )
