"""Draft: a message as a model wrote it, and everything wrong with it before it is sent.

The ledger has decided what is said. A draft that says more, less or something else has a fault with a
name. What yes, no and goodbye sound like is in the grammar of customers' words; in a language without one
only language-independent things are checked: numbers, e-mail addresses, stop words, copied instructions.
"""

import re
from collections.abc import Callable, Iterator
from functools import cache, cached_property, lru_cache
from typing import Literal, NamedTuple, get_args
from unicodedata import normalize

from supportagentbench.customer.sanitize import relayed, stop_words
from supportagentbench.customer.voice import Move, MoveKind, TurnPlan, phrase_book
from supportagentbench.language.customer import customer_language, customer_languages, plain
from supportagentbench.language.reader import Reader

FaultKind = Literal[
    "empty",
    "stop_word",
    "too_long",
    "wrong_language",
    "verbatim_instruction",
    "role_flip",
    "policy_talk",
    "goodbye_loop",
    "contradiction",
    "invented_fact",
    "early_reveal",
    "missing_move",
]

LONGEST = 4_000
"""Characters beyond which only the length is checked: junk must stay cheap."""

ROOM = 240
"""Characters a message may have beyond twice its given words."""

COPIED = 5
"""This many words in a row from the instructions are not an accident."""

STRANGE = 3
"""Up to this many new words are a manner of speaking; more of them tell a story."""

TELLING = 0.4
"""The share of a sentence's own words that reveals it."""

KEPT = 0.3
KEPT_IF_WEIGHTY = 0.5
"""The share of a sentence's own words that has to come through."""


class DraftFault(NamedTuple):
    """One thing wrong with a draft, and the words that show it."""

    kind: FaultKind
    words: str = ""


def faults_in(
    raw: str, part: TurnPlan, language: str, reader: Reader, instructions: str = ""
) -> tuple[DraftFault, ...]:
    """Everything wrong with these words for this part; empty if they may be sent."""
    draft = DraftReading(raw, part, language, reader, instructions)
    if not re.search(r"\w", draft.text):
        return (DraftFault("empty"),)
    if len(draft.text) > LONGEST:
        return (DraftFault("too_long", f"{len(draft.text)} characters"),)
    return tuple(
        DraftFault(kind, words.strip()[:80])
        for kind, check in CHECKS.items()
        if (words := next(check(draft), None)) is not None
    )


class DraftReading:
    """A draft with everything it is checked against, each ready to be searched."""

    def __init__(self, raw: str, part: TurnPlan, language: str, reader: Reader, instructions: str) -> None:
        self.raw = raw
        self.reader = reader
        self.text = relayed(raw)
        self.part = part
        self.language = language
        self.instructions = instructions
        self.tongue = customer_language(language)
        self.said = plain(self.text, language)
        files = [file.name for file in part.shows]
        self.given = plain("\n".join([part.given, *files]), language)
        self.withheld = [plain(sentence, language) for sentence in part.withheld]

    @cached_property
    def own(self) -> str:
        """The customer's words so far, and those it is given now."""
        return " ".join([*(plain(text, self.language) for text in self.spoken), self.given])

    @cached_property
    def known(self) -> str:
        """Everything said or shown so far, and what is due now."""
        turns = self.part.talk
        texts = [turn.text for turn in turns] + [file.name for turn in turns for file in turn.attachments]
        return " ".join([*(plain(text, self.language) for text in texts), self.given])

    @cached_property
    def loose(self) -> str:
        """The sentences of the draft that are not wordings of the given ones."""
        given = stems(self.given, self.language)
        found = [(one, stems(one, self.language)) for one in re.split(r"(?<=[.!?。！？…])\s*", self.said)]
        return " ".join(one for one, words in found if len(words & given) <= len(words) / 2)

    @property
    def spoken(self) -> list[str]:
        return [turn.text for turn in self.part.talk if turn.party == "customer"]

    def does(self, kind: MoveKind) -> bool:
        return any(move.kind == kind for move in self.part.moves)

    def hits(self, table: str, excuse: str = "", *, loose: bool = False) -> Iterator[str]:
        """Where the draft uses a wording of this table that the excuse does not."""
        if self.tongue:
            for found in self.tongue.patterns[table].finditer(self.loose if loose else self.said):
                if found[0] not in excuse:
                    yield found[0]


# The checks: each yields the words that show its fault.


def _stop_word(draft: DraftReading) -> Iterator[str]:
    yield from (word for word in stop_words(draft.raw) if word.lower() not in draft.given)


def _too_long(draft: DraftReading) -> Iterator[str]:
    if len(draft.text) > ROOM + 2 * len(draft.given):
        yield f"{len(draft.text)} characters"


def _wrong_language(draft: DraftReading) -> Iterator[str]:
    kana, han = re.search(r"[\u3040-\u30ff]", draft.text), re.search(r"[\u4e00-\u9fff]{2}", draft.text)
    if re.search(r"[\u0400-\u04ff\uac00-\ud7af\u0600-\u06ff]{2}", draft.text):
        yield draft.text
    elif draft.language == "ja":
        if not kana and re.search(r"[^\W\d_]{2}", draft.text):
            yield draft.text
    elif kana or han:
        yield draft.text
    elif draft.tongue:
        words = _words(draft.text)
        new = [word for word in words if word not in _vocabulary(draft.known)]
        for other in [tongue for name, tongue in customer_languages().items() if name != draft.language]:
            theirs = sum(other.owns(word) for word in new if word not in draft.tongue.common)
            ours = sum(draft.tongue.owns(word) for word in words if word not in other.common)
            if theirs > max(1, ours):
                yield draft.text


def _verbatim_instruction(draft: DraftReading) -> Iterator[str]:
    if found := re.search(r"[{\[]\s*\"\w+\"\s*:", draft.raw):
        yield found[0]
    instructions, words = f" {' '.join(_words(draft.instructions))} ", _words(draft.text)
    runs = (f" {' '.join(words[at : at + COPIED])} " for at in range(len(words) - COPIED + 1))
    yield from (run for run in runs if run in instructions)


def _role_flip(draft: DraftReading) -> Iterator[str]:
    """The shop's phrases, and whatever only a desk proposes, does or has to tell."""
    yield from draft.hits("shop", draft.own)
    shop = re.escape(draft.reader.vocabulary.shop.lower())
    yield from re.findall(rf"(?<!\w){shop} (?:support|team|customer)(?!\w)", draft.said) if shop else ()
    own = [draft.reader.heard(words, draft.language) for words in (draft.part.given, *draft.spoken)]
    draft_says, loose_says = (
        draft.reader.heard(words, draft.language) for words in (draft.text, draft.loose)
    )
    desk_news = {news.name for news in draft.reader.vocabulary.news if news.desk_only}
    yield from sorted(set(draft_says.offers).difference(*(heard.offers for heard in own)))
    yield from sorted(set(draft_says.done).difference(*(heard.done for heard in own)))
    yield from sorted((set(loose_says.tells) & desk_news).difference(*(heard.tells for heard in own)))


def _policy_talk(draft: DraftReading) -> Iterator[str]:
    yield from draft.hits("machine", draft.known)


def _goodbye_loop(draft: DraftReading) -> Iterator[str]:
    """A goodbye before it is time, or one more after it was said."""
    if not draft.part.leaves:
        yield from draft.hits("goodbye", draft.given)
    elif draft.tongue:
        answers = [plain(text, draft.language) for text in draft.spoken[1:]]
        if any(draft.tongue.patterns["goodbye"].search(text) for text in answers):
            yield from draft.hits("goodbye")


def _contradiction(draft: DraftReading) -> Iterator[str]:
    """Words that contradict the decision: a yes or a no, a file, a satisfied customer."""
    confirms, declines, leaves = draft.does("confirm"), draft.does("decline"), draft.part.leaves
    if confirms and not declines:
        yield from draft.hits("no", draft.given)
        yield from draft.hits("negation", loose=True)
    if declines and not confirms and draft.tongue and (yes := draft.tongue.patterns["yes"].match(draft.said)):
        yield yes[0]
    if not confirms and not leaves:
        yield from draft.hits("go_ahead", draft.given)
    if draft.part.shows:
        yield from draft.hits("lacking", draft.given)
    elif not any(turn.attachments for turn in draft.part.talk):
        yield from draft.hits("attached", draft.own)
    if draft.does("no_proof"):
        yield from draft.hits("promise", draft.given)
    if not leaves:
        yield from draft.hits("settled", draft.own)
    yield from _turned_round(draft)


def _turned_round(draft: DraftReading) -> Iterator[str]:
    """A weighty sentence that lost its "not"."""
    weighty = [plain(move.says, draft.language) for move in draft.part.moves if move.weighty]
    negation = draft.tongue and draft.tongue.patterns["negation"]
    if negation and any(map(negation.search, weighty)) and not negation.search(draft.said):
        yield draft.text


def _invented_fact(draft: DraftReading) -> Iterator[str]:
    """Values that have not come up, or an invented story."""
    ledger = " ".join(draft.withheld)
    yield from (value for value in _new_values(draft) if not _stands_in(value, ledger, draft))
    said = stems(draft.said, draft.language)
    new = said - stems(draft.known, draft.language) - stems(ledger, draft.language) - _phrased(draft.language)
    if len(new) > max(STRANGE, KEPT * len(said)):
        yield " ".join(sorted(new))


def _early_reveal(draft: DraftReading) -> Iterator[str]:
    """Something of the ledger whose time has not come."""
    ledger = " ".join(draft.withheld)
    yield from (value for value in _new_values(draft) if _stands_in(value, ledger, draft))
    # What an agent guesses is not yet admitted: only the customer's own words excuse it.
    said, own = stems(draft.said, draft.language), stems(draft.own, draft.language)
    for sentence in draft.withheld:
        telling = stems(sentence, draft.language) - own
        found = telling & said
        if len(found) >= 2 and len(found) >= TELLING * len(telling):
            yield " ".join(sorted(found))


def _missing_move(draft: DraftReading) -> Iterator[str]:
    """Something decided that the words do not say."""
    for move in draft.part.moves:
        yield from (value for value in _values(move.says) if not _stands_in(value, draft.said, draft))
        if move.says and move.kind not in ("thank", "leave"):
            yield from _lost(move, draft)
        elif draft.tongue and not _sounds_like(move, draft):
            yield move.kind


def _lost(move: Move, draft: DraftReading) -> Iterator[str]:
    """The names and the meaning of a given sentence that are missing."""
    names, wanted = _names(move.says, draft.language), stems(plain(move.says, draft.language), draft.language)
    lost = [name for name in names if not _stands_in(name, draft.said, draft)]
    if len(lost) > TELLING * len(names):
        yield " ".join(lost)
    kept = wanted & stems(draft.said, draft.language)
    if len(kept) < (KEPT_IF_WEIGHTY if move.weighty else KEPT) * len(wanted):
        yield " ".join(sorted(wanted - kept))


def _sounds_like(move: Move, draft: DraftReading) -> bool:
    """Whether a freely phrased move can be recognized."""
    told = any(next(draft.hits(table), None) for table in _TOLD_BY.get(move.kind, ("goodbye",)))
    if told or move.kind in ("confirm", "decline"):
        return told
    if draft.language == "ja":
        return True  # Its words are not separated by blanks.
    asks = move.kind in ("nudge", "silence", "unknown") and "?" in draft.said
    words = _phrases(draft.language, move.kind) | _vocabulary(plain(move.says, draft.language))
    return asks or not words.isdisjoint(_words(draft.said))


_TOLD_BY: dict[MoveKind, tuple[str, ...]] = {
    "confirm": ("yes",),
    "decline": ("no", "negation"),
    "unknown": ("negation",),
}
"""The tables that recognize a move; last words are recognized by a goodbye."""


CHECKS: dict[FaultKind, Callable[[DraftReading], Iterator[str]]] = {
    "stop_word": _stop_word,
    "too_long": _too_long,
    "wrong_language": _wrong_language,
    "verbatim_instruction": _verbatim_instruction,
    "role_flip": _role_flip,
    "policy_talk": _policy_talk,
    "goodbye_loop": _goodbye_loop,
    "contradiction": _contradiction,
    "invented_fact": _invented_fact,
    "early_reveal": _early_reveal,
    "missing_move": _missing_move,
}


# Values: whatever in a message can only be right or wrong.

_VALUE = re.compile(
    r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64})+|(?:https?://|www\.)\S+"
    r"|(?<![\w-])[\w-]{1,64}\.(?:jpe?g|png|pdf|heic)\b"
    r"|(?<!\w)(?=[a-z]{0,64}\d)[a-z0-9]{2,}(?!\w)|\d+(?:[.,]\d+)*"
)
_UNIT = re.compile(r"(\d+)(?:st|nd|rd|th|am|pm|x|h|hrs?|k|cm|mm|kg|g|l|m|km|mins?|s)")
_FIRM = re.compile(r"\b(?:UPS|DHL|FedEx|USPS|DPD|Evri|GLS|TNT|PayPal|Klarna|Amazon|eBay|Trustpilot)\b")
_NAME = re.compile(r"(?<=[\w,;)'’]) +([^\W\d_][^\W\d_'’]+)")
"""A word inside a sentence."""
_TITLES = (
    "english ok okay hi hello dear sir madam mr mrs ms miss yes no please thanks thank god"
    " ud uds usted ustedes vd dios monsieur madame pan pani panu pana panią państwo państwa państwu wam was"
    " senhor senhora sr sra"
)
_NO_NAME = frozenset(_TITLES.split())
_FREE = ("1", "100")
"""Numbers that need no source: one is an article, a hundred per cent a manner of speaking."""


@lru_cache(maxsize=256)
def _values(text: str) -> tuple[str, ...]:
    """Numbers, codes, e-mail addresses, links and file names, as they are compared."""
    return tuple(_value(found[0]) for found in _VALUE.finditer(normalize("NFKC", text).lower()))


def _value(token: str) -> str:
    if unit := _UNIT.fullmatch(token):
        return unit[1]
    token = token.rstrip(".,-")
    return re.sub(r"[.,]00$", "", token) if token[0].isdigit() else token


def _names(text: str, language: str) -> list[str]:
    """Words with a capital letter inside a sentence; where that says nothing, none."""
    if language in ("de", "ja"):
        return []
    found = [name[1] for name in _NAME.finditer(text) if name[1][0].isupper() and not name[1].isupper()]
    return [name.lower() for name in found if name.lower() not in _NO_NAME]


def _new_values(draft: DraftReading) -> Iterator[str]:
    """The values of a draft that neither occur in the conversation nor are due now."""
    found = [*_values(draft.text), *_names(draft.text, draft.language), *_FIRM.findall(draft.text)]
    if draft.tongue:
        figures = {*draft.tongue.numbers, *draft.tongue.colours}
        found += [word for word in _words(draft.said) if word in figures]
        found += [time[0] for time in draft.tongue.patterns["times"].finditer(draft.said)]
    yield from (value for value in found if not _stands_in(value.lower(), draft.known, draft))


def _stands_in(value: str, text: str, draft: DraftReading) -> bool:
    """Whether a text gives this value, in digits or spelled out; for a time, its last word is enough."""
    values, words = _values(text), _vocabulary(text)
    numbers = draft.tongue.numbers if draft.tongue else {}
    if value in _FREE or value in values:
        return True
    if value in numbers:
        return value in words or str(numbers[value]) in values
    if value.isdigit():
        return any(numbers.get(word) == int(value) for word in words)
    if re.fullmatch(r"\S*[@/.\d]\S*", value):
        return False  # Codes and addresses are the same letter by letter, or they are others.
    return value in text if draft.language == "ja" else _words(value)[-1] in words


# Words.


@lru_cache(maxsize=256)
def stems(text: str, language: str) -> frozenset[str]:
    """The words of a plain text that carry its sense, cut to what their forms share."""
    if language == "ja":
        return frozenset(re.findall(r"[\u4e00-\u9fff]{2}|[\u30a1-\u30ff]{3,}|[a-z]{3,}", text))
    tongue = customer_language(language)
    if tongue is None:
        return frozenset()
    return frozenset(word[:5] for word in re.findall(r"[^\W\d_]{3,}", text) if not tongue.is_slight(word))


@cache
def _phrased(language: str) -> frozenset[str]:
    """What any customer may say: the words of the phrase book."""
    return frozenset[str]().union(
        *(stems(" ".join(_phrases(language, kind)), language) for kind in get_args(MoveKind))
    )


@cache
def _phrases(language: str, kind: MoveKind) -> frozenset[str]:
    """The words of the phrase book for this move, in all manners."""
    stock = [one for manner in phrase_book().get(language, {}).values() for one in manner.get(kind, ())]
    return frozenset(word for word in _words(plain(" ".join(stock), language)) if len(word) > 3)


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text.lower())


@lru_cache(maxsize=256)
def _vocabulary(text: str) -> frozenset[str]:
    return frozenset(_words(text))
