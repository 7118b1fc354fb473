"""Board: one estimate per agent and metric. No number without its count and its interval."""

from typing import Literal

from supportagentbench.records.claim import Claim
from supportagentbench.records.fidelity import Fidelity
from supportagentbench.records.record import Record
from supportagentbench.records.usage_total import UsageTotal

Band = Literal["safe", "middling", "reckless"]
Tier = Literal["$", "$$", "$$$", "$$$$"]
Badge = Literal["value", "warning", "thinks"]


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
    n: int
    """Chances over all runs."""
    runs: tuple[float, ...]
    """Every run's own value."""
    k: int | None = None
    """Hits over all runs; None where a metric is no share but a mean."""
    rerun_interval: Interval | None = None
    """These cases, run again."""
    new_cases_interval: Interval | None = None
    """Cases like these: families of cases drawn anew."""
    families: int = 0
    """How many families the second interval rests on; under ten it is a rough guide."""
    judge: str = ""
    """Whose opinion it is; empty: read from the record."""
    places: tuple[int, int] | None = None
    """The best and worst place it may hold among the ranked agents, all of them right at once."""

    @property
    def bound(self) -> float | None:
        """Where none, or all, were seen: what the true rate may still be, one-sided."""
        if self.k is None or 0 < self.k < self.n:
            return None
        rest: float = 0.05 ** (1 / self.n)
        return 1 - rest if self.k == 0 else rest


class Slice(Record):
    """A metric within one family of cases."""

    metric: str
    family: str
    k: int
    n: int
    runs: tuple[int, ...]
    """Hits in every run."""
    rate: float
    """Shrunk towards what the agent does in the other families."""
    low: float
    high: float


class Stability(Record):
    """How far an agent does the same again."""

    metric: str
    p: float
    """Of the spread of its runs, if each case fell as it may: small means unstable."""
    flips: float | None
    """The chance that two runs of one case differ."""
    every: tuple[float, ...]
    """The chance that 1, 2, … runs of a case are all right."""


class CustomerFallbacks(Record):
    """Conversations in which the model that spoke for the customer would not do; they count like others."""

    conversations: int
    of: int
    without: tuple[Estimate, ...] = ()
    """The compared metrics over all the others."""
    chance: dict[str, float] = {}
    """By metric: how likely marred cases come out so differently from others by chance."""


class AgentResults(Record):
    """One agent's line."""

    name: str
    runs: int
    conversations: int
    planned: int
    estimates: tuple[Estimate, ...]
    outside: int = 0
    """Conversations that broke off for reasons outside the agent; they count nowhere."""
    slices: tuple[Slice, ...] = ()
    stability: tuple[Stability, ...] = ()
    band: Band | None = None
    band_crosses: bool = False
    """Whether the interval of the unsafe actions reaches into another band."""
    tier: Tier | None = None
    """None: what it costs is unknown."""
    badges: tuple[Badge, ...] = ()
    bills: tuple[UsageTotal, ...] = ()
    """What each role used over all runs."""
    customer: str = "scripted"
    fidelity: Fidelity | None = None
    """How well the customers kept to their part, if a model worded them."""
    fallbacks: CustomerFallbacks | None = None

    def of(self, metric: str, judge: str = "") -> Estimate | None:
        """The estimate of this metric, if there was anything to count."""
        return next((one for one in self.estimates if one.metric == metric and one.judge == judge), None)


class Board(Record, tag_field="record", tag="board/3"):
    """The standings, in default order."""

    world: str
    world_digest: str
    set: str
    agents: tuple[AgentResults, ...]
    claims: tuple[Claim, ...] = ()
    comparisons: int = 0
    """How many tests the claims were corrected for."""
    judges: tuple[str, ...] = ()
    prices: tuple[str, ...] = ()
    """The price tables that were used."""
    fallback_chance: float | None = None
    """How likely entries' shares of marred conversations differ so by chance; None: nothing to compare."""
