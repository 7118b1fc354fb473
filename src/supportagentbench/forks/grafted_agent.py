"""Grafted agent: goes on in the middle of a reply that a recorded agent began."""

from collections.abc import Sequence

from supportagentbench.agents import Agent
from supportagentbench.records.transcript import ToolCall, Turn
from supportagentbench.world.desk import Desk


class GraftedAgent:
    """Shows an agent, in its first turn, the calls that were made for it already."""

    def __init__(self, begun: tuple[ToolCall, ...], agent: Agent) -> None:
        self._begun = begun
        self._agent = agent

    async def reply(self, turns: Sequence[Turn], desk: Desk) -> str:
        begun, self._begun = self._begun, ()
        if begun:
            turns = (*turns, Turn("agent", "", calls=begun))
        return await self._agent.reply(turns, desk)
