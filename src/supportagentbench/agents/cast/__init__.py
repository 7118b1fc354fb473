"""The cast: six invented agents with known faults at known rates, for a board with something to find."""

from supportagentbench.agents import EmbeddedFactory
from supportagentbench.agents.cast.characters import CHARACTERS

CAST: dict[str, EmbeddedFactory] = {character.name: character for character in CHARACTERS}
"""By name, as on the command line."""
