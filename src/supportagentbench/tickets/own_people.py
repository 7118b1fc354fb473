"""Own people: the people in the fields of a ticket, found again wherever its text names them."""

import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import NamedTuple

from supportagentbench.records.ticket import TicketPerson
from supportagentbench.tickets.folding import UNSPACED, WORD, folded, forms, is_near, plain, squeezed
from supportagentbench.tickets.identifiers import FoundIdentifier, IdentifierKind
from supportagentbench.tickets.known_words import KnownWords
from supportagentbench.tickets.word_lists import DESK, LISTS, words

_PARTICLES, _MAILERS = words(LISTS.particles), words(LISTS.mailers)
_HONORIFIC = r"\s?(?:先生|女士|小姐|さん|様|さま|くん|ちゃん|씨|님|คุณ)"


class NamePart(NamedTuple):
    """A word of a person's name."""

    word: str
    """As its field has it: the spelling that its surrogate is made from."""
    kind: IdentifierKind


class FoundName(NamedTuple):
    """A place in a text that names one of them. `key`: the right spelling; empty: only a doubt."""

    found: FoundIdentifier
    key: str


class OwnPeople:
    """The people of one ticket."""

    def __init__(self, people: Iterable[TicketPerson], numbers: Iterable[str], known: KnownWords) -> None:
        self._known = known
        self.parts: dict[str, NamePart] = {}
        """By folded form."""
        self.wholes: dict[str, IdentifierKind] = {}
        """Whole values of fields, squeezed."""
        self._written: set[str] = set()
        """The same with their accents."""
        for number in map(plain, numbers):
            self._whole(number, "own")
        for person in people:
            self._add(person)

    def _add(self, person: TicketPerson) -> None:
        names = [one for one in WORD.findall(plain(person.name)) if folded(one) not in DESK]
        for place, word in enumerate(names):
            kind: IdentifierKind = "given" if place == 0 and len(names) > 1 else "family"
            if folded(word) not in _PARTICLES and (len(word) > 1 or UNSPACED.match(word)):
                self._learn(word, "given" if len(names) == 1 and person.name.count(" ") == 0 else kind)
        self._join([folded(one) for one in names])
        if any(map(UNSPACED.search, names)) and (bare := "".join(names)) and len(bare) > 1:
            self._learn(bare, "family")
        for email in map(plain, person.emails):
            local, _, domain = email.partition("@")
            self._whole(email, "email")
            self._handle(local)
            label = domain.rpartition(".")[0].rpartition(".")[2]
            if person.who == "customer" and label.casefold() not in _MAILERS:
                self._handle(label)
        for value in map(plain, person.ids):
            self._whole(value, kind_of_id(value))
            self._handle(value)
        for phone in map(plain, person.phones):
            self._whole(phone, "phone")
        for address in map(plain, person.addresses):
            for line in (address, *re.split(r"[,\n;]", address)):
                self._whole(line, "address")
            for word in WORD.findall(address):
                if len(word) > 3 and not word.isdecimal() and not self._known.is_common(folded(word)):
                    self.parts.setdefault(folded(word), NamePart(word, "city"))

    def _whole(self, value: str, kind: IdentifierKind) -> None:
        """A value that is found as it is."""
        bare = squeezed(value)
        if len(bare) > 2 and bare not in DESK and bare not in self.parts and not self._known.is_common(bare):
            self.wholes.setdefault(bare, kind)
            self._written |= {bare, "".join(one for one in value.casefold() if one.isalnum())}

    def _learn(self, word: str, kind: IdentifierKind) -> None:
        for form in forms(word):
            self.parts.setdefault(form, NamePart(word, kind))

    def _join(self, words: list[str]) -> None:
        """Names written as one word, and with initials, as in the names of accounts."""
        if len(words) < 2:
            return
        first, last, every = words[0], words[-1], "".join(words)
        for made in (every, first + last, last + first, first[0] + last, last + first[0], first + last[0]):
            if len(made) > 3:
                self.parts.setdefault(made, NamePart(made, "handle"))

    def _handle(self, value: str) -> None:
        """The name of an account, and the words in it."""
        self._whole(value, "handle")
        for word in re.split(r"[\W\d_]+", value):
            if len(word) > 3 and folded(word) not in DESK and not self._known.is_common(folded(word)):
                self.parts.setdefault(folded(word), NamePart(word, "family"))

    def names_in(self, text: str) -> Iterator[FoundName]:
        """Every place that names one of them."""
        yield from self._values(text)
        yield from self._unspaced(text)
        before: FoundName | None = None
        for found in WORD.finditer(text):
            name = self._word(found)
            if name and name.key:
                yield from self._initial(text, *found.span())
            if name:
                yield name
                before = name
        if before is not None or self._initials:
            yield from self._bare_initials(text)

    def _values(self, text: str) -> Iterator[FoundName]:
        """Whole values, also with other signs between their letters."""
        if self._value_pattern:
            for found in self._value_pattern.finditer(text):
                kind = self.wholes.get(squeezed(found[0]), "own")
                yield FoundName(FoundIdentifier(*found.span(), kind), found[0])

    @cached_property
    def _value_pattern(self) -> re.Pattern[str] | None:
        known = (one for one in self._written if len(one) > 3 or one.isdecimal())
        values = sorted(known, key=len, reverse=True)
        if not values:
            return None
        spread = (r"[\W_]{0,3}".join(map(re.escape, one)) for one in values)
        return re.compile(rf"(?<![^\W_])(?:{'|'.join(spread)})(?![^\W_])", re.IGNORECASE)

    def _unspaced(self, text: str) -> Iterator[FoundName]:
        """Names in scripts that put no space between words; one letter only with a title."""
        for part in {one.word: one for one in self.parts.values() if UNSPACED.search(one.word)}.values():
            spread = r"\s?".join(map(re.escape, part.word))
            for found in re.finditer(spread if len(part.word) > 1 else rf"{spread}(?={_HONORIFIC})", text):
                yield FoundName(FoundIdentifier(*found.span(), part.kind), part.word)

    def _word(self, found: re.Match[str]) -> FoundName | None:
        """What one word of a text has to do with a name."""
        word = found[0]
        capital = not word.islower() or not word.isascii()
        for form in forms(word):
            common = self._known.is_common(form)
            for bare in (form, form.removesuffix("s")):
                if part := self.parts.get(bare):
                    sure = capital or not (common or len(word) < 3)
                    end = found.end() - (len(form) - len(bare) if len(form) == len(word) else 0)
                    return FoundName(
                        FoundIdentifier(found.start(), end, part.kind), part.word if sure else ""
                    )
        for form in forms(word):
            if len(form) < 4 or self._known.is_common(form):
                continue
            for name, part in self.parts.items():
                if _is_inside(form, name):
                    return FoundName(FoundIdentifier(*found.span(), "handle"), word)
                inflected = (
                    len(name) > (3 if form[0] > "\u0370" else 4)
                    and form[: len(name) - 1] == name[:-1]
                    and len(form) < len(name) + 4
                )
                if is_near(form, name) or inflected:
                    return FoundName(FoundIdentifier(*found.span(), part.kind), part.word if capital else "")
        return None

    @cached_property
    def _initials(self) -> frozenset[str]:
        return frozenset(one[0] for one, part in self.parts.items() if part.kind in ("given", "family"))

    def _initial(self, text: str, start: int, end: int) -> Iterator[FoundName]:
        """An initial right before or after a name."""
        before = re.search(r"(?<![^\W_])([^\W\d_])(?:\.\s?|\s|['’])$", text[max(0, start - 3) : start])
        after = re.match(r"\s([^\W\d_])(?![^\W_]|['’])", text[end : end + 3])
        for found, at in ((before, max(0, start - 3)), (after, end)):
            if found and folded(found[1]) in self._initials and found[1].isupper():
                yield FoundName(FoundIdentifier(at + found.start(1), at + found.end(1), "given"), found[1])

    def _bare_initials(self, text: str) -> Iterator[FoundName]:
        """Initials alone; surely theirs only with dots."""
        for found in re.finditer(r"(?<![\w.])([^\W\d_])(\.?)\s?([^\W\d_])\.?(?![\w.])", text):
            if (
                found[0].isupper()
                and {folded(found[1]), folded(found[3])} <= self._initials
                and found[1] != found[3]
            ):
                yield FoundName(FoundIdentifier(*found.span(), "given"), found[0] if found[2] else "")

    def leftover(self, text: str) -> bool:
        """Whether a whole name or another long value is still in a text, also with other signs in it."""
        bare = squeezed(text)
        return any(one in bare for one in self._long)

    @cached_property
    def _long(self) -> tuple[str, ...]:
        joined = (one for one, part in self.parts.items() if part.kind == "handle" and len(one) > 8)
        return (*joined, *(one for one in self.wholes if len(one) > 7))


def kind_of_id(value: str) -> IdentifierKind:
    """Whether an account has a name or a number."""
    letters = sum(map(str.isalpha, value))
    return "handle" if letters * 2 > len(value) else "own"


def _is_inside(form: str, name: str) -> bool:
    """Whether a name is part of an unusual word, such as `davidw33`."""
    if len(name) < 4 or name not in form or form == name:
        return False
    rest = form.replace(name, "", 1)
    return any(map(str.isdigit, rest)) or len(rest) == 1 or len(name) > 6
