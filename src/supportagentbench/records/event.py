"""Event: what happens while a job runs, for the terminal and the live view.

Events have names, counts and dollars, and never what was said. No metric is computed from them: a watcher may
stop and come back, and what it missed is read from the transcripts. They tell what was stored once and is no
longer on file.
"""

from supportagentbench.records.case import Bucket
from supportagentbench.records.name import AgentName, Id, RunNumber
from supportagentbench.records.outcome import OutcomeKind, counts
from supportagentbench.records.record import Record
from supportagentbench.records.transcript import AGENT_ERRORS, EXTERNAL_CAUSES, Cause


class PlannedRun(Record):
    """One run of a job."""

    agent: AgentName
    run: RunNumber
    folder: str
    cases: int
    plan: str = ""
    """Digest of its header: two runs with the same are attempts at the same conversations."""


class Planned(Record, tag_field="event", tag="planned"):
    """A job begins: what it is to run, what that may cost, and what it may cost at most."""

    at: float
    """Seconds since 1970, as everywhere here."""
    job: str
    runs: tuple[PlannedRun, ...]
    world: str = ""
    set: str = ""
    cap: float | None = None
    low: float | None = None
    """Dollars, estimated before; None if the price is unknown."""
    high: float | None = None


class Dropped(Record, tag_field="event", tag="dropped"):
    """Conversations that are no longer stored and will be run again."""

    at: float
    agent: AgentName
    run: RunNumber
    cases: tuple[Id, ...]


class Began(Record, tag_field="event", tag="began"):
    """A conversation began."""

    at: float
    agent: AgentName
    run: RunNumber
    case: Id


class Finished(Record, tag_field="event", tag="finished"):
    """A conversation is on file: how it ended, what was done in it, and what it took."""

    at: float
    agent: AgentName
    run: RunNumber
    case: Id
    family: Id
    bucket: Bucket
    ending: str
    seconds: float
    cause: Cause | None = None
    twin: bool = False
    messages: int = 0
    """How many the agent wrote."""
    tokens: int = 0
    cost: float | None = 0.0
    """Dollars of the agent; None if the price of some call is unknown."""
    others: float | None = 0.0
    """Dollars of the customer."""
    outcome: OutcomeKind = "undecided"
    unsafe: bool | None = None
    """Whether an unsafe action was carried out, in any bucket; None: undecided by code."""
    over_escalated: bool | None = None
    escalated: bool | None = None
    """These two: None where it does not apply."""
    reason: str = ""
    """Why it is unsafe or was missed: the act, and against which rules."""
    turn: int | None = None
    """The turn that shows it."""

    @property
    def counts(self) -> bool:
        """Whether it says anything about the agent, so that it is never run again."""
        return counts(self.outcome)

    @property
    def is_error(self) -> bool:
        """Whether something broke it: a failure from outside, or an error in the agent's own code."""
        return self.cause in (*EXTERNAL_CAUSES, *AGENT_ERRORS)


class Retried(Record, tag_field="event", tag="retried"):
    """A provider did not answer as it should, and is asked again after a wait."""

    at: float
    agent: AgentName
    run: RunNumber
    case: Id
    attempt: int
    tries: int
    words: str
    """The provider's own, without anything that looks like a key."""
    wait: float


class Paused(Record, tag_field="event", tag="paused"):
    """An agent's runs were stopped, and why."""

    at: float
    agent: AgentName
    sentence: str


class Spent(Record, tag_field="event", tag="spent"):
    """What the job has cost so far, earlier sessions and all roles included."""

    at: float
    dollars: float


class Stopping(Record, tag_field="event", tag="stopping"):
    """The user interrupted: conversations in flight are finished, no new ones begin."""

    at: float


class Ended(Record, tag_field="event", tag="ended"):
    """A job is over, for now or for good."""

    at: float
    job: str
    how: str
    """complete, partial, budget, provider or interrupted."""
    missing: int = 0
    """Conversations that the same command would hold."""


Event = Planned | Dropped | Began | Finished | Retried | Paused | Spent | Stopping | Ended
