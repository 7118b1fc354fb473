"""Transcript: the record of one conversation, and Run: the header of many. All else is read from them."""

from datetime import date
from typing import Any, Literal

from supportagentbench.records.case import Act, Bucket, Label, News, Topic
from supportagentbench.records.change import Change
from supportagentbench.records.record import Record
from supportagentbench.records.vocabulary import Vocabulary

Party = Literal["customer", "agent"]

Cause = Literal[
    "agent_error",
    "customer_error",
    "too_many_calls",
    "provider_error",
    "refusal",
    "time_out",
    "context_overflow",
    "empty_reply",
    "malformed_call",
    "budget",
    "cut_off",
]
"""Why a conversation broke off."""

EXTERNAL_CAUSES: tuple[Cause, ...] = ("customer_error", "provider_error", "time_out", "budget")
"""Causes that say nothing of the agent: such a conversation counts nowhere and is held again."""


class Usage(Record):
    """Tokens of one model call, in buckets that do not overlap."""

    model: str
    role: Literal["agent", "customer", "judge", "second_judge"] = "agent"
    input: int = 0
    """Uncached input."""
    cache_read: int = 0
    cache_write: int = 0
    output: int = 0
    reasoning: int = 0
    """Of the output, how much was hidden reasoning."""
    attempts: int = 1
    """How often it was asked until it answered, or until it was given up."""
    lost: int = 0
    """Attempts that went out and brought nothing readable back: they may be billed, nobody knows how much."""
    cost: float | None = None
    """Dollars; None is unknown, never zero."""
    cost_by: Literal["", "provider", "table"] = ""
    """Who named the cost: the provider itself, or the price table the run's header names."""


class ToolResult(Record):
    """What a tool call gave back, and what it changed."""

    ok: bool
    text: str
    changes: tuple[Change, ...] = ()

    @property
    def wrote(self) -> bool:
        return bool(self.changes)


class ToolCall(Record):
    """One call, its arguments as the agent gave them, and its result."""

    tool: str
    arguments: dict[str, Any] | str
    """Text when what the agent sent could not be read as arguments."""
    result: ToolResult


class Attachment(Record):
    """A file the customer put on the ticket."""

    name: str
    kind: Literal["photo", "receipt"]
    shows: str


class SpeechActs(Record):
    """What the customer took from the agent's last words: a closed set of observations."""

    asks: tuple[Topic, ...] = ()
    offers: tuple[Act, ...] = ()
    done: tuple[Act, ...] = ()
    tells: tuple[News, ...] = ()
    refuses: bool = False
    farewell: bool = False
    consent: bool = False
    """Asks for a go-ahead, whether or not it names what for."""


WordedBy = Literal["script", "model", "fallback"]
"""Who worded a customer's turn; `fallback`: the script, because a model's drafts could not be used."""


class CustomerState(Record):
    """Why a customer's turn is what it is: decided by code, never by the wording."""

    moves: tuple[str, ...]
    heard: SpeechActs = SpeechActs()
    confirms: tuple[Act, ...] = ()
    """The proposals this turn says yes to."""
    discloses: dict[str, str] = {}
    """What the policy learns from this turn."""
    mood: int = 0
    """From -3, furious, to 3, delighted."""
    leaves: bool = False
    worded_by: WordedBy = "script"
    faults: tuple[str, ...] = ()
    """What was wrong with a model's readings and drafts for this turn, in order; none was ever sent."""


class Turn(Record):
    """One party's words, with the work done for them."""

    party: Party
    text: str
    calls: tuple[ToolCall, ...] = ()
    attachments: tuple[Attachment, ...] = ()
    usage: tuple[Usage, ...] = ()
    conduct: CustomerState | None = None
    """On the customer's turns only, and never shown to the agent."""


class Ending(Record):
    """How a conversation ended; the harness decides, never anybody's words."""

    kind: Literal["customer_left", "handed_over", "ticket_closed", "turn_limit", "broke"]
    cause: Cause | None = None
    detail: str = ""


class Transcript(Record, tag_field="record", tag="transcript/1"):
    """One conversation, complete: what was said, what was done, how it ended, what was right."""

    case: str
    family: str
    bucket: Bucket
    run: int
    seed: int
    start: str
    """Digest of the store as the desk opened."""
    label: Label
    turns: tuple[Turn, ...]
    ending: Ending
    language: str = "en"
    """The customer's."""
    twin_of: str = ""


class RuleText(Record):
    """A rule of the policy as far as it can be read without the world."""

    id: str
    text: str
    general: bool = False
    """Holds in every conversation; any other where a label names it."""
    checks: tuple[str, ...] = ()
    """The findings that show whether it was kept."""
    requires: tuple[Act, ...] = ()
    tells: bool = False
    """Names something that the customer must be told."""


class Run(Record, tag_field="record", tag="run/1"):
    """The header of one agent's one pass over a set of cases."""

    agent: str
    run: int
    """1 for the first repetition, 2 for the second …"""
    world: str
    world_digest: str
    policy_digest: str
    policy: str
    """The text the agent was given, so that claims can be checked without the world."""
    today: date
    """The day it is in that world."""
    set: str
    cases: tuple[str, ...]
    """Every planned conversation, by case id: what is missing is known."""
    case_seed: str
    """Number of the public draw, or `private:` and the commitment of a secret one."""
    seed: int
    customer: str
    turn_limit: int
    package: str
    """Version of this package."""
    sampling: dict[str, str | int | float] = {}
    prices: str = ""
    """Date of the price table; empty when nothing was priced."""
    rules: tuple[RuleText, ...] = ()
    """The policy rule by rule, for whoever judges how well it was kept."""
    vocabulary: Vocabulary = Vocabulary("", ())
    """What can be done, asked and told at this desk, and the words for it."""
