"""Stopwatch: reads the clock turn by turn while a conversation runs."""

import time
from collections.abc import Sequence

from supportagentbench.records.clock import TurnClock


class Stopwatch:
    """The clock of one conversation, started when it is created."""

    def __init__(self) -> None:
        self._began = time.perf_counter()
        self._turns: list[TurnClock] = []

    @property
    def seconds(self) -> float:
        """Seconds since the conversation began."""
        return time.perf_counter() - self._began

    @property
    def turns(self) -> tuple[TurnClock, ...]:
        """The turns that have ended."""
        return tuple(self._turns)

    def end_turn(self, usage: Sequence[float] = (), calls: Sequence[float] = ()) -> None:
        """End a turn and start the next; the times of its steps are readings of `time.perf_counter`."""
        began = self._turns[-1].ended if self._turns else 0.0
        ended = round(self.seconds, 6)
        self._turns.append(TurnClock(began, ended, self._since(usage), self._since(calls)))

    def _since(self, readings: Sequence[float]) -> tuple[float, ...]:
        return tuple(round(reading - self._began, 6) for reading in readings)
