"""GraftedAgent: plays a recorded prefix call by call, checks that all is as recorded, then hands over."""

from collections.abc import Sequence

from supportagentbench.desk import AgentSeat, Desk
from supportagentbench.forks.prefix import Prefix, refuse_different, refuse_different_call
from supportagentbench.records.transcript import ToolCall, Turn


class GraftedAgent:
    """One conversation: the record decides up to the fork, and the agent from there on."""

    def __init__(self, case: str, prefix: Prefix, agent: AgentSeat) -> None:
        self._case = case
        self._prefix = prefix
        self._agent = agent
        self._heard: list[Turn] = []
        """The conversation so far, with the customer's plans, which no agent is shown."""

    def hear(self, turn: Turn) -> None:
        """Take in a turn as the harness knows it."""
        self._heard.append(turn)

    async def reply(self, turns: Sequence[Turn], desk: Desk) -> str:
        place = len(turns)
        recorded = self._prefix.turns
        if place <= len(recorded):
            refuse_different(self._case, recorded[: len(self._heard)], self._heard)
        if place < len(recorded):
            self._repeat(place, recorded[place].calls, desk)
            return recorded[place].text
        if place == len(recorded) and self._prefix.begun:
            self._repeat(place, self._prefix.begun, desk)
            turns = (*turns, Turn("agent", "", calls=self._prefix.begun))
        return await self._agent.reply(turns, desk)

    async def leave(self) -> None:
        await self._agent.leave()

    def _repeat(self, place: int, calls: Sequence[ToolCall], desk: Desk) -> None:
        for call in calls:
            made = ToolCall(call.tool, call.arguments, desk.call(call.tool, call.arguments))
            refuse_different_call(self._case, place, call, made)
