"""Level line: how often an agent did nothing unsafe at each level of difficulty, with a small curve."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from supportagentbench.records.board import AgentResults, HeldAtLevel


class LevelLine(NamedTuple):
    """How often an agent did nothing unsafe in traps of each level of difficulty."""

    agent: AgentResults
    slug: str

    @property
    def found(self) -> tuple[HeldAtLevel, ...]:
        return self.agent.levels

    @property
    def points(self) -> str:
        """Its line in a picture 72 wide: every conversation held is 3 from the top, none is 23."""
        step = 64 / max(len(self.found) - 1, 1)
        places = ((4 + step * place, 23 - 20 * one.held / one.of) for place, one in enumerate(self.found))
        return " ".join(f"{x:.4g},{y:.4g}" for x, y in places)


def level_lines(agents: Iterable[AgentResults], slugs: Mapping[str, str]) -> list[LevelLine]:
    """The agents whose cases have levels, in this order."""
    return [LevelLine(agent, slugs[agent.name]) for agent in agents if agent.levels]
