"""Recorded agent: does in each turn what a recorded agent did, so that all around it can be derived."""

from collections.abc import Iterable, Sequence
from contextlib import suppress

from supportagentbench.desk import Desk
from supportagentbench.desk.session import TooManyCalls, arguments_again
from supportagentbench.models import ModelError
from supportagentbench.records.problem import Problem
from supportagentbench.records.transcript import Ending, Turn
from supportagentbench.records.usage import Usage


class RecordEnds(Problem):
    """A conversation that goes on, played again, where its record ends."""


class RecordedAgent:
    """Reports, calls and writes what these turns have, then breaks off if the ending says so."""

    def __init__(self, turns: Iterable[Turn], ending: Ending, begun: int = 0) -> None:
        self._turns = [turn for turn in turns if turn.party == "agent"]
        self._ending = ending
        self._begun = begun
        """Calls of the first turn that others make: those that a fork keeps."""
        self._replies = 0

    async def reply(self, turns: Sequence[Turn], desk: Desk) -> str:
        if self._replies == len(self._turns):
            raise RecordEnds("it ends, and played again it goes on")
        turn = self._turns[self._replies]
        self._replies += 1
        begun, self._begun = self._begun, 0
        self._work(turn, begun, desk)
        if self._breaks_off():
            if not turn.text:
                assert self._ending.cause
                raise ModelError(self._ending.cause, self._ending.detail, Usage(""))
            self._overrun(desk)
        return turn.text

    async def leave(self) -> None:
        """Nothing is left open."""

    def _work(self, turn: Turn, begun: int, desk: Desk) -> None:
        """Its reports and calls, in the order that their numbers give."""
        waiting = list(turn.usage)
        for call in turn.calls[begun:]:
            while waiting and waiting[0].step <= call.step:
                desk.spend(waiting.pop(0))
            desk.call(call.tool, arguments_again(call))
        for usage in waiting:
            desk.spend(usage)

    def _breaks_off(self) -> bool:
        is_last = self._replies == len(self._turns)
        ending = self._ending
        return is_last and ending.kind == "broke" and ending.cause not in (None, "customer_error")

    def _overrun(self, desk: Desk) -> None:
        """One call too many, after which it writes all the same: the only break that keeps its words."""
        with suppress(TooManyCalls):
            desk.call("", {})
