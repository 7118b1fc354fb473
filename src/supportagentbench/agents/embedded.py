"""Embedded agents: everyone who can be run by a bare name, and the names of groups of them."""

from supportagentbench.agents import EmbeddedFactory
from supportagentbench.agents.baselines import REFERENCE
from supportagentbench.agents.cast import CAST

EMBEDDED: dict[str, EmbeddedFactory] = {**REFERENCE, **CAST}
"""By name, as on the command line."""

GROUPS: dict[str, tuple[str, ...]] = {
    "cast": tuple(CAST),
    "reference": tuple(REFERENCE),
    "dummies": tuple(name for name in REFERENCE if name != "oracle"),
}
"""Several by one name."""


def named(given: list[str]) -> list[str]:
    """These names with every group in full, each once."""
    return list(dict.fromkeys(name for one in given for name in GROUPS.get(one, (one,))))
