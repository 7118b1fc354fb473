"""Kit: everything specific to a shop. A world folder's `tools.py` ends with `KIT = Kit(...)`.

World code imports what it needs from this module: all names are in `__all__`.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import cached_property
from inspect import signature
from random import Random
from typing import Any, NamedTuple, get_args, get_type_hints

import msgspec

from supportagentbench.language.notation import literally
from supportagentbench.records.case import Case, Wish
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import Record, as_plain
from supportagentbench.records.sender import Sender
from supportagentbench.records.transcript import Attachment
from supportagentbench.records.view import (
    FieldView,
    GoodsView,
    JourneyView,
    ParcelsView,
    RecordView,
    ShelfView,
    Views,
)
from supportagentbench.records.vocabulary import (
    Denial,
    Harm,
    RecordState,
    Subject,
    TicketMix,
    Verb,
    Vocabulary,
)
from supportagentbench.world import ticket
from supportagentbench.world.measure import placeholders_in
from supportagentbench.world.policy_page import PolicyPage, policy_reader, section_named, section_titles
from supportagentbench.world.situation import CUSTOMER, FactReader, Situation, said
from supportagentbench.world.store import Store, Table
from supportagentbench.world.ticket import DANGER, DISCLOSURE, WriteResult
from supportagentbench.world.tool import ToolFault, ToolRefusal, Work

__all__ = [
    "CUSTOMER",
    "DANGER",
    "DISCLOSURE",
    "Attachment",
    "Case",
    "Cast",
    "Days",
    "Denial",
    "DrawnScene",
    "FactReader",
    "FieldView",
    "GoodsView",
    "Grounding",
    "Harm",
    "Hearing",
    "JourneyView",
    "Kit",
    "Look",
    "Need",
    "ParcelsView",
    "PolicyPage",
    "Problem",
    "Record",
    "RecordState",
    "RecordView",
    "Seat",
    "Sender",
    "ShelfView",
    "Shop",
    "Situation",
    "Store",
    "Subject",
    "SubjectNumber",
    "Table",
    "TicketMix",
    "ToolFault",
    "ToolRefusal",
    "Verb",
    "Views",
    "Wish",
    "Work",
    "WriteResult",
    "as_plain",
    "literally",
    "said",
    "section_named",
    "section_titles",
    "spoken",
]

Days = tuple[int, int]
"""A range of days before today, both ends included."""

Look = Callable[[str, dict[str, Any]], Any]
"""Makes one look-up, by name and arguments: what it showed, or None."""


EARLIER = 300
"""How many numbers below those of the set earlier numbers are drawn from."""


class Cast(Record):
    """`cast.yaml`: the pools from which people are drawn. A world adds its own."""

    first_names: tuple[str, ...]
    last_names: tuple[str, ...]


FURTHEST_DAY = 36_500
"""Days from today; world code may go through all in between."""


class Seat(NamedTuple):
    """A case's seat in the set, with everything that two cases may not share."""

    key: str
    """Seeds its streams."""
    number: int
    first: str
    last: str
    rank: int = 0
    """Its place in a shuffled list of all cases: what is chosen by it repeats as late as possible."""
    lowest: int = 1
    """No case of the set has a lower number."""

    def stream(self, purpose: str) -> Random:
        """Chance for one purpose: a twin that changes one thing keeps all others."""
        return Random(f"{self.key}/{purpose}")

    def day(self, today: date, span: Days, purpose: str) -> date:
        """A day this many days before today, or after it if the numbers are negative."""
        first, last = sorted(span)
        if max(-first, last) > FURTHEST_DAY:
            raise Problem(f"a day is more than {FURTHEST_DAY:,} days from today; choose a closer one.")
        return today - timedelta(days=self.stream(purpose).randint(first, last))

    @property
    def name(self) -> str:
        return f"{self.first} {self.last}"

    @property
    def email(self) -> str:
        """An address that cannot belong to a real person."""
        domain = self.stream("person").choice(["example.com", "example.net", "example.org"])
        return f"{self.first}.{self.last}@{domain}".casefold()

    @property
    def sender(self) -> Sender:
        """The account of this person."""
        return Sender(self.name, self.email)

    def earlier_number(self, purpose: str) -> int:
        """A number of the same shop, from before all cases of the set."""
        return self.stream(purpose).randrange(max(self.lowest - EARLIER, 1), self.lowest)


class SubjectNumber(NamedTuple):
    """How the number of a case's subject is asked for, and how it looks in a customer's words."""

    topic: str
    pattern: str

    def last_in(self, texts: Iterable[str]) -> str:
        """The number that was mentioned last, without blanks; or nothing."""
        found = [number[0] for text in texts for number in re.finditer(self.pattern, text)]
        return re.sub(r"\s", "", found[-1]) if found else ""


class Need(NamedTuple):
    """What a request has to name before it can be granted, and the question that asks for it."""

    any_of: tuple[str, ...]
    """Arguments, of which one is enough."""
    topic: str


class Hearing(NamedTuple):
    """The context for reading a tool's arguments from a customer's words."""

    request: str
    texts: Sequence[str]
    """The customer's messages, or the one in which the request was put plainly."""
    seen: Any
    """What the look-ups showed."""
    look: Look
    goods: str | None
    """The kind of goods that the words are after."""


class Shop(NamedTuple):
    """What a world's data files say, in the world's own records."""

    today: date
    catalogue: Any
    """`store.yaml`."""
    cast: Any
    """`cast.yaml`."""
    measures: Any
    """`measures:` of `policy.yaml`."""


class DrawnScene(NamedTuple):
    """A scene in one seat: rows of the books, and the words for them."""

    subject: str
    """The number by which the desk finds it."""
    rows: dict[str, dict[str, Any]]
    """By table and key; every table that any scene of this world writes is named, even without a row."""
    words: dict[str, str]
    """The values of the placeholders in the case's texts."""
    goods: tuple[str, ...] = ()
    """Names of what the customer bought."""
    sender: Sender | None = None
    """The account that the ticket comes from. Look-ups ask the books whose records it opens: `is_for`."""
    faults: tuple[ToolFault, ...] = ()
    """What the desk's writes do wrong here."""


class Grounding(NamedTuple):
    """The known facts of a real ticket's subject; a kit makes rows of them."""

    shop: Shop
    """On the day of the ticket."""
    key: str
    """Seeds chance, which fills in unknown facts."""
    subject: str
    """Its number, as the ticket has it."""
    sender: Sender | None
    facts: Mapping[str, str]
    """The known facts, by the policy's names. All others are unknown, even if the rows have a value."""
    arguments: Mapping[str, str | int]
    """What the customer names besides its number: a line, an address."""
    details: Any
    """What else is known, in the kit's own record."""


class GroundedScene(NamedTuple):
    """A real ticket's subject as the scene of a case, which any seed can draw again."""

    scene: Any
    arguments: dict[str, str | int]
    """Those of its wish, with placeholders for what is drawn."""
    words: dict[str, str]
    """By placeholder, what the ticket has in its place."""


class NoDetails(Record):
    """The details of a shop that asks for none."""


NO_VIEWS = Views()


def _no_arguments(hearing: Hearing) -> dict[str, Any]:
    return {}


def _no_urgings(seen: Any) -> tuple[str, ...]:
    return ()


def _no_faults(shop: Shop, books: Any, case: Case, text: str) -> Iterator[str]:
    return iter(())


@dataclass(frozen=True)
class Kit:
    """Rows, tools, facts, requests and verbs of one shop."""

    subject: str
    """The tool argument that names the subject of a case, such as `order`; also one of its `words`."""
    number: SubjectNumber
    """The number of a case's subject, in a customer's words."""
    measures: type[Record]
    """The record of `measures:` in `policy.yaml`."""
    catalogue: type[Record]
    """The record of `store.yaml`."""
    cast: type[Cast]
    """The record of `cast.yaml`."""
    scene: type[Record]
    """The record of a case's `scene:`."""
    open_books: Callable[[Shop], Store]
    """The books before any customer is in them."""
    draw: Callable[[Shop, Any, Seat], DrawnScene]
    """A scene and a seat become rows; the same seat always gives the same."""
    lookups: tuple[Work, ...]
    """Tools that read."""
    writes: tuple[Work, ...]
    """Tools that change something; `hand_over` and `close_ticket` come with every desk."""
    look_up: Callable[[Look, dict[str, str]], Any]
    """Opens the record of a subject by a known value (`{"order": …}` or `{"email": …}`), from which all facts
    are read; or None."""
    facts: Mapping[str, FactReader]
    """Every fact that a condition of the policy may name; `request` comes with every desk."""
    requests: Mapping[str, str]
    """Every kind of request, with the sentence that asks for it in plain words."""
    request_words: Callable[[Any, str, Wish], dict[str, str]]
    """(books, subject, wish) -> the values of the placeholders in that sentence."""
    questions: Mapping[str, Mapping[str, str]]
    """How a colleague asks for a topic, by language; the wish and a photo every desk can ask for."""
    words: Mapping[str, Callable[[Situation], str]]
    """The values of the placeholders in `say` and in a verb's `doing` and `done`."""
    tells: Mapping[str, Callable[[Situation, Any], list[str]]]
    """(situation, books) -> the wordings for a placeholder of `tell`; see `literally`."""
    verbs: tuple[Verb, ...]
    """One for each write."""
    topics: tuple[Subject, ...]
    news: tuple[Subject, ...]
    beyond: tuple[Verb, ...] = ()
    """Acts that no tool can do, though agents may claim them."""
    states: tuple[RecordState, ...] = ()
    """How a record can be, as agents put it, and when the record contradicts them."""
    views: Views = NO_VIEWS
    """Where the look-ups show what checks read; anything not declared is not observable at this desk."""
    heard_as: tuple[str, ...] = ()
    """What a model that reads an agent's words has to know about this desk, one sentence each."""
    harms: tuple[Harm, ...] = ()
    worth: float = 0.0
    """What goods that are sent cost on average, in dollars; harms that scale with goods need it."""
    mixes: tuple[TicketMix, ...] = ()
    told: Mapping[str, str] = field(default_factory=dict)
    """By tool, a sentence that describes a call, with its arguments in braces; see `Vocabulary.told`."""
    arguments: Callable[[Hearing], dict[str, Any]] = _no_arguments
    """What a customer's words name besides the subject: a line, another variant, a day."""
    needs: Mapping[str, Need] = field(default_factory=dict)
    """By kind of request, what has to be named."""
    answered_once: tuple[str, ...] = ()
    """Requests that an answer settles, such as advice; others stay open until the customer moves on."""
    defaults: Mapping[str, Any] = field(default_factory=dict)
    """Default values for write arguments that requests do not name."""
    urgings: Callable[[Any], tuple[str, ...]] = _no_urgings
    """The texts on a record, as look-ups show it, that tell the desk what to do."""
    policy_reader: Callable[[str, Mapping[str, str]], Work] = policy_reader
    """Makes the tool that opens the policy, from its text and its sections by title."""
    audit: Callable[[Shop, Any, Case, str], Iterator[str]] = _no_faults
    """(shop, books, case, everything said in it) -> everything that does not add up, for `sab lint`."""
    makes_sure: bool = False
    """Whether a request cannot be recognized by its words: the oracle then asks for a plain one first."""
    details: type[Record] = NoDetails
    """What a desk map may say about a ticket's subject besides facts: goods, days, prices."""
    ground: Callable[[Grounding], DrawnScene] | None = None
    """Rows for a real ticket, in which every known fact can be read; None: tickets cannot be resumed here."""
    scene_of: Callable[[Grounding, Mapping[str, str | int]], GroundedScene] | None = None
    """The same with the arguments of its wish, as a scene; None: no case can be made of a real ticket."""
    extends: str = ""
    """A shipped world whose catalogue, cast, desk and wordings are used where this one has none."""

    @cached_property
    def acts(self) -> tuple[str, ...]:
        """Everything the agent can do that is more than looking something up."""
        return tuple(work.__name__ for work in (*self.writes, *ticket.WRITES))

    @cached_property
    def parameters(self) -> dict[str, tuple[str, ...]]:
        """By act, the arguments of its tool."""
        works = (*self.writes, *ticket.WRITES)
        return {work.__name__: tuple(signature(work).parameters)[1:] for work in works}

    @cached_property
    def tools(self) -> tuple[str, ...]:
        """Every tool of the desk, by name."""
        return (*(work.__name__ for work in self.lookups), "read_policy", *self.acts)

    @cached_property
    def all_harms(self) -> tuple[Harm, ...]:
        """The shop's harms, and the one that every desk can do."""
        return (*self.harms, ticket.FALSE_CLOSURE)

    @cached_property
    def harm_names(self) -> tuple[str, ...]:
        return tuple(harm.name for harm in self.all_harms)

    @cached_property
    def shows(self) -> dict[str, Any]:
        """By look-up, the record that it shows."""
        return {work.__name__: get_type_hints(work)["return"] for work in self.lookups}

    @cached_property
    def readers(self) -> dict[str, FactReader]:
        """All facts, with the kind of request."""
        request = FactReader(tuple(self.requests), CUSTOMER, lambda now: now.request, needs_record=False)
        return {"request": request, **self.facts}

    def vocabulary(self, shop: str) -> Vocabulary:
        """What can be done, asked and told at this desk, and the words for it."""
        return Vocabulary(
            shop=shop,
            subject=self.subject,
            verbs=(*self.verbs, *ticket.VERBS),
            topics=self.topics,
            news=self.news,
            lookups=tuple(name for name in self.tools if name not in self.acts),
            told={"read_policy": "Read the policy[ on {section}]", **ticket.TOLD, **self.told},
            beyond=self.beyond,
            states=self.states,
            requests=tuple(Subject(name, sentence) for name, sentence in self.requests.items()),
            disclosures=tuple(
                Subject(f"{name}:{value}", f"that {name} is {value}")
                for name, fact in self.facts.items()
                for value in fact.values
            ),
            harms=self.all_harms,
            worth=self.worth,
            mixes=self.mixes,
            views=self.views,
            heard_as=self.heard_as,
        )

    def faults(self) -> Iterator[str]:
        """What in this kit does not fit together."""
        names, lookups = {work.__name__ for work in self.writes}, {work.__name__ for work in self.lookups}
        harms = self.harm_names
        for act in sorted(names ^ {verb.act for verb in self.verbs}):
            yield f"{act} needs both a function in `writes` and a verb in `verbs`"
        for harm in self.harms:
            if harm.scales == "goods" and not self.worth:
                yield f"the harm {harm.name} scales with the value of goods, but `worth` is not set"
        for verb in self.verbs:
            if verb.harm and verb.harm not in harms:
                yield f"verb {verb.act} does the harm {verb.harm!r}, which `harms` does not have"
            for other in sorted({*verb.kin} - names):
                yield f"verb {verb.act} is kin to {other!r}, which is not a write"
            for name in sorted(placeholders_in(verb.doing + verb.done) - {*self.words}):
                yield f"verb {verb.act} has the placeholder {{{name}}}, which `words` does not have"
        yield from self._untold()
        yield from self._unseen()
        topics = {topic.name for topic in self.topics}
        if self.subject not in self.words:
            yield f"`words` does not have {self.subject!r}, the number of a case's subject"
        for topic in sorted(
            {self.number.topic, *self.questions, *(need.topic for need in self.needs.values())}
        ):
            if topic not in topics:
                yield f"there is a question for {topic!r}, which `topics` does not have"
        if self.number.topic not in self.questions:
            yield f"`questions` does not ask for {self.number.topic!r}"
        for name, fact in self.facts.items():
            if fact.source not in {CUSTOMER, *lookups}:
                yield f"fact {name} is read from {fact.source!r}, which is not a look-up"

    def _untold(self) -> Iterator[str]:
        """Sentences about calls that do not fit their tool."""
        arguments = {work.__name__: {*get_type_hints(work)} for work in (*self.lookups, *self.writes)}
        for tool, sentence in self.told.items():
            if tool not in arguments:
                yield f"`told` has a sentence for {tool!r}, which is not a tool of this kit"
                continue
            for name in sorted(placeholders_in(sentence) - arguments[tool]):
                yield f"the sentence for {tool} has the placeholder {{{name}}}, which it lacks"

    def _unseen(self) -> Iterator[str]:
        """Views of what no look-up shows, and of arguments that no write has."""
        views = self.views
        for view in (views.record, views.journey, views.shelf, views.notes, views.proof):
            if view is None:
                continue
            if view.tool not in self.shows:
                yield f"a view reads {view.tool!r}, which is not a look-up"
                continue
            known = _fields_within(self.shows[view.tool])
            for name in sorted(_fields_named(view) - known):
                yield f"a view reads the field {name!r} of {view.tool}, which does not show it"
        arguments = {name for work in self.writes for name in get_type_hints(work)}
        for name in sorted(views.arguments.keys() - arguments):
            yield f"`views` has a role for the argument {name!r}, which no write has"


def _fields_named(view: Record) -> set[str]:
    """Every field that a view names."""
    found: set[str] = set()
    for name in view.__struct_fields__:
        value = getattr(view, name)
        if isinstance(value, Record):
            found |= _fields_named(value)
        elif name not in ("tool", "search", "arrival", "on_the_way"):
            texts = value if isinstance(value, tuple) else (value,)
            found |= {part for text in texts for part in text.split(".") if part}
    return found


def _fields_within(kind: Any) -> set[str]:
    """The fields of a record and of all records in it."""
    found: set[str] = set()
    waiting: list[Any] = [kind]
    seen: set[Any] = set()
    while waiting:
        one = waiting.pop()
        waiting += get_args(one)
        if isinstance(one, type) and issubclass(one, Record) and one not in seen:
            seen.add(one)
            for part in msgspec.structs.fields(one):
                found.add(part.encode_name)
                waiting.append(part.type)
    return found


def spoken(day: date) -> str:
    """A date as people write it: June 27."""
    return f"{day:%B} {day.day}"
