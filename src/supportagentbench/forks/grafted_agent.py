"""Grafted agent: continues a reply that a recorded agent began."""

from collections.abc import Sequence

from supportagentbench.desk import AgentSeat, Desk
from supportagentbench.desk.session import arguments_again
from supportagentbench.forks.prefix import refuse_different_call
from supportagentbench.records.fork import ForkPoint
from supportagentbench.records.transcript import ToolCall, Turn


class GraftedAgent:
    """Repeats the kept calls of the recorded reply in the agent's first turn, and shows them to the agent."""

    def __init__(self, point: ForkPoint, begun: tuple[ToolCall, ...], agent: AgentSeat) -> None:
        self._point = point
        self._begun = begun
        self._agent = agent

    async def reply(self, turns: Sequence[Turn], desk: Desk) -> str:
        begun, self._begun = self._begun, ()
        if begun:
            repeat_calls(self._point, begun, desk)
            turns = (*turns, Turn("agent", "", calls=begun))
        return await self._agent.reply(turns, desk)

    async def leave(self) -> None:
        await self._agent.leave()


def repeat_calls(point: ForkPoint, calls: Sequence[ToolCall], desk: Desk) -> None:
    """Repeat the kept calls of a reply; a Problem if a result differs."""
    for call in calls:
        made = ToolCall(call.tool, call.arguments, desk.call(call.tool, arguments_again(call)))
        refuse_different_call(point.case, point.place, call, made)
