"""Doubts: words that may identify a person, although no rule finds them. A person decides on them."""

import re
from collections.abc import Iterable, Iterator

from supportagentbench.records.ticket import SupportTicket
from supportagentbench.tickets.folding import WORD, folded, letters_apart, mixes_scripts, plain
from supportagentbench.tickets.known_words import ONLY_COMMON, KnownWords
from supportagentbench.tickets.word_lists import DESK, LISTS, any_of, common_words, words

_STRONG = re.compile(any_of(LISTS.name_cues) + r"[ \t]*[:,-]?\s{0,3}", re.IGNORECASE)
_WEAK = re.compile(any_of(LISTS.weak_cues) + r"[ ,:!-]{1,3}", re.IGNORECASE)
_CASELESS = re.compile(r"[\u0590-\u1aff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\U00020000-\U0003ffff]")
"""Letters of scripts without capitals, in which no rule tells a name from another word: all is doubtful."""
_ASKED = re.compile(any_of(LISTS.asked), re.IGNORECASE)
_ALSO_NAMES, _NO_NAMES = words(LISTS.also_names), words(LISTS.no_names)
_HOUSE = re.compile(r"(?<![\w.,$€£])\d{1,5}[a-z]?\s+(?=[^\W\d_])", re.IGNORECASE)

KNOWN = 0.5
"""Share of common words below which the language of a text is not known, and all of it is doubtful."""
FEW = 3
"""Words of a very short text, in which every word that is not common is doubtful."""

ANSWER = 8
"""Words of a message that is surely the answer to the question of the desk."""


def doubts_in(text: str, known: KnownWords, *, is_answer: bool = False) -> Iterator[tuple[int, int]]:
    """Places in the text that may identify a person. `is_answer`: the desk has just asked for that."""
    yield from letters_apart(text)
    yield from _after_names(text, known)
    yield from _perhaps_named(text, known)
    found_words = [*WORD.finditer(text)]
    is_short = is_answer and len(found_words) <= ANSWER and "?" not in text
    common = [known.is_common(folded(one[0])) for one in found_words if one[0].isalpha()]
    if len(common) > FEW and sum(common) < KNOWN * len(common):  # No rule knows this language.
        yield 0, len(text)
        return
    last = -1
    for found in found_words:
        is_next = text[last : found.start()] == " " and last > 0
        if _is_doubtful(text, found, known, is_short) or (
            is_next and not known.is_common(folded(found[0])) and found[0].isalpha()
        ):
            last = found.end()
            yield found.span()


def _is_doubtful(text: str, found: re.Match[str], known: KnownWords, is_short: bool) -> bool:
    """Whether one word may be a name. `is_short`: of an answer."""
    word, bare = found[0], folded(found[0])
    if word.isdecimal():
        return is_short
    if mixes_scripts(word) or bare in known.names or _CASELESS.search(word):
        return True
    if known.is_common(bare):
        before = text[max(0, found.start() - 40) : found.start()].split("\n")[-1]
        is_inside = re.search(r"[^\s.!?:;\"“”'()\[\]>*-]\s*['\"“(]*$", before)
        return bool(word.istitle() and is_inside and bare in _ALSO_NAMES)
    return is_short or (len(word) > 1 and word[0].isupper()) or _is_user(word) or len(word) > 3


def _after_names(text: str, known: KnownWords) -> Iterator[tuple[int, int]]:
    """What follows a word after which a name comes almost surely."""
    for cue in _STRONG.finditer(text):
        for place, found in enumerate(_following(text, cue.end(), 3)):
            bare, is_first = folded(found[0]), found[0][0].isupper() and place == 0
            if known.is_common(bare) and bare not in _ALSO_NAMES and not is_first:
                break
            if bare not in _NO_NAMES:
                yield found.span()


def _perhaps_named(text: str, known: KnownWords) -> Iterator[tuple[int, int]]:
    """What follows a word after which a name is not rare, and a number as before a street."""
    for cue in _WEAK.finditer(text):
        for found in _following(text, cue.end(), 2):
            bare = folded(found[0])
            if known.is_common(bare) and not (found[0][0].isupper() and bare in _ALSO_NAMES):
                break
            if found[0][0].isupper() or not found[0].isascii():
                yield found.span()
    for cue in _HOUSE.finditer(text):  # A street without a word such as `street`.
        for found in _following(text, cue.end(), 3):
            if known.is_common(folded(found[0])):
                break
            yield found.span()


def _following(text: str, start: int, most: int) -> Iterator[re.Match[str]]:
    """The words from here on, as long as only spaces, dots, hyphens and apostrophes are between them."""
    for _ in range(most):
        found = WORD.match(text, start)
        if found is None:
            return
        yield found
        gap = re.compile(r"[ .'’-]{1,2}").match(text, found.end())
        if gap is None:
            return
        start = gap.end()


def _is_user(word: str) -> bool:
    """Whether it is letters with digits at the end, as in the name of an account."""
    return bool(re.fullmatch(r"[^\W\d_]{2,}\d{1,4}", word))


def answers(ticket: SupportTicket) -> list[bool]:
    """By event, whether the desk's last message asked for what tells who a customer is."""
    found, asked = [], False
    for event in ticket.events:
        if event.kind == "message" and event.who != "customer":
            asked = bool(_ASKED.search(event.text))
        found.append(asked and event.who == "customer")
    return found


def named_in(ticket: SupportTicket, texts: list[str]) -> Iterator[str]:
    """Folded words of a ticket that are surely names: with a capital, after a cue or in an answer."""
    for text, is_answer in zip(texts, answers(ticket), strict=True):
        spans = [*_after_names(text, ONLY_COMMON)]
        said = [*WORD.finditer(text)]
        if is_answer and 2 <= len(said) <= 3 and all(one[0].istitle() for one in said):
            spans += [one.span() for one in said]
        for start, end in spans:
            yield from (
                folded(one) for one in WORD.findall(text[start:end]) if len(one) > 2 and one[0].isupper()
            )


def known_words_of(tickets: Iterable[SupportTicket]) -> KnownWords:
    """The names that all tickets of an import show."""
    names: set[str] = set()
    for ticket in tickets:
        texts = [plain(event.text) for event in ticket.events]
        names.update(folded(one[0]) for person in ticket.people for one in WORD.finditer(plain(person.name)))
        names.update(named_in(ticket, texts))
    return KnownWords(frozenset(names - common_words() - DESK))
