"""How like people's chats the scripted customers' messages are: a classifier that tries to tell them apart.

    python bench/customer_style.py path/to/chats.json

The real chats are a JSON list of `[text, …]`, the text with a line a message, the customer's beginning with
`USR:`. They are read, never stored. Ours are all English cases, answered by the oracle. A logistic regression
on hashed character and word n-grams and lengths, five folds, never the same conversation on both sides; an
area under the curve of 0.5: nobody can tell. Once by style, with words that are about something replaced by
their shape, since our shop sells other goods than theirs, and once with every word; message by message, and
with all that a customer wrote in a conversation as one text.
"""

import argparse
import json
import re
import zlib
from itertools import pairwise
from pathlib import Path
from random import Random
from statistics import mean, median
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from supportagentbench.calibration.oracle import Oracle
from supportagentbench.calibration.prove import play
from supportagentbench.language.customer import customer_languages
from supportagentbench.records.run import Channel
from supportagentbench.records.transcript import Transcript
from supportagentbench.world.drawn_cases import generate
from supportagentbench.world.folder import read_world

Vectors = NDArray[np.float64]

BUCKETS = 2**12
SAMPLE = 1200
"""Messages of each side that are classified one by one."""
FOLDS = 5
PENALTY = 1.0
LONG = 4
"""Words beyond which two people do not say the same by chance."""


class Chat(NamedTuple):
    """What one customer wrote: turns, each of one message or several."""

    turns: tuple[tuple[str, ...], ...]

    @property
    def messages(self) -> list[str]:
        return [message for turn in self.turns for message in turn]

    @property
    def text(self) -> str:
        return "\n".join(self.messages)


def real_chats(path: Path) -> list[Chat]:
    """The customers of a file of chats; messages between two of the agent's are one turn."""
    found = []
    for text, *_ in json.loads(path.read_text()):
        turns: list[list[str]] = []
        before = ""
        for line in (line.strip() for line in text.split("\n") if line.strip()):
            party, _, words = line.partition(":")
            if party == "USR":
                turns = [*turns, []] if before != "USR" else turns
                turns[-1].append(words.strip())
            before = party if party in ("USR", "SYS") else before
        if turns:
            found.append(Chat(tuple(map(tuple, turns))))
    return found


def our_chats(channel: Channel) -> list[Chat]:
    """The scripted customers of all English cases, answered by the oracle."""
    cases = generate(read_world("northline"))
    english = [case for case in cases.named("core") if case.brief.language == "en"]
    return [chat_of(play(cases, case, Oracle(cases.world, 0), channel), channel) for case in english]


def chat_of(transcript: Transcript, channel: Channel) -> Chat:
    """An e-mail is one message, however many lines it has."""
    texts = [turn.text for turn in transcript.turns if turn.party == "customer" and turn.text.strip()]
    return Chat(tuple(tuple(text.split("\n")) if channel == "chat" else (text,) for text in texts))


def styled(text: str) -> str:
    """The text with every word that is about something replaced by its shape, and every figure by 0."""
    common = customer_languages()["en"].common

    def shape(found: re.Match[str]) -> str:
        word = found[0]
        if word.lower().replace("'", "") in common or "'" in word:
            return word
        return re.sub(r"[a-z]+", "x", re.sub(r"[A-Z]", "X", word))

    text = re.sub(r"\S+@\S+", "x@x", text.replace("’", "'"))
    text = re.sub(r"\bid\b", "x", re.sub(r"#?\b\w*\d\w*", "0", text), flags=re.IGNORECASE)
    return re.sub(r"[A-Za-z][A-Za-z']*", shape, text)


def features(chats: list[Chat], *, by_style: bool) -> Vectors:
    """One row a conversation: hashed n-grams, each kind of length one, and lengths."""
    rows = np.zeros((len(chats), 2 * BUCKETS + 6))
    for row, chat in zip(rows, chats, strict=True):
        text = styled(chat.text) if by_style else chat.text
        grams = [text[at : at + size] for size in (2, 3, 4) for at in range(len(text) - size + 1)]
        words = re.findall(r"[\w']+|[^\w\s]|\n", text)
        _count(row[:BUCKETS], grams)
        _count(row[BUCKETS : 2 * BUCKETS], [*words, *map(" ".join, pairwise(words))])
        lengths = [len(message.split()) for message in chat.messages]
        turns = [len(turn) for turn in chat.turns]
        row[-6:] = [len(lengths), mean(lengths), max(lengths), lengths[0], mean(turns), len(turns)]
    rows[:, -6:] = np.log1p(rows[:, -6:])
    rows[:, -6:] = 0.3 * (rows[:, -6:] - rows[:, -6:].mean(0)) / (rows[:, -6:].std(0) + 1e-9)
    return rows


def _count(row: Vectors, grams: list[str]) -> None:
    for gram in grams:
        row[zlib.crc32(gram.encode()) % BUCKETS] += 1
    row[:] = np.log1p(row)
    row /= max(1e-9, float(np.linalg.norm(row)))


def fitted(rows: Vectors, labels: Vectors) -> Vectors:
    """Weights of a logistic regression, both classes of equal weight, by Newton's steps in the dual."""
    weight = np.where(labels > 0, 0.5 / labels.mean(), 0.5 / (1 - labels.mean()))
    kernel, dual = rows @ rows.T, np.zeros(len(rows))
    for _ in range(12):
        chance = 1 / (1 + np.exp(-np.clip(kernel @ dual, -30, 30)))
        curve = np.maximum(weight * chance * (1 - chance), 1e-6)
        target = kernel @ dual + weight * (labels - chance) / curve
        dual = np.linalg.solve(kernel + PENALTY * np.diag(1 / curve), target)
    return rows.T @ dual


def area(scores: Vectors, labels: Vectors) -> float:
    """Of a pair with one of each, the chance that the real one has the higher score."""
    ranks = np.argsort(np.argsort(scores)) + 1.0
    real = labels > 0
    count, others = int(real.sum()), int((~real).sum())
    return float((ranks[real].sum() - count * (count + 1) / 2) / (count * others))


def _units(chats: list[Chat], singly: bool) -> list[tuple[Chat, int]]:
    """What is classified, each with the number of its conversation: wholes, or a sample of their messages."""
    if not singly:
        return [(chat, at) for at, chat in enumerate(chats)]
    found = [(Chat(((message,),)), at) for at, chat in enumerate(chats) for message in chat.messages]
    return Random(0).sample(found, min(SAMPLE, len(found)))


def told_apart(one: list[Chat], other: list[Chat], *, by_style: bool, singly: bool) -> float:
    """The area under the curve on conversations that the classifier was not shown, singly or as wholes."""
    sides = [_units(chats, singly) for chats in (one, other)]
    rows = features([unit for units in sides for unit, _ in units], by_style=by_style)
    labels = np.array([1.0] * len(sides[0]) + [0.0] * len(sides[1]))
    folds = np.array([Random(f"{side}/{at}").randrange(FOLDS) for side in (0, 1) for _, at in sides[side]])
    scores = np.zeros(len(rows))
    for fold in range(FOLDS):
        held = folds == fold
        scores[held] = rows[held] @ fitted(rows[~held], labels[~held])
    return area(scores, labels)


def medians(chats: list[Chat]) -> dict[str, Any]:
    """What a reader sees at once."""
    later = [message for chat in chats for turn in chat.turns[1:] for message in turn]
    all_of = [message for chat in chats for message in chat.messages]
    opening = [" ".join(chat.turns[0]) for chat in chats]
    long = [message for message in later if len(message.split()) > LONG]
    repeats = len(long) - len(set(long))

    def share(found: list[bool]) -> str:
        return f"{mean(found):.0%}"

    return {
        "opening, words": median(len(text.split()) for text in opening),
        "later message, words": median(len(message.split()) for message in later),
        "messages of at most 3 words": share([len(message.split()) <= 3 for message in all_of]),
        "no end punctuation": share([not re.search(r"[.!?]\W*$", message) for message in all_of]),
        '"please"': share([bool(re.search(r"\b(?:please|pls|plz)\b", one.lower())) for one in all_of]),
        "a number in the opening": share([bool(re.search(r"\d{4}", text)) for text in opening]),
        "several messages in a row": share([any(len(turn) > 1 for turn in chat.turns) for chat in chats]),
        "said before, 5 words or more": f"{repeats / max(1, len(later)):.1%}",
    }


def main() -> None:
    arguments = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    arguments.add_argument("chats", type=Path, help="The real chats.")
    given = arguments.parse_args()
    real = real_chats(given.chats)
    ours = {channel: our_chats(channel) for channel in ("email", "chat")}
    table = {"real": medians(real)} | {name: medians(chats) for name, chats in ours.items()}
    print(f"{'':32}{'real':>10}{'email':>10}{'chat':>10}")
    for name in table["real"]:
        print(f"{name:32}" + "".join(f"{table[side][name]:>10}" for side in table))
    half = Random(1).sample(real, len(real))
    sides = {"real": (half[::2], half[1::2]), **{name: (real, chats) for name, chats in ours.items()}}
    for singly, by_style in ((True, True), (True, False), (False, True), (False, False)):
        title = f"AUC, {'messages' if singly else 'wholes'}, {'style' if by_style else 'every word'}"
        areas = [told_apart(*pair, by_style=by_style, singly=singly) for pair in sides.values()]
        print(f"{title:32}" + "".join(f"{one:>10.3f}" for one in areas))
    print(f"conversations: {len(real)} real, {len(ours['chat'])} of ours in each channel")


if __name__ == "__main__":
    main()
