"""Board: one estimate per agent and metric. No number without its count and its interval."""

from typing import Literal

from msgspec.structs import replace

from supportagentbench.records.agent_error import has_too_many_errors
from supportagentbench.records.claim import Claim
from supportagentbench.records.fidelity import Fidelity
from supportagentbench.records.record import Record
from supportagentbench.records.run import Channel, DeskKind, IsolationKind
from supportagentbench.records.set_aside import SetAside
from supportagentbench.records.usage_total import UsageTotal
from supportagentbench.records.verification import Verification

Tier = Literal["$", "$$", "$$$", "$$$$"]
Badge = Literal["warning", "thinks"]
Look = Literal["good", "fair", "bad", "none"]
"""How a word about safety is drawn; `none`: it says nothing."""


class Interval(Record):
    """A 95% interval."""

    low: float
    high: float


class Estimate(Record):
    """A metric's value for one agent."""

    metric: str
    value: float
    """The headline: hits of trials over all runs, or the mean over all conversations."""
    median: float
    """Median of the runs, as published boards print it; shown next to the value under that name."""
    n: int
    """Trials over all runs."""
    runs: tuple[float, ...]
    """The value of each run."""
    k: int | None = None
    """Hits over all runs; None for a metric that is a mean and not a share."""
    rerun_interval: Interval | None = None
    """For the same cases, run again."""
    new_cases_interval: Interval | None = None
    """For other cases like these."""
    at_least: float | None = None
    """Of a share: the one-sided 95% lower bound for the same cases, run again; decides words and limits."""
    at_most: float | None = None
    """The upper bound in the same sense: after 0 of 54 it is 5.4%."""
    clusters: int = 0
    """Case types, or deciding rules where they are fewer, behind the second interval; below ten it is a rough
    guide."""
    judge: str = ""
    """The judge it comes from; empty if it is computed from the record."""
    undecided: int = 0
    """Trials that code could not decide, over all runs; they are not among `n`."""
    places: tuple[int, int] | None = None
    """The best and worst possible rank among the ranked agents, jointly with 95% confidence."""

    @property
    def complement(self) -> "Estimate":
        """Of a share, that of the other trials, such as escalations that were missed instead of caught."""
        return replace(
            self,
            value=1 - self.value,
            median=1 - self.median,
            runs=tuple(1 - run for run in self.runs),
            k=None if self.k is None else self.n - self.k,
            rerun_interval=_turned(self.rerun_interval),
            new_cases_interval=_turned(self.new_cases_interval),
            at_least=None if self.at_most is None else 1 - self.at_most,
            at_most=None if self.at_least is None else 1 - self.at_least,
        )


def _turned(interval: Interval | None) -> Interval | None:
    return Interval(1 - interval.high, 1 - interval.low) if interval else None


class Slice(Record):
    """A metric within one case family."""

    metric: str
    family: str
    k: int
    n: int
    runs: tuple[int, ...]
    """Hits of each run."""
    low: float
    high: float
    """For the same cases, run again."""

    @property
    def rate(self) -> float:
        return self.k / self.n


class Stability(Record):
    """How consistent an agent is from run to run."""

    metric: str
    p: float
    """How likely its runs differ this much by chance; small means unstable."""
    flips: float | None
    """The chance that two runs of one case differ."""
    every: tuple[float, ...]
    """The chance that 1, 2, … runs of a case all succeed."""


class EveryTime(Record):
    """pass^k: how often k runs of one case are all handled right, averaged over cases."""

    k: int
    traps: bool
    """Whether of the traps alone; otherwise of all core cases, traps included."""
    value: float
    """The mean over the decided cases."""
    cases: int
    """Decided cases: a run that went wrong decides a case, whatever is undecided in others of all k runs."""
    open_cases: int
    """Cases that undecided runs leave open."""
    short_cases: int
    """Cases with fewer than k counted runs."""
    at_worst: float
    """The mean if everything open went wrong."""
    at_best: float
    """The mean if everything open was right."""
    interval: Interval
    """For new cases of the same kind, from the decided cases."""
    clusters: int

    @property
    def right(self) -> int | None:
        """The cases that were right every time, if k is the number of all their runs; otherwise None."""
        found = self.value * self.cases
        return round(found) if abs(found - round(found)) < 1e-9 else None


class CustomerFallbacks(Record):
    """Conversations in which a script replaced the customer's model at least once; they count like others."""

    conversations: int
    of: int
    refused: int = 0
    """Those among them in which the customer's model, or its provider's filter, refused to read or write."""
    without: tuple[Estimate, ...] = ()
    """The compared metrics without these conversations."""
    chance: dict[str, float] = {}
    """By metric: how likely these cases differ this much from the others by chance."""


class VarianceShares(Record):
    """What the variance of single conversations comes from, where cases were drawn several times."""

    metric: str
    case_type: float | None
    """None, here and below: there is one of each, so that it is part of what is above it."""
    case: float | None
    draw: float | None
    """One case, drawn again."""
    run: float | None
    """One draw of a case, run again."""


class HeldAtLevel(Record):
    """Traps of one level of difficulty."""

    level: int
    held: int
    of: int
    interval: Interval
    """For new traps of this level."""


class SuspectedFault(Record):
    """A fault that code found and no judge has settled: shown, and counted in no figure."""

    check: str
    found: int
    """Conversations with it."""
    of: int
    """All headline conversations that count."""

    @property
    def share(self) -> float:
        return self.found / self.of


class Grounds(Record):
    """What decides about an agent besides its figures, from its headline conversations."""

    suspected: tuple[SuspectedFault, ...] = ()
    """The most frequent first."""
    danger: int = 0
    """Conversations in which somebody was in danger and a person had to take over."""
    danger_missed: int = 0
    """Those in which no person did."""
    averted: int = 0
    """Traps with an unsafe action in which guards would have refused every unsafe call."""
    guards: int = 0
    """How many different guards that takes."""


class SafetyWord(Record):
    """Unsafe actions in traps, in a word that says no more than the bounds behind it."""

    word: str
    """Such as `few to some`; on a board that others published, its own word."""
    look: Look
    is_open: bool = False
    """Whether it spans several words, or may be another: drawn as an outline."""
    up_to: float | None = None
    """If none was seen: the rate that is still possible."""


class AgentResults(Record):
    """One agent's results."""

    name: str
    runs: int
    conversations: int
    planned: int
    estimates: tuple[Estimate, ...]
    outside: int = 0
    """Conversations that ended for reasons outside the agent; they are not counted."""
    traps: int = 0
    """Planned trap conversations."""
    errors: int = 0
    """Conversations that errors in the agent's own code broke; they are counted."""
    slices: tuple[Slice, ...] = ()
    stability: tuple[Stability, ...] = ()
    every_time: tuple[EveryTime, ...] = ()
    """pass^k for each k that its runs allow, of all core cases and of the traps among them."""
    safety: SafetyWord | None = None
    """None without a trap, or if errors in its own code broke too much."""
    tier: Tier | None = None
    """None if the cost is unknown."""
    badges: tuple[Badge, ...] = ()
    bills: tuple[UsageTotal, ...] = ()
    """Usage of each role over all runs."""
    customer: str = "scripted"
    channel: Channel = "email"
    desk: DeskKind = "prompt"
    isolation: IsolationKind = ""
    """Of the run with the least, if they differ."""
    replayed: bool = False
    """Whether model answers of any of its runs came from a recording."""
    servers: dict[str, str] = {}
    """By role, the servers that were asked for its models and are not their providers' own."""
    unseen: str = ""
    """Why a change of the agent cannot be seen; empty if it can."""
    hides_acts: bool = False
    """Whether it could not call the desk's tools, so that nothing it did can be observed."""
    verification: Verification | None = None
    """Whether its results are verified; None: not checked."""
    is_dummy: bool = False
    """Whether it ships with this package to show what a figure is worth."""
    fidelity: Fidelity | None = None
    """How well the customers followed their script, if a model played them."""
    fallbacks: CustomerFallbacks | None = None
    levels: tuple[HeldAtLevel, ...] = ()
    """Traps held, by level, where the set has levels."""
    draws: tuple[str, ...] = ()
    """The draws of the cases in its runs, in the order of their first runs."""
    variance: tuple[VarianceShares, ...] = ()
    """By compared metric, where there are several draws."""
    set_aside: tuple[SetAside, ...] = ()
    """Attempts at its conversations that do not count, because they were run again."""
    selection: tuple[str, ...] = ()
    """Signs that its runs or cases are a choice from more, one clause each."""
    is_part: bool = False
    """Whether cases of any of its runs were chosen by name: nobody is recommended for those."""
    grounds: Grounds = Grounds()

    @property
    def is_faulty(self) -> bool:
        """Whether errors in its own code broke too many conversations for a word and a rank."""
        return has_too_many_errors(self.errors, self.conversations - self.outside)

    @property
    def is_often_unsafe(self) -> bool:
        """Whether the word for its unsafe actions is the worst one."""
        return self.safety is not None and self.safety.look == "bad"

    @property
    def unmeasured_traps(self) -> int:
        """Planned traps that are missing or broke off for reasons outside the agent."""
        unsafe = self.of("unsafe")
        return max(0, self.traps - (unsafe.n + unsafe.undecided if unsafe else 0))

    @property
    def has_traps(self) -> bool:
        """Whether any trap was measured."""
        return self.unmeasured_traps < self.traps

    def of(self, metric: str, judge: str = "") -> Estimate | None:
        """The estimate of this metric, if it applied."""
        return next((one for one in self.estimates if one.metric == metric and one.judge == judge), None)


class Board(Record, tag_field="record", tag="board/5"):
    """The agents in default order, and what may be said about them."""

    world: str
    world_digest: str
    set: str
    agents: tuple[AgentResults, ...]
    claims: tuple[Claim, ...] = ()
    comparisons: int = 0
    """Number of tests that the claims are corrected for."""
    judges: tuple[str, ...] = ()
    judge_servers: dict[str, str] = {}
    """By judge, the servers that were asked and are not its provider's own."""
    prices: tuple[str, ...] = ()
    """Price tables used."""
    fallback_chance: float | None = None
    """How likely the agents' shares of fallbacks differ this much by chance; None if not compared."""
    unobservable: tuple[str, ...] = ()
    """The metrics that nothing in this shop can show: not counted, which is not the same as none."""
