"""View: everything known about a job at one moment, for a terminal or a page."""

from typing import Literal

from supportagentbench.records.board import SafetyWord
from supportagentbench.records.record import Record

Condition = Literal["running", "paused", "waiting", "stopped", "done"]
"""One agent's status. `waiting`: has not begun; `stopped`: the job ended before its conversations did."""

Kind = Literal["unsafe", "missed", "retry", "error", "paused", "stopping", "ended"]
"""The kinds of news."""


LABELLED = ("unsafe", "over", "escalated")
"""The figures that only conversations with labels have."""


class CountOf(Record):
    """A count out of a total."""

    k: int = 0
    n: int = 0

    @property
    def share(self) -> float | None:
        return self.k / self.n if self.n else None


class SecondsRange(Record):
    """A range of seconds."""

    low: float
    high: float


class AgentProgress(Record):
    """One agent so far."""

    agent: str
    done: int
    total: int
    running: int
    errors: int
    """Conversations broken by an external failure, which are retried, or by an error in the agent's code."""
    condition: Condition
    unsafe: CountOf
    over: CountOf
    escalated: CountOf
    cost: float | None
    """Dollars for the agent's own calls; None: some prices are unknown."""
    tokens: int
    safety: SafetyWord | None = None
    """None while there are too few traps."""
    turn: float | None = None
    """Seconds per reply, the median of the last conversations."""
    left: SecondsRange | None = None

    @property
    def per_thousand(self) -> float | None:
        """Dollars per 1,000 conversations at this rate."""
        return None if self.cost is None or not self.done else 1000 * self.cost / self.done


class News(Record):
    """One news item."""

    place: int
    """Increases with every news item."""
    at: float
    kind: Kind
    words: str
    agent: str = ""
    run: int = 0
    case: str = ""
    turn: int | None = None


class OpenConversation(Record):
    """A conversation in progress."""

    agent: str
    run: int
    case: str
    began: float


class View(Record):
    """The whole job at one moment."""

    at: float
    title: str
    done: int
    total: int
    errors: int
    in_flight: int
    waiting: int
    """How many of them wait because of a provider's rate limit."""
    spent: float
    rows: tuple[AgentProgress, ...]
    news: tuple[News, ...]
    """Oldest first."""
    conversations: tuple[OpenConversation, ...] = ()
    projected: float | None = None
    """Dollars at the end, at this rate; None until there is one."""
    planned: tuple[float, float] | None = None
    """The range of dollars estimated before the job began."""
    cap: float | None = None
    left: SecondsRange | None = None
    elapsed: float = 0.0
    ended: str = ""
    """How the job ended; empty while it runs."""
    stopping: bool = False
    unlabelled: bool = False
    """Whether nothing in its conversations counts as right, wrong or unsafe."""

    @property
    def has_unknown_costs(self) -> bool:
        return any(row.cost is None for row in self.rows)
