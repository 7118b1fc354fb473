"""Case: one support case and one test case. Its opening, the customer's brief, and what is right.

What is right (the label) is derived by the policy and never typed; see `world/label.py`.
"""

from datetime import date
from typing import Literal

from supportagentbench.records.change import Change
from supportagentbench.records.record import Record
from supportagentbench.records.sender import Sender

Bucket = Literal["resolvable", "must_escalate", "adversarial"]

Level = Literal[0, 1, 2, 3]
"""How hard a case is, in a set that has levels; 0: not said."""

Act = str
"""Something the agent can do that is more than a look-up: a write of the world's, or of the ticket."""

Topic = str
"""Something that an agent may ask a customer about, as the world names it."""

News = str
"""Something that an agent may tell a customer, as the world names it."""

Manner = Literal["plain", "warm", "curt", "cross"]
"""How a customer writes."""

Hesitation = Literal["", "asks_back", "half_yes", "corrects"]
"""Asks back before it says yes, says yes on a condition first, or gives a detail wrongly and corrects it."""

Step = Literal["polite", "persistent", "authority", "threat"]
"""How hard one line of pressure presses; code sets it, so intensity is a variable."""


NO_EVIDENCE = "I don't have anything like that, sorry."


class CustomerFact(Record):
    """Something the customer knows, and when it may be said."""

    says: str
    """The customer's own words for it."""
    when: Literal["volunteer", "if_asked", "never"] = "if_asked"
    """`volunteer`: in the second message at the latest; `never`: the truth it keeps to itself."""
    topics: tuple[Topic, ...] = ()
    """The questions that draw it out."""
    discloses: dict[str, str] = {}
    """What the policy learns once it is said, such as `use: used`."""


class CustomerFile(Record):
    """A file the customer holds and can show."""

    kind: Literal["photo", "receipt"]
    name: str
    """The file's name, by which the desk refers to it."""
    shows: str
    """What a person sees on it."""
    when: Literal["volunteer", "if_asked"] = "if_asked"
    details: dict[str, str] = {}
    """The file's own data besides its picture, such as the day on which it was made."""


class Wish(Record):
    """One thing the customer wants from the desk."""

    request: str
    """The kind of request, in the policy's words."""
    says: str
    """The sentence it gives when asked what it wants, in its own voice."""
    satisfied_by: tuple[str, ...]
    """Any one of these settles it: `done:<act>` or `told:<news>`."""
    arguments: dict[str, str | int] = {}
    """What a tool would need to know to grant it."""
    needs: dict[str, str | int] = {}
    """What the thing has to be that it asks for: a use, a colour, a price, as the world names them."""
    agrees_to: tuple[Act, ...] = ()
    """The proposals it says yes to."""
    plainly: str = ""
    """The same in unmistakable words, for when it is asked again; made by the generator."""
    asks: tuple[str, ...] = ()
    """What it wants to know besides the request itself, as the policy's statements name it: `carrier`."""
    raised: Literal["opening", "later", "instead"] = "opening"
    """`later`: a second request, kept until the first is settled. `instead`: what it wants in place of the
    opening's, once something is proposed or it has written twice."""


class Pressure(Record):
    """One line of push-back; they are used in order."""

    step: Step
    says: str
    discloses: dict[str, str] = {}


class Brief(Record):
    """Everything the simulated customer knows: its ledger. It never sees the store."""

    wishes: tuple[Wish, ...]
    satisfied: str
    """Its last line when everything was settled."""
    disappointed: str
    """Its last line when its patience ran out."""
    facts: tuple[CustomerFact, ...] = ()
    evidence: tuple[CustomerFile, ...] = ()
    without_evidence: str = NO_EVIDENCE
    """What it says when asked for proof it does not hold, or for other proof than it sent along unasked."""
    pressure: tuple[Pressure, ...] = ()
    patience: int = 3
    """How many replies without progress it bears before it leaves."""
    takes_no: bool = True
    """Whether it accepts a refusal once its lines of pressure are spent."""
    manner: Manner = "plain"
    language: str = "en"
    goods: tuple[str, ...] = ()
    """Names of what it bought, put in by the generator."""
    opening_discloses: dict[str, str] = {}
    """What the policy learns from the words of the opening."""
    seat: int = 0
    """Its place among the customers of its language and manner, put in by the generator: neighbours word the
    same thing differently."""
    hesitates: Hesitation = ""
    """How it hesitates before a yes, if it does; set by the generator."""

    @property
    def standing(self) -> tuple[Wish, ...]:
        """The wishes that count in the end: without those that it changes its mind about."""
        changes = any(wish.raised == "instead" for wish in self.wishes)
        return tuple(wish for wish in self.wishes if not (changes and wish.raised == "opening"))

    def disclosed_at_first(self) -> dict[str, str]:
        """What the policy knows once the opening is read and its attachments are seen."""
        return dict(self.opening_discloses) | _disclosed_by(self.evidence, ("volunteer",))

    def disclosed_in_full(self) -> dict[str, str]:
        """What the policy would know if the customer had said and shown everything."""
        told = self.disclosed_at_first() | _disclosed_by(self.evidence, ("volunteer", "if_asked"))
        for fact in self.facts:
            if fact.when != "never":
                told |= fact.discloses
        for pressure in self.pressure:
            told |= pressure.discloses
        return told


def _disclosed_by(evidence: tuple[CustomerFile, ...], when: tuple[str, ...]) -> dict[str, str]:
    shown = any(one.kind == "photo" and one.when in when for one in evidence)
    return {"proof": "shown"} if shown else {}


class ScriptedCall(Record):
    """One tool call of a script."""

    tool: str
    arguments: dict[str, str | int] = {}


class ScriptedTurn(Record):
    """One agent turn of a solution or a mistake."""

    says: str
    calls: tuple[ScriptedCall, ...] = ()


class Statement(Record):
    """A statement that the agent must make, and its opposite.

    Wordings are in the notation of `language/notation.py`, in the customer's language.
    """

    about: str
    """What it tells, for people: `how long processing takes`."""
    says: tuple[str, ...]
    """Any one of these tells it, unless it is denied."""
    denies: tuple[str, ...] = ()
    """Any one of these, unless it is denied itself, is the opposite or another value."""
    only_so: bool = False
    """Nothing else could tell it: a number, a name or a link that never came was not given."""
    private: bool = False
    """Another person's data, as the record has it: disclosing it is unsafe."""


class RightEnd(Record):
    """One acceptable end of a case: the changes made and the facts told, nothing less."""

    changes: tuple[Change, ...] = ()
    """How the books differ from the start; whichever tools brought that about."""
    tells: tuple[Statement, ...] = ()
    """All statements that the agent has to make."""


class Ban(Record):
    """An act the policy forbids here."""

    act: Act
    rules: tuple[str, ...]
    until: str = ""
    """What lifts it: a disclosure such as `proof:shown`, `outcome`, or nothing ever."""
    since: str = ""
    """The disclosure from which it applies, such as `threat:harm`; empty: from the start."""


class DecidingLookups(Record):
    """What has to be looked up before an act, beyond the page of its record: it may forbid the act."""

    act: Act
    lookups: tuple[str, ...]


class Label(Record):
    """What is right in a case, derived from policy, store and ledger."""

    handover: Literal["required", "allowed", "forbidden", "undecided"]
    outcomes: tuple[RightEnd, ...] = ()
    """Any one of them resolves the case; none is named where that is undecided."""
    bans: tuple[Ban, ...] = ()
    temptation: Act | None = None
    """In a trap: the unsafe action it tempts the agent into."""
    withheld: tuple[Statement, ...] = ()
    """Statements that must not be made before a colleague has the case."""
    lookups: tuple[str, ...] = ()
    """The look-ups that are needed to know what is right."""
    beyond: tuple[DecidingLookups, ...] | None = None
    """The acts that more than the page of their record decides, once for each wish that they may serve: any
    one of an act's entries is enough. None: not known, as in a record from before this was kept."""
    rules: tuple[str, ...] = ()
    """The rules that decide, by id."""
    unknown: tuple[str, ...] = ()
    """Facts that are unknown, as in a ticket from elsewhere; everything else here is certain all the same."""
    undecided: tuple[str, ...] = ()
    """Acts that are right or wrong depending on unknown facts: no finding is made of them."""

    @property
    def is_partial(self) -> bool:
        """Whether what resolves the case depends on unknown facts."""
        return bool(self.unknown) and not self.outcomes


class Case(Record, tag_field="record", tag="case/1"):
    """One customer with one request or two, and what is right."""

    id: str
    family: str
    bucket: Bucket
    subject: str
    """What it is about, by the number under which the desk finds it: an order, a subscription."""
    opening: str
    brief: Brief
    label: Label
    solution: tuple[ScriptedTurn, ...]
    mistake: tuple[ScriptedTurn, ...]
    note: str
    """Why it is hard, in one line."""
    twin_of: str = ""
    """Set on a benign twin: the trap whose opening it shares."""
    sender: Sender | None = None
    """The account that the opening comes from."""
    level: Level = 0
    today: date | None = None
    """The day it is, if not that of the world."""
