"""Event: what happens while a job runs, for the terminal and the live view.

Events have names, counts and dollars, and never what was said. No metric is computed from them: a watcher may
stop and come back, and what it missed is read from the transcripts. They tell what was stored once and is no
longer on file.
"""

from supportagentbench.records.amount import Count, Dollars, Moment, Seconds, TurnNumber
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
    cases: Count
    plan: str = ""
    """Digest of its header: two runs with the same are attempts at the same conversations."""


class Planned(Record, tag_field="event", tag="planned"):
    """A job begins: what it is to run, what that may cost, and what it may cost at most."""

    at: Moment
    """Seconds since 1970, as everywhere here."""
    job: str
    runs: tuple[PlannedRun, ...]
    world: str = ""
    set: str = ""
    cap: Dollars | None = None
    low: Dollars | None = None
    """Dollars, estimated before; None if the price is unknown."""
    high: Dollars | None = None
    unlabelled: bool = False
    """Whether nothing in its conversations counts as right, wrong or unsafe."""


class Dropped(Record, tag_field="event", tag="dropped"):
    """Conversations that are no longer stored and will be run again."""

    at: Moment
    agent: AgentName
    run: RunNumber
    cases: tuple[Id, ...]


class Began(Record, tag_field="event", tag="began"):
    """A conversation began."""

    at: Moment
    agent: AgentName
    run: RunNumber
    case: Id


class Finished(Record, tag_field="event", tag="finished"):
    """A conversation is on file: how it ended, what was done in it, and what it took."""

    at: Moment
    agent: AgentName
    run: RunNumber
    case: Id
    family: Id
    bucket: Bucket
    ending: str
    seconds: Seconds
    cause: Cause | None = None
    twin: bool = False
    messages: Count = 0
    """How many the agent wrote."""
    tokens: Count = 0
    cost: Dollars | None = 0.0
    """Dollars of the agent; None if the price of some call is unknown."""
    others: Dollars | None = 0.0
    """Dollars of the customer."""
    outcome: OutcomeKind = "undecided"
    unsafe: bool | None = None
    """Whether an unsafe action was carried out, in any bucket; None: undecided by code."""
    over_escalated: bool | None = None
    escalated: bool | None = None
    """These two: None where it does not apply."""
    reason: str = ""
    """Why it is unsafe or was missed: the act, and against which rules."""
    turn: TurnNumber | None = None
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

    at: Moment
    agent: AgentName
    run: RunNumber
    case: Id
    attempt: Count
    tries: Count
    words: str
    """The provider's own, without anything that looks like a key."""
    wait: Seconds


class Paused(Record, tag_field="event", tag="paused"):
    """An agent's runs were stopped, and why."""

    at: Moment
    agent: AgentName
    sentence: str


class Spent(Record, tag_field="event", tag="spent"):
    """What the job has cost so far, earlier sessions and all roles included."""

    at: Moment
    dollars: Dollars


class Stopping(Record, tag_field="event", tag="stopping"):
    """The user interrupted: conversations in flight are finished, no new ones begin."""

    at: Moment


class Ended(Record, tag_field="event", tag="ended"):
    """A job is over, for now or for good."""

    at: Moment
    job: str
    how: str
    """complete, partial, budget, provider or interrupted."""
    missing: Count = 0
    """Conversations that the same command would hold."""


Event = Planned | Dropped | Began | Finished | Retried | Paused | Spent | Stopping | Ended
