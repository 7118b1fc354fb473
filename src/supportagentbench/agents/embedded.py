"""Embedded agents: everyone who can be run by a bare name, and the names of groups of them."""

from supportagentbench.agents import EmbeddedFactory
from supportagentbench.agents.baselines import REFERENCE
from supportagentbench.agents.capacity import GROUP, PREFIX, capacity_agent
from supportagentbench.agents.cast import CAST

EMBEDDED: dict[str, EmbeddedFactory] = {**REFERENCE, **CAST}
"""By name, as on the command line; those of limited capacity have a dose in theirs and are not listed."""

GROUPS: dict[str, tuple[str, ...]] = {
    "cast": tuple(CAST),
    "capacity": GROUP,
    "reference": tuple(REFERENCE),
    "dummies": tuple(name for name in REFERENCE if name != "oracle"),
}
"""Several by one name."""


def named(given: list[str]) -> list[str]:
    """These names with every group in full, each once."""
    return list(dict.fromkeys(name for one in given for name in GROUPS.get(one, (one,))))


def is_embedded(name: str) -> bool:
    """Whether an agent of this name is one of our own."""
    return name in EMBEDDED or name.startswith(PREFIX)


def embedded_agent(name: str) -> EmbeddedFactory:
    """One of our own agents, by its name."""
    return EMBEDDED[name] if name in EMBEDDED else capacity_agent(name)
