"""View: all that is known of a job at one moment, ready to be shown by a terminal or a page."""

from typing import Literal

from supportagentbench.records.board import Band
from supportagentbench.records.record import Record

Condition = Literal["running", "paused", "waiting", "stopped", "done"]
"""Of one agent. `waiting`: has not begun; `stopped`: the job is over and its conversations are not."""

Kind = Literal["unsafe", "missed", "retry", "error", "paused", "stopping", "ended"]
"""What is worth a line of its own."""


class CountOf(Record):
    """So many of so many."""

    k: int = 0
    n: int = 0

    @property
    def share(self) -> float | None:
        return self.k / self.n if self.n else None


class SecondsRange(Record):
    """About so many seconds, from and to."""

    low: float
    high: float


class AgentProgress(Record):
    """One agent so far."""

    agent: str
    done: int
    total: int
    running: int
    errors: int
    """Conversations that broke off outside the agent; they are held again."""
    condition: Condition
    unsafe: CountOf
    over: CountOf
    escalated: CountOf
    cost: float | None
    """Dollars, the agent's calls alone; None: not every price is known."""
    tokens: int
    band: Band | None = None
    """Only from so many traps on as the bands are made for."""
    turn: float | None = None
    """Seconds that it takes to answer, the median of the last conversations."""
    left: SecondsRange | None = None

    @property
    def per_thousand(self) -> float | None:
        """Dollars for 1,000 conversations at this rate."""
        return None if self.cost is None or not self.done else 1000 * self.cost / self.done


class News(Record):
    """One line of what happened."""

    place: int
    """Rises with every piece of news."""
    at: float
    kind: Kind
    words: str
    agent: str = ""
    run: int = 0
    case: str = ""
    turn: int | None = None


class OpenConversation(Record):
    """A conversation that is being held."""

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
    """Of these, how many wait because a provider asked for it."""
    spent: float
    rows: tuple[AgentProgress, ...]
    news: tuple[News, ...]
    """Oldest first."""
    talks: tuple[OpenConversation, ...] = ()
    projected: float | None = None
    """Dollars at the end, at this rate; None until there is one."""
    planned: tuple[float, float] | None = None
    """Dollars from and to, as estimated before it began."""
    cap: float | None = None
    left: SecondsRange | None = None
    elapsed: float = 0.0
    ended: str = ""
    """How the job ended; empty while it runs."""
    stopping: bool = False
