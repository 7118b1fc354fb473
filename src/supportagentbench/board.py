"""Board: one line an agent, one estimate a metric. No number without its count and its interval."""

from supportagentbench.record import Record


class Interval(Record):
    """A 95% interval."""

    low: float
    high: float


class Estimate(Record):
    """A metric's value for one agent."""

    metric: str
    value: float
    """Median of the runs, as published boards print it."""
    mean: float
    k: int
    """Counted over all runs."""
    n: int
    """Chances over all runs."""
    runs: tuple[float, ...]
    """Every run's own value."""
    again: Interval | None = None
    """These cases, run again; unknown with a single run."""
    like: Interval | None = None
    """Cases like these: resampling families of cases."""


class Entry(Record):
    """One agent's line."""

    agent: str
    runs: int
    conversations: int
    planned: int
    estimates: tuple[Estimate, ...]

    def of(self, metric: str) -> Estimate | None:
        """The estimate of this metric, if there was anything to count."""
        return next((found for found in self.estimates if found.metric == metric), None)


class Board(Record, tag_field="record", tag="board/1"):
    """The standings, in default order."""

    world: str
    world_digest: str
    set: str
    entries: tuple[Entry, ...]
