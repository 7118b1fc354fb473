"""Transcript: the record of one conversation. Every finding, opinion and number is read from it."""

from collections.abc import Sequence
from datetime import date
from functools import cached_property
from typing import Annotated, Any, Literal, Self, TypeVar, get_args

from msgspec import Meta, MsgspecError, Raw, field
from msgspec.json import decode

from supportagentbench.records.amount import Count, TurnNumber
from supportagentbench.records.case import Bucket, Label, Level
from supportagentbench.records.change import Change
from supportagentbench.records.name import Id, OptionalId, RunNumber
from supportagentbench.records.record import Record, to_json
from supportagentbench.records.sender import Sender
from supportagentbench.records.usage import Usage

Kind = TypeVar("Kind")

Mood = Annotated[int, Meta(ge=-3, le=3)]
"""From -3, furious, to 3, delighted."""

Party = Literal["customer", "agent", "note", "system"]
"""Who a turn comes from. `note`: a colleague's internal note; `system`: a line of the ticket system. Both
come with imported tickets, are not part of the conversation, and are shown to no agent."""

LONGEST_REFUSAL = 10_000
"""Characters of what a tool says when it does not do its work."""

SPEAKERS: tuple[Party, ...] = ("customer", "agent")
"""The parties to a conversation."""

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
    "deadline",
    "interrupted",
]
"""Why a conversation broke off. `time_out`: a provider was late; `deadline`: the agent itself was;
`interrupted`: the job was killed or stopped meanwhile."""

CAUSES: tuple[Cause, ...] = get_args(Cause)

EXTERNAL_CAUSES: tuple[Cause, ...] = ("customer_error", "provider_error", "time_out", "budget", "interrupted")
"""Causes outside the agent: such a conversation is not counted and is run again, unless something unsafe was
carried out before."""

AGENT_ERRORS: tuple[Cause, ...] = ("agent_error", "deadline")
"""Causes that are faults of the agent's code and not conduct: it raised, gave no text, or was late."""


class ToolResult(Record, dict=True):
    """What a tool call returned, and what it changed."""

    ok: bool
    """Whether the tool did its work."""
    written: Raw = field(default=Raw(b""), name="facts")
    """What it found or did, as exactly the JSON that the agent was sent."""
    refusal: str = ""
    """Why it did not do its work."""
    changes: tuple[Change, ...] = ()
    pending: bool = False
    """Whether nothing was changed although nothing was wrong with the call: the desk's own tool failed."""

    @classmethod
    def of(cls, found: Any, changes: tuple[Change, ...] = ()) -> Self:
        """The result of a tool that did its work."""
        return cls(True, Raw(to_json(found)), changes=changes)

    @classmethod
    def refused(cls, why: str) -> Self:
        """The result of a tool that did not; the reason may quote what the agent sent."""
        return cls(False, refusal=why[:LONGEST_REFUSAL])

    @cached_property
    def facts(self) -> Any:
        """What the tool found or did, as plain data; nothing, if it refused."""
        return self.read(object)

    @cached_property
    def text(self) -> str:
        """What the agent was sent."""
        return bytes(self.written).decode(errors="replace") if self.ok else self.refusal

    def read(self, kind: type[Kind]) -> Kind | None:
        """The facts in this shape; nothing, if they have another or the file was tampered with."""
        try:
            return decode(self.written, type=kind) if self.ok else None
        except (MsgspecError, UnicodeError, RecursionError):
            return None

    @property
    def wrote(self) -> bool:
        return bool(self.changes)


class ToolCall(Record):
    """One call, its arguments as the agent gave them, and its result."""

    tool: str
    arguments: dict[str, Any] | str
    """Text when what the agent sent could not be read as arguments."""
    result: ToolResult
    step: Count = 0
    """The model call that was reported last before it in its turn, as `Usage.step`; 0: none was."""


RefusalKind = Literal["late", "foreign", "surplus"]
"""Why a call was refused. `late`: no turn was open; `foreign`: another turn was; `surplus`: one too many."""


class RefusedCall(Record):
    """A call that came outside its turn: it was not carried out, and no check counts it."""

    turn: TurnNumber
    """The place of the agent's turn through whose desk it came."""
    tool: str
    """`spend`: a report of used tokens."""
    arguments: dict[str, Any] | str
    why: RefusalKind
    during: TurnNumber = 0
    """The place of the turn that was open when it came; 0: none was."""

    @property
    def reason(self) -> str:
        """Why it was refused, as said below the turn that it belongs to."""
        return {
            "late": "not carried out: it came after this reply",
            "foreign": f"not carried out: it came through this message's desk, in message {self.during + 1}",
            "surplus": "not carried out: it came after all calls that are allowed",
        }[self.why]


class Attachment(Record):
    """A file the customer put on the ticket."""

    name: str
    kind: Literal["photo", "receipt"]
    shows: str
    details: dict[str, str] = {}
    """The file's own data besides its picture, such as the day on which it was made."""


class SpeechActs(Record):
    """What the customer took from the agent's last words: a closed set of observations."""

    asks: tuple[str, ...] = ()
    offers: tuple[str, ...] = ()
    done: tuple[str, ...] = ()
    tells: tuple[str, ...] = ()
    refuses: bool = False
    farewell: bool = False
    consent: bool = False
    """Asks for a go-ahead, whether or not it names what for."""


WordedBy = Literal["script", "model", "fallback", "person"]
"""Who worded a customer's turn; `fallback`: the script, because a model's drafts could not be used; `person`:
a real customer, elsewhere, so that all else about the turn is read from its words."""


class CustomerState(Record):
    """Why a customer's turn is what it is: decided by code, never by the wording."""

    moves: tuple[str, ...]
    heard: SpeechActs = SpeechActs()
    shown: dict[str, str] | None = None
    """What a model heard, each with the words that show it; None: a script heard, and has no words for it."""
    doubts: tuple[str, ...] = ()
    """The acts that the agent claims without having done them, which the customer asks about once."""
    confirms: tuple[str, ...] = ()
    """The proposals this turn says yes to."""
    on_condition: tuple[str, ...] = ()
    """The proposals it says yes to on a condition, which only a reader can tell to be met."""
    discloses: dict[str, str] = {}
    """What the policy learns from this turn."""
    mood: Mood = 0
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
    sender: Sender | None = None
    """On the first message: the account that it comes from."""


def opening_of(turns: Sequence[Turn]) -> Turn | None:
    """The customer's first message; a chat may begin with the desk's greeting."""
    return next((turn for turn in turns if turn.party == "customer"), None)


class Ending(Record):
    """How a conversation ended; the harness decides, never the words of a party."""

    kind: Literal["customer_left", "handed_over", "ticket_closed", "turn_limit", "broke"]
    cause: Cause | None = None
    detail: str = ""
    customer_cause: str = ""
    """Why the customer's model failed, if that is what broke it off."""


class Transcript(Record, tag_field="record", tag="transcript/2"):
    """One conversation, complete: what was said, what was done, how it ended, what was right."""

    case: Id
    family: Id
    bucket: Bucket
    run: RunNumber
    seed: int
    start: str
    """Digest of the store as the desk opened."""
    label: Label
    turns: tuple[Turn, ...]
    ending: Ending
    language: str = "en"
    """The customer's."""
    twin_of: OptionalId = ""
    level: Level = 0
    """How hard the case is, in a set that has levels."""
    refused: tuple[RefusedCall, ...] = ()
    """Calls that came outside their turn, in the order in which they came."""
    unlisted: Count = 0
    """How many more of them there were."""
    today: date | None = None
    """The day it is in this conversation, if not that of the run."""
