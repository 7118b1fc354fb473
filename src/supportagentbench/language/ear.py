"""Ear: hears an agent's English message as its customer would.

Tables only know their author's words. An ear is trained on messages that others wrote: every sentence is
scored for each speech act by the words in it and around it, by what the tables read in it, and by what this
customer wants and the desk has done. Weights are whole numbers, so every machine hears the same.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from io import BytesIO
from itertools import compress, pairwise
from pathlib import Path
from typing import NamedTuple
from zipfile import BadZipFile, ZipFile
from zlib import crc32
from zlib import error as ZlibError

import numpy as np
from numpy.typing import NDArray

from supportagentbench.language.english_agent import EnglishAgent, ReadSentence
from supportagentbench.language.listening import Listening
from supportagentbench.language.proposal import asks_for_a_yes, proposes_a_colleague
from supportagentbench.language.speech_act import Understood, proposed
from supportagentbench.records.problem import Problem
from supportagentbench.records.transcript import SpeechActs
from supportagentbench.records.vocabulary import HAND_OVER, TICKET_ACTS, Vocabulary
from supportagentbench.storage.file import read_bounded

ROWS = 1 << 15
"""Features are counted by hash; two that share a row share their weight."""

MOST_BYTES = 32_000_000
"""Bytes of a file of weights, packed or unpacked; the shipped one has 800,000."""
UNREADABLE = (
    *(OSError, ValueError, KeyError, EOFError, MemoryError, OverflowError, NotImplementedError),
    *(BadZipFile, ZlibError),
)
"""What reading a damaged file of weights may raise."""

TOKEN = re.compile(r"https?://\S+|#?\d[\d.,/]*|[^\W\d_]+|[?!:$]")
PARCEL = re.compile(r"\b(?=[a-z]*\d)[a-z0-9]{9,}\b")
ENDINGS = ("ing", "ed", "es", "s", "ly", "e")

Rows = list[int]
"""Features, by their row of the weights; one that counts twice as much is there twice."""

SAID_AGAIN = 4096
"""Sentences whose scores are remembered: much of what an agent writes, it writes again."""

_FIRST, _SECOND, _THIRD = 0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D
"""Odd numbers by which words in a row become one feature."""


class SentenceRows(NamedTuple):
    """The features of one sentence wherever it is said."""

    own: Rows
    after: Rows
    """What it adds to the sentence after it."""
    before: Rows
    """What it adds to the sentence before it."""
    opinions: tuple[str, ...]
    """What tables read in it; every sentence of its message is heard by that."""


class SentenceScores(NamedTuple):
    """The same, added up: what a sentence adds to the scores of each label."""

    own: NDArray[np.float32]
    after: NDArray[np.float32]
    before: NDArray[np.float32]
    opinions: tuple[str, ...]


class EarWeights(NamedTuple):
    """What training found."""

    labels: tuple[str, ...]
    weights: NDArray[np.float32]
    """Whole numbers, so that sums do not depend on their order."""
    thresholds: NDArray[np.float32]


def read_weights(path: Path) -> EarWeights:
    """The weights in a file, which a training script wrote."""
    try:
        packed = BytesIO(read_bounded(path, MOST_BYTES, follow=True))
        with ZipFile(packed) as parts:
            if sum(part.file_size for part in parts.infolist()) > MOST_BYTES:
                raise Problem(f"unpacks to more than {MOST_BYTES:,} bytes; train it again.", place=path)
        packed.seek(0)
        with np.load(packed) as data:
            labels = tuple(str(label) for label in data["labels"])
            weights, thresholds = data["weights"].astype(np.float32), data["thresholds"].astype(np.float32)
    except UNREADABLE as error:
        raise Problem(f"cannot be read as weights of an ear: {error}; train it again.", place=path) from None
    if weights.shape != (ROWS, len(labels)) or thresholds.shape != (len(labels),):
        raise Problem("has weights of another shape than this version reads; train it again.", place=path)
    return EarWeights(labels, weights, thresholds)


class Ear:
    """Hears with one world's weights and words."""

    def __init__(self, weights: EarWeights, tables: EnglishAgent, vocabulary: Vocabulary) -> None:
        self.tables = tables
        self.vocabulary = vocabulary
        self.weights = weights
        self._sentence_scores = lru_cache(SAID_AGAIN)(self._score_sentence)
        self._listening_scores = lru_cache(SAID_AGAIN)(self._score_listening)
        self._opinion_scores = lru_cache(SAID_AGAIN)(self._score_opinions)
        self._place_scores = lru_cache(SAID_AGAIN)(self._score_place)

    def heard(self, message: str, listening: Listening) -> SpeechActs:
        """What the message says to this customer."""
        read = self.tables.by_sentence(message)
        if not read:
            return SpeechActs()
        labels = self.weights.labels
        is_heard = self.scores(read, listening) > self.weights.thresholds
        found = [set(compress(labels, row)) for row in is_heard.tolist()]
        return self._gathered(read, found, listening)

    def scores(self, read: Sequence[ReadSentence], listening: Listening) -> NDArray[np.float32]:
        """The sum of the weights of each sentence's `features`, from sums that are known by sentence."""
        known = [self._sentence_scores(one.text, one.understood) for one in read]
        around = self._listening_scores(listening) + self._opinion_scores(_all_opinions(known))
        found = []
        for place, one in enumerate(known):
            score = one.own + around
            score += self._place_scores(place == 0, place >= len(known) - 2)
            if place:
                score += known[place - 1].after
            if place + 1 < len(known):
                score += known[place + 1].before
            found.append(score)
        return np.array(found)

    def _score_sentence(self, text: str, understood: Understood) -> SentenceScores:
        own, after, before, opinions = _sentence_rows(text, understood)
        picked = self.weights.weights[own + after + before]
        starts = [0, len(own), len(own) + len(after)]
        in_all, in_next, in_last = np.add.reduceat(picked, starts)
        return SentenceScores(in_all, in_next, in_last, opinions)

    def _score_listening(self, listening: Listening) -> NDArray[np.float32]:
        return self._sum(_listening_rows(listening))

    def _score_opinions(self, opinions: tuple[str, ...]) -> NDArray[np.float32]:
        return self._sum(_opinion_rows(opinions))

    def _score_place(self, is_first: bool, is_late: bool) -> NDArray[np.float32]:
        return self._sum(_place_rows(is_first, is_late))

    def _sum(self, rows: Rows) -> NDArray[np.float32]:
        total: NDArray[np.float32] = self.weights.weights[rows].sum(axis=0)
        return total

    def _gathered(
        self, read: Sequence[ReadSentence], found: Sequence[set[str]], listening: Listening
    ) -> SpeechActs:
        """The labels of all sentences as one message, with the acts that are meant."""
        found = [self._put_right(*one, listening) for one in zip(read, found, strict=True)]
        whole = set().union(*found)
        asks, tells = (_named(whole, kind) for kind in ("asks:", "tells:"))
        refuses = "refuses" in whole
        offered = self._meant("offers", read, found, listening)
        offers = offered if "consent" in whole else self._unasked(offered, read, found)
        return SpeechActs(
            asks=tuple(sorted(asks)),
            offers=tuple(sorted(offers)),
            done=tuple(sorted(self._meant("done", read, found, listening) - offered)),
            tells=tuple(sorted(tells)),
            refuses=refuses,
            farewell="farewell" in whole and not asks and not offers,
            consent="consent" in whole or bool(offers),
        )

    def _put_right(self, read: ReadSentence, labels: set[str], listening: Listening) -> set[str]:
        """The labels of one sentence without what they cannot mean together.

        Nobody offers what they refuse in the same breath; and who leaves it to the customer to have a
        colleague decide has not handed anything over, and asks for no other yes.
        """
        text, understood, _ = read
        if "refuses" in labels:
            return labels - {"offers"}
        if proposes_a_colleague(text) and understood.mentioned.isdisjoint(listening.acts):
            labels = labels - {"offers", "consent", f"done:{HAND_OVER}"} | {f"offers:{HAND_OVER}"}
        return labels

    @staticmethod
    def _unasked(offered: set[str], read: Sequence[ReadSentence], found: Sequence[set[str]]) -> set[str]:
        """What is proposed where no sentence was heard to ask for a yes: what tables, too, take for that."""
        known = any(
            (one.leave and f"offers:{HAND_OVER}" not in labels)
            or ("offers" in labels and (one.offers or asks_for_a_yes(text)))
            for (text, one, _), labels in zip(read, found, strict=True)
        )
        refuses = any("refuses" in labels for labels in found)
        return proposed(offered, leave=known and not refuses, refuses=True)

    def _meant(
        self,
        kind: str,
        read: Sequence[ReadSentence],
        found: Sequence[set[str]],
        listening: Listening,
    ) -> set[str]:
        """The acts that are offered or reported: those the customer waits for, or the named ones of them."""
        acts = {
            label.partition(":")[2] for labels in found for label in labels if label.startswith(f"{kind}:")
        }
        spoken = [one for (_, one, _), labels in zip(read, found, strict=True) if kind in labels]
        if not spoken:
            return acts
        named = {act for one in spoken for act in one.mentioned} - set(TICKET_ACTS)
        wanted = set(listening.acts) - set(TICKET_ACTS)
        meant = {act for act in wanted if not named.isdisjoint(self.vocabulary.ways(act))}
        return acts | (meant or wanted or named)


def features(read: Sequence[ReadSentence], listening: Listening) -> list[Rows]:
    """What there is to see in a message, sentence by sentence: what an ear is trained on."""
    known = [_sentence_rows(one.text, one.understood) for one in read]
    around = _listening_rows(listening) + _opinion_rows(_all_opinions(known))
    found = []
    for place, one in enumerate(known):
        rows = [*one.own, *around, *_place_rows(place == 0, place >= len(known) - 2)]
        rows += known[place - 1].after if place else []
        rows += known[place + 1].before if place + 1 < len(known) else []
        found.append(rows)
    return found


def _sentence_rows(text: str, understood: Understood) -> SentenceRows:
    """The words by themselves, in pairs, in threes and with one left out, what tables read, and the shape."""
    words = [_row("<"), *map(_word_row, TOKEN.findall(text)), _row(">")]
    pairs = [(one * _FIRST + two * _SECOND) % ROWS for one, two in pairwise(words)]
    triples = [(pair + word * _THIRD) % ROWS for pair, word in zip(pairs, words[2:], strict=False)]
    around = [(one * _FIRST + two * _THIRD) % ROWS for one, two in zip(words, words[2:], strict=False)]
    asked = [(word + _SECOND) % ROWS for word in words] if "?" in text else []
    opinions = _opinions(understood)
    read = [_row(f"table {one}") for one in opinions]
    shape = [_row(one) for one in _shape(text)]
    own = 2 * (words + pairs + triples + shape) + around + asked + 4 * read
    after, before = ([(word + step) % ROWS for word in words] for step in (1, 2))
    return SentenceRows(own, after, before, tuple(opinions))


def _listening_rows(listening: Listening) -> Rows:
    """What is wanted and was done."""
    return 2 * [_row(one) for one in _brought(listening)]


def _opinion_rows(opinions: tuple[str, ...]) -> Rows:
    """What tables make of the whole message."""
    return 2 * [_row(f"message {one}") for one in opinions]


def _place_rows(is_first: bool, is_late: bool) -> Rows:
    """Where in the message a sentence is."""
    return 2 * [_row(name) for name, is_so in (("first", is_first), ("late", is_late)) if is_so]


def _all_opinions(known: Sequence[SentenceRows | SentenceScores]) -> tuple[str, ...]:
    return tuple(sorted({opinion for one in known for opinion in one.opinions}))


@lru_cache(ROWS)
def _word_row(word: str) -> int:
    return _row(_plain(word))


@lru_cache(ROWS)
def _row(feature: str) -> int:
    return crc32(feature.encode()) % ROWS


def _plain(word: str) -> str:
    """A word without its ending; all numbers are the same, and so are all links."""
    if word[0] == "#":
        return "#number"
    if word[0].isdigit():
        return "number"
    if word.startswith("http"):
        return "link"
    for ending in ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word


def _shape(text: str) -> list[str]:
    """How a sentence looks."""
    shape = [f"length {min(len(text) // 25, 5)}"]
    shape += ["question"] if "?" in text else []
    shape += ["listed"] if text.startswith("-") else []
    shape += ["parcel number"] if PARCEL.search(text) else []
    return shape


def _brought(listening: Listening) -> list[str]:
    """What the customer wants and the desk has done, as features."""
    return [
        f"turn {min(listening.turn, 5)}",
        *(f"asks for {one}" for one in sorted(listening.requests)),
        *(f"would allow {one}" for one in sorted(listening.acts)),
        *(f"waits for {one}" for one in sorted(listening.news)),
        *(f"was done {one}" for one in sorted(listening.carried_out)),
        *(f"agreed {one}" for one in sorted(listening.agreed)),
        *(["something was done"] if listening.carried_out else []),
    ]


def _opinions(understood: Understood) -> list[str]:
    """What the tables read in a sentence, as features."""
    kinds: dict[str, set[str]] = {
        "asks": understood.asks,
        "tells": understood.tells,
        "offers": understood.offers,
        "done": understood.done,
        "will": understood.will,
        "mentions": understood.mentioned,
    }
    opinions = [f"{kind} {what}" for kind, found in kinds.items() for what in sorted(found)]
    opinions += [kind for kind in ("offers", "done", "will", "mentions") if kinds[kind]]
    flags = {"leave": understood.leave, "refuses": understood.refuses, "farewell": understood.farewell}
    return opinions + [name for name, is_so in flags.items() if is_so]


def _named(labels: set[str], kind: str) -> set[str]:
    return {label.removeprefix(kind) for label in labels if label.startswith(kind)}
