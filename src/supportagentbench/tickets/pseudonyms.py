"""Pseudonyms: the only way from a ticket as it was exported to one that may be written.

First the values of fields about people, then identifiers by their shape, then words that may be names: those
are doubts, hidden until a person has read the ticket. Any error leaves the ticket out.
"""

import re
from collections.abc import Iterator
from datetime import timedelta
from itertools import chain, repeat
from pathlib import PurePath
from typing import Any, NamedTuple, get_args

import msgspec
from msgspec.structs import replace

from supportagentbench.records.problem import Problem
from supportagentbench.records.record import read_back
from supportagentbench.records.secrets import without_secrets
from supportagentbench.records.ticket import SupportTicket, TicketAct, TicketEvent, TicketPerson
from supportagentbench.tickets.argument_keys import is_amount, is_hidden, is_time, people_in, personal
from supportagentbench.tickets.desk_words import is_plain, key_parts
from supportagentbench.tickets.doubts import answers, doubts_in
from supportagentbench.tickets.folding import WORD, clusters, folded, plain
from supportagentbench.tickets.identifiers import FoundIdentifier, IdentifierKind, identifiers_in
from supportagentbench.tickets.known_words import ONLY_COMMON, KnownWords
from supportagentbench.tickets.own_people import OwnPeople, kind_of_id
from supportagentbench.tickets.raw import RawTicket
from supportagentbench.tickets.surrogates import Surrogates
from supportagentbench.tickets.ticket_draft import MOST_PEOPLE
from supportagentbench.tickets.word_lists import DESK, words

HIDDEN = "[hidden]"
"""For good: in fields that cannot have doubts, and where a person decided so."""

UNREAD = "▒"
"""In place of each letter of a doubtful word, until a person has approved the ticket."""

RULES = (
    *(
        "names, e-mail addresses, phones, addresses and ids of the ticket's own people",
        "numbers of the ticket",
    ),
    *(
        "e-mail addresses",
        "phones",
        "cards",
        "IBANs",
        "postal addresses",
        "links",
        "IP addresses",
        "dates of birth",
    ),
    *(
        "order, tracking and other long numbers",
        "passwords and tokens",
        "doubtful words hidden",
        "dates moved",
    ),
)
"""The rules of every import."""

LONGEST = 100_000
"""Characters of one text; a ticket with a longer one is left out."""
LARGEST_AMOUNT = 10**9
"""A larger number is none, whatever its key says."""
MOST_VALUES = 1_000
"""Names, addresses and numbers in the fields of one ticket; one with more is left out."""
TOWNS, CODES = words("city town"), words("postcode zip zipcode postal tracking")
LONG_NUMBER = 8
"""Digits of what is surely no name of goods."""
_ENDINGS = words(
    ".pdf .jpg .jpeg .png .gif .webp .heic .bmp .tif .tiff .svg .txt .csv .doc .docx .odt .xls .xlsx .ods "
    ".ppt .pptx .zip .eml .msg .ics .html .json .xml .mp3 .mp4 .mov .wav .m4a"
)
_RANK = {kind: place for place, kind in enumerate(get_args(IdentifierKind))}
_STAMP = re.compile(r"(20\d\d-\d\d-\d\d)([T ]\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?(?:Z|[+-]\d\d:?\d\d)?)")
"""A date with a time, as programs write it."""
_MODEL_TAG = re.compile(
    r"\s{0,9}(<(?:think|thinking|thought|reasoning|reflection|scratchpad|analysis|tool_call|function_calls?)>)",
    re.IGNORECASE,
)
"""What a model writes before its reasoning or a call. At the start of a message it is no part of a name."""
_COUNT = re.compile(r"[+-]?\d{1,3}(?:[.,]\d{1,2})?")
_AMOUNT = re.compile(
    r"[$€£¥]?\s?[+-]?\d{1,9}(?:[.,]\d{3}){0,3}(?:[.,]\d{1,2})?(?:\s?(?:[$€£¥%]|USD|EUR|GBP))?"
)


class SafeText(NamedTuple):
    """A text with surrogates in it, and where it is doubtful."""

    text: str
    doubts: tuple[tuple[int, int], ...] = ()

    @property
    def hidden(self) -> str:
        """The text without what is doubtful."""
        return without_spans(self.text, self.doubts, HIDDEN)


def without_spans(text: str, spans: tuple[tuple[int, int], ...], mark: str) -> str:
    """The text with a mark, repeated for each letter if it is one, in place of each span."""
    for start, end in sorted(spans, reverse=True):
        text = text[:start] + (mark * (end - start) if len(mark) == 1 else mark) + text[end:]
    return text


def pseudonymised(
    raw: RawTicket, key: bytes, known: KnownWords = ONLY_COMMON, region: str = "US"
) -> SupportTicket:
    """The ticket as it may be written; a Problem without any of its text if anything goes wrong."""
    try:
        made = _Pseudonymiser(raw, key, known, region).ticket()
        return read_back(made, SupportTicket)
    except Problem:
        raise
    except Exception as error:  # Whatever it says may have text of the ticket in it.
        why = f"cannot be pseudonymised ({type(error).__name__})"
        raise Problem(f"{why}; it is left out.", place=raw.place) from None


class _Pseudonymiser:
    """Makes surrogates for one ticket."""

    def __init__(self, raw: RawTicket, key: bytes, known: KnownWords, region: str) -> None:
        self._raw = raw
        self._known = known
        ticket = raw.ticket
        acts = [event.act for event in ticket.events if event.act]
        told = (value for act in acts for value in (act.arguments, _parsed(act.result)))
        people = [*dict.fromkeys((*ticket.people, *(one for value in told for one in people_in(value))))]
        if len(people) > MOST_PEOPLE:
            why = f"has more than {MOST_PEOPLE} people"
            raise Problem(f"{why}; it is left out.", place=raw.place)
        values = sum(len(one.emails + one.phones + one.addresses + one.ids) for one in people)
        if values + len(raw.numbers) > MOST_VALUES:
            why = f"has more than {MOST_VALUES:,} addresses and numbers"
            raise Problem(f"{why}; it is left out.", place=raw.place)
        numbers = (*raw.numbers, *([ticket.id] if any(map(str.isdigit, ticket.id)) else []))
        self._people = OwnPeople(people, numbers, known)
        self._surrogates = Surrogates(key, ticket.id, region)
        self._year = next((event.at.year for event in ticket.events if event.at), 2024)

    def ticket(self) -> SupportTicket:
        """The ticket with surrogates."""
        old = self._raw.ticket
        asked = answers(old)
        made = replace(
            old,
            id=self._surrogates.ticket,
            events=tuple(self._event(*pair) for pair in zip(old.events, asked, strict=True)),
            people=tuple(map(self._person, old.people)),
            subject=self.safe(old.subject).hidden,
            kind=self._field(old.kind),
            tags=tuple(map(self._field, old.tags)),
            status=self._field(old.status),
            satisfaction=self._field(old.satisfaction),
            approved=False,
        )
        if any(map(self._people.leftover, texts_of(made))):
            raise Problem("still names a person in its fields; it is left out.", place=self._raw.place)
        return made

    def _event(self, event: TicketEvent, is_answer: bool) -> TicketEvent:
        safe = self.safe(event.text, is_answer=is_answer)
        tag = _MODEL_TAG.match(event.text) if event.who == "bot" else None
        lead = tag[1] if tag else ""
        return replace(
            event,
            text=lead + safe.text,
            doubts=tuple((start + len(lead), end + len(lead)) for start, end in safe.doubts),
            at=event.at and event.at + timedelta(weeks=self._surrogates.weeks),
            act=event.act and self._act(event.act),
            attachments=tuple(
                f"file-{place}{_ending(name)}" for place, name in enumerate(event.attachments, start=1)
            ),
        )

    def _act(self, act: TicketAct) -> TicketAct:
        arguments = self._inner(act.arguments, "", is_hidden_person=False)
        return replace(act, name=self._field(act.name), arguments=arguments, result=self._result(act.result))

    def _result(self, result: str) -> str:
        """JSON is like arguments; of any other text only common words stay."""
        held = _parsed(result)
        if held is None:
            return self._text(result, "")
        if isinstance(held, str):
            return self._text(held, "")
        return msgspec.json.encode(self._value(held, "")).decode()

    def _inner(self, held: dict[Any, Any], key: str, *, is_hidden_person: bool) -> dict[str, Any]:
        """The values of an object. `is_hidden_person`: it is about a person."""
        made: dict[str, Any] = {}
        for name, value in held.items():
            said = str(name)
            is_loose = is_hidden_person and not isinstance(value, dict | list) and not personal(said)
            made[self._field(said)] = HIDDEN if is_loose else self._value(value, f"{said}", key)
        return made

    def _value(self, value: Any, key: str, outer: str = "") -> Any:
        """A value in an act's arguments. `outer`: the key of what it is in."""
        if value is None or value == "":
            return value
        if is_hidden(key):
            return HIDDEN
        if isinstance(value, dict):
            about = personal(key) or personal(outer)
            return self._inner(
                value, key if personal(key) else outer, is_hidden_person=about not in ("", "ids")
            )
        if isinstance(value, list | tuple):
            return [self._value(inner, key, outer) for inner in value]
        if isinstance(value, bool):
            return value
        return self._number(value, key) if isinstance(value, int | float) else self._text(str(value), key)

    def _number(self, value: float, key: str) -> Any:
        """A number: small ones, amounts and counts stay, times are moved."""
        if is_time(key) and 10**9 <= value < 10**13:
            return value + self._surrogates.weeks * 604_800 * (1000 if value >= 10**11 else 1)
        if personal(key):
            return self._text(str(value), key)
        is_short = abs(value) < 1000 or (abs(value) < LARGEST_AMOUNT and is_amount(key))
        if round(value, 2) != value or (not is_short and round(value) != value):
            return HIDDEN
        if is_short:
            return value
        whole = str(int(value))
        made = self.safe(whole).hidden
        made = self._surrogates.of("number", made) if made == whole else made
        return int(made) if made.isdecimal() else made

    def _text(self, value: str, key: str) -> str:
        """A text that stays only if it is of common words, or wholly of what has a surrogate."""
        text = without_secrets(plain(value)).strip()
        match personal(key):
            case "emails":
                return self._surrogates.email(text)
            case "phones":
                return self._surrogates.phone(text)
            case "addresses":
                return self._surrogates.address(text)
            case "ids":
                made = self.safe(text).hidden
                return self._surrogates.of(kind_of_id(text), text) if made == text else self._sure(text)
            case "name":
                return self._name(text) or HIDDEN
        if is_plain(text, self._known, self._people.parts) or not text or _COUNT.fullmatch(text):
            return text
        if is_amount(key) and _AMOUNT.fullmatch(text) and sum(map(str.isdecimal, text)) < 10:
            return text
        if stamp := _STAMP.fullmatch(text):
            return self.safe(stamp[1]).hidden + stamp[2]
        return self._sure(text)

    def _sure(self, text: str) -> str:
        """The surrogates of a text, if all else in it is common words."""
        if len(text) > LONGEST:
            return HIDDEN
        found = [*identifiers_in(text, months_first=self._surrogates.months_first)]
        found += [one.found for one in self._people.names_in(text) if one.key]
        rest = without_spans(text, tuple((one.start, one.end) for one in _merged(found)), " ").strip()
        if rest and not is_plain(rest, self._known, self._people.parts):
            return self._token(text)
        return self.safe(text).hidden if found else self._token(text)

    def _token(self, text: str) -> str:
        """The token that replaces a possible name, so that equal values can still be counted."""
        return f"word-{self._surrogates.digest('word', folded(text)).hex()[:6]}"

    def _person(self, person: TicketPerson) -> TicketPerson:
        return replace(
            person,
            name=self._name(plain(person.name)),
            emails=tuple(map(self._surrogates.email, map(plain, person.emails))),
            phones=tuple(map(self._surrogates.phone, map(plain, person.phones))),
            addresses=tuple(map(self._surrogates.address, map(plain, person.addresses))),
            ids=tuple(self._surrogates.of(kind_of_id(one), one) for one in map(plain, person.ids)),
        )

    def _name(self, name: str) -> str:
        """The surrogate of a whole name, word by word as it is found in texts."""
        words = []
        for word in WORD.findall(name):
            part = self._people.parts.get(folded(word))
            if part:
                words.append(self._surrogates.name(part.kind, word, part.word))
            elif folded(word) in DESK:
                words.append(word)
        return " ".join(words)

    def _field(self, text: str) -> str:
        """A word of the desk, such as a tag: it stays if all of its words are common ones."""
        bare = without_secrets(plain(text)).strip()
        if not bare or is_plain(bare, self._known, self._people.parts):
            return bare
        return self._token(bare)

    def safe(self, text: str, *, is_answer: bool = False) -> SafeText:
        """A text with surrogates, and the places that stay doubtful."""
        if len(text) > LONGEST:
            why = f"has a text of more than {LONGEST:,} characters"
            raise Problem(f"{why}; it is left out.", place=self._raw.place)
        text = without_secrets(plain(text))
        named = [*self._people.names_in(text)]
        keys = {(one.found.start, one.found.end): one.key for one in named if one.key}
        found = [*identifiers_in(text, months_first=self._surrogates.months_first)]
        found += [one.found for one in named if one.key]
        doubts = [(one.found.start, one.found.end) for one in named if not one.key]
        doubts += doubts_in(text, self._known, is_answer=is_answer)
        return self._made(text, [*_merged(found)], keys, clusters(doubts, text))

    def _made(
        self,
        text: str,
        found: list[FoundIdentifier],
        keys: dict[tuple[int, int], str],
        doubts: list[tuple[int, int]],
    ) -> SafeText:
        """Put the surrogates in, and move the doubts to where they are then."""
        parts: list[str] = []
        places: list[tuple[int, int]] = []
        at = length = 0

        def keep(end: int) -> None:
            """The text as it is up to here, with its doubts."""
            for start, stop in doubts:
                low, high = max(start, at), min(stop, end)
                if text[low:high].strip():
                    places.append((length + low - at, length + high - at))
            parts.append(text[at:end])

        for one in found:
            keep(one.start)
            length += one.start - at
            parts.append(self._surrogate(text[one.start : one.end], one, keys.get((one.start, one.end), "")))
            length, at = length + len(parts[-1]), one.end
        keep(len(text))
        return SafeText("".join(parts), tuple(places))

    def _surrogate(self, text: str, found: FoundIdentifier, key: str) -> str:
        if found.kind in ("given", "family", "city"):
            made = self._surrogates.name(found.kind, text, key)
            return made[0] if len(text) == 1 and text.isascii() else made
        return self._surrogates.of(found.kind, text, self._year)


def with_surrogates(text: str, surrogates: Surrogates, key: str = "") -> str:
    """What the desk's owner wrote, with surrogates by what the key says, otherwise by the text's shape.

    Short numbers stay: a shop has them in the names of its goods.
    """
    parts = key_parts(key)
    if personal(key) == "name":
        kinds = chain[IdentifierKind](["given"], repeat("family"))
        return " ".join(
            surrogates.name(kind, word) for kind, word in zip(kinds, WORD.findall(text), strict=False)
        )
    if parts & TOWNS:
        return surrogates.name("city", text)
    if parts & CODES:
        return surrogates.shaped(text)
    found = _merged([*identifiers_in(text, months_first=surrogates.months_first)])
    for one in reversed([*found]):
        said = text[one.start : one.end]
        if one.kind != "number" or sum(map(str.isdecimal, said)) >= LONG_NUMBER:
            text = text[: one.start] + surrogates.of(one.kind, said) + text[one.end :]
    return text


def _merged(found: list[FoundIdentifier]) -> Iterator[FoundIdentifier]:
    """Without overlaps: what overlaps is one place, of the most telling kind in it."""
    last: FoundIdentifier | None = None
    for one in sorted(found):
        if last and one.start < last.end:
            kind = min(last.kind, one.kind, key=_RANK.__getitem__)
            last = FoundIdentifier(last.start, max(last.end, one.end), kind)
            continue
        if last:
            yield last
        last = one
    if last:
        yield last


def _parsed(result: str) -> Any:
    """What a result in JSON holds; None: it is another text."""
    try:
        return msgspec.json.decode(result)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return None


def _ending(name: str) -> str:
    """The end of a file's name, if it is an ordinary one."""
    found = PurePath(name).suffix.lower()
    return found if found in _ENDINGS else ""


def texts_of(ticket: SupportTicket, *, mark: str = "\n") -> Iterator[str]:
    """Every text of a ticket that may be read: without what is doubtful."""
    yield from (ticket.subject, ticket.kind, *ticket.tags, ticket.status, ticket.satisfaction)
    for event in ticket.events:
        yield without_spans(event.text, event.doubts, mark)
        if event.act:
            yield event.act.name
            yield event.act.result
            yield str(event.act.arguments)


def shown(ticket: SupportTicket) -> SupportTicket:
    """The ticket as anyone but its reviewer may see it: without its doubtful words until it is approved."""
    if ticket.approved:
        return ticket
    events = (
        replace(event, text=without_spans(event.text, event.doubts, UNREAD), doubts=())
        for event in ticket.events
    )
    return replace(ticket, events=tuple(events))
