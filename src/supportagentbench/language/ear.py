"""Ear: hears an agent's English message as its customer would.

Tables only know their author's words. An ear is trained on messages that others wrote: every sentence is
scored for each speech act by the words in it and around it, by what the tables read in it, and by what this
customer wants and the desk has done. Weights are whole numbers, so every machine hears the same.
"""

import re
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import NamedTuple
from zipfile import BadZipFile, ZipFile
from zlib import crc32
from zlib import error as ZlibError

import numpy as np
from numpy.typing import NDArray

from supportagentbench.language.english_agent import EnglishAgent
from supportagentbench.language.listening import Listening
from supportagentbench.language.proposal import asks_for_a_yes, proposes_a_colleague
from supportagentbench.language.speech_act import Understood, proposed
from supportagentbench.records.problem import Problem
from supportagentbench.records.transcript import SpeechActs
from supportagentbench.records.vocabulary import HAND_OVER, TICKET_ACTS, Vocabulary
from supportagentbench.storage.regular_file import read_regular

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

WORDS, BESIDE, AROUND = 2, 1, 2
"""How much a feature weighs: words of the sentence, words further off, the situation."""

_FIRST, _SECOND, _THIRD = 0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D
"""Odd numbers by which words in a row become one feature."""


class Features(NamedTuple):
    """The features of one message: a row of the weights, a sentence and a value each."""

    rows: NDArray[np.int64]
    places: NDArray[np.int64]
    values: NDArray[np.float32]
    sentences: int


class EarWeights(NamedTuple):
    """What training found."""

    labels: tuple[str, ...]
    weights: NDArray[np.float32]
    """Whole numbers, so that sums do not depend on their order."""
    thresholds: NDArray[np.float32]


def read_weights(path: Path) -> EarWeights:
    """The weights in a file, which a training script wrote."""
    try:
        packed = BytesIO(read_regular(path, MOST_BYTES))
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

    def __init__(self, weights: EarWeights, vocabulary: Vocabulary) -> None:
        self.tables = EnglishAgent(vocabulary)
        self.vocabulary = vocabulary
        self._weights = weights
        self._hashes: dict[str, int] = {}
        self._words: dict[str, int] = {}

    def heard(self, message: str, listening: Listening) -> SpeechActs:
        """What the message says to this customer."""
        read = self.tables.by_sentence(message)
        if not read:
            return SpeechActs()
        scores = self._scores(self.features(read, listening))
        labels = self._weights.labels
        found = [{labels[at] for at in np.flatnonzero(row)} for row in scores > self._weights.thresholds]
        return self._gathered(read, found, listening)

    def _scores(self, features: Features) -> NDArray[np.float32]:
        spread = np.zeros((features.sentences, len(features.rows)), np.float32)
        spread[features.places, np.arange(len(features.rows))] = features.values
        scores: NDArray[np.float32] = spread @ self._weights.weights[features.rows]
        return scores

    def _gathered(
        self, read: Sequence[tuple[str, Understood]], found: Sequence[set[str]], listening: Listening
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

    def _put_right(self, read: tuple[str, Understood], labels: set[str], listening: Listening) -> set[str]:
        """The labels of one sentence without combinations that make no sense. A sentence does not offer what
        it refuses; and an agent who asks whether a colleague should decide has not handed anything over, and
        asks only for that yes.
        """
        text, understood = read
        if "refuses" in labels:
            return labels - {"offers"}
        if proposes_a_colleague(text) and understood.mentioned.isdisjoint(listening.acts):
            labels = labels - {"offers", "consent", f"done:{HAND_OVER}"} | {f"offers:{HAND_OVER}"}
        return labels

    @staticmethod
    def _unasked(
        offered: set[str], read: Sequence[tuple[str, Understood]], found: Sequence[set[str]]
    ) -> set[str]:
        """The proposals if no sentence was heard to ask for a yes: those that tables also see."""
        known = any(
            (one.leave and f"offers:{HAND_OVER}" not in labels)
            or ("offers" in labels and (one.offers or asks_for_a_yes(text)))
            for (text, one), labels in zip(read, found, strict=True)
        )
        refuses = any("refuses" in labels for labels in found)
        return proposed(offered, leave=known and not refuses, refuses=True)

    def _meant(
        self,
        kind: str,
        read: Sequence[tuple[str, Understood]],
        found: Sequence[set[str]],
        listening: Listening,
    ) -> set[str]:
        """The acts that are offered or reported: those the customer waits for, or the named ones of them."""
        acts = {
            label.partition(":")[2] for labels in found for label in labels if label.startswith(f"{kind}:")
        }
        spoken = [one for (_, one), labels in zip(read, found, strict=True) if kind in labels]
        if not spoken:
            return acts
        named = {act for one in spoken for act in one.mentioned} - set(TICKET_ACTS)
        wanted = set(listening.acts) - set(TICKET_ACTS)
        meant = {act for act in wanted if not named.isdisjoint(self.vocabulary.ways(act))}
        return acts | (meant or wanted or named)

    # Features.

    def features(self, read: Sequence[tuple[str, Understood]], listening: Listening) -> Features:
        """The features of a message, sentence by sentence."""
        tokens = [self._tokens(text) for text, _ in read]
        words = np.array([word for sentence in tokens for word in sentence], np.int64)
        places = np.repeat(np.arange(len(read)), [len(sentence) for sentence in tokens])
        asked = np.array(["?" in text for text, _ in read])[places]
        close, near = places[:-1] == places[1:], places[:-2] == places[2:]
        pairs = words[:-1] * _FIRST + words[1:] * _SECOND
        triples = pairs[:-1] + words[2:] * _THIRD
        seen, where = self._situation(read, listening)
        groups = (
            (words, places, WORDS),
            (pairs[close], places[:-1][close], WORDS),
            (triples[near], places[:-2][near], WORDS),
            ((words[:-2] * _FIRST + words[2:] * _THIRD)[near], places[:-2][near], BESIDE),
            ((words + _SECOND)[asked], places[asked], BESIDE),
            ((words + 1)[places < len(read) - 1], places[places < len(read) - 1] + 1, BESIDE),
            ((words + 2)[places > 0], places[places > 0] - 1, BESIDE),
            (np.array(seen, np.int64), np.array(where, np.int64), AROUND),
        )
        rows = np.concatenate([found for found, _, _ in groups]) % ROWS
        values = np.repeat(
            np.array([value for _, _, value in groups], np.float32), [len(found) for found, _, _ in groups]
        )
        return Features(rows, np.concatenate([place for _, place, _ in groups]), values, len(read))

    def _situation(
        self, read: Sequence[tuple[str, Understood]], listening: Listening
    ) -> tuple[list[int], list[int]]:
        """Features beyond the words: what tables read, the position, what is wanted and what was done."""
        around = [self._hash(feature) for feature in _brought(listening)]
        opinions = [_opinions(understood) for _, understood in read]
        around += [
            self._hash(f"message {one}") for one in sorted({one for found in opinions for one in found})
        ]
        seen: list[int] = []
        where: list[int] = []
        for place, (text, _) in enumerate(read):
            own = [self._hash(f"table {one}") for one in opinions[place]]
            shape = [self._hash(one) for one in _shape(text, place, len(read))]
            found = [*around, *own, *own, *shape]  # The tables' opinion weighs twice.
            seen += found
            where += [place] * len(found)
        return seen, where

    def _tokens(self, text: str) -> list[int]:
        """The words of a sentence as numbers, with its beginning and its end."""
        known = self._words
        found = [known[word] if word in known else self._word(word) for word in TOKEN.findall(text)]
        return [self._hash("<"), *found, self._hash(">")]

    def _word(self, word: str) -> int:
        number = self._hash(_plain(word))
        if len(self._words) < ROWS:
            self._words[word] = number
        return number

    def _hash(self, word: str) -> int:
        known = self._hashes.get(word)
        if known is None:
            known = crc32(word.encode())
            if len(self._hashes) < ROWS:
                self._hashes[word] = known
        return known


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


def _shape(text: str, place: int, sentences: int) -> list[str]:
    """How a sentence looks, and where in the message it is."""
    shape = [f"length {min(len(text) // 25, 5)}"]
    shape += ["question"] if "?" in text else []
    shape += ["first"] if place == 0 else []
    shape += ["late"] if place >= sentences - 2 else []
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
