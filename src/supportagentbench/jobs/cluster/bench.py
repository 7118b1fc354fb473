"""Bench: where a place waits after it has lost a worker, longer each time, and not for ever."""

from supportagentbench.records.problem import Problem

MOST_LOSSES = 5
"""Workers in a row that one place may lose before they finish anything."""

FIRST_WAIT, LONGEST_WAIT = 1.0, 60.0
"""Seconds."""


class Bench:
    """The losses of one place."""

    def __init__(self) -> None:
        self._in_a_row = 0

    def wait(self, why: str, *, was_useful: bool) -> float:
        """Seconds until the next worker may start, after one was lost that had finished something or not."""
        if was_useful:
            self._in_a_row = 0
            return 0.0
        self._in_a_row += 1
        if self._in_a_row == MOST_LOSSES:
            raise Problem(
                f"{MOST_LOSSES} workers of the cluster were lost one after the other before they finished "
                f"anything; last: {why} Run the same command to resume."
            )
        return float(min(LONGEST_WAIT, FIRST_WAIT * 2 ** (self._in_a_row - 1)))
