"""The corpus is what its card says: counts, parts, and labels at places that exist."""

import gzip
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest

FOLDER = Path(__file__).parent
PARTS = {"work": 399, "sealed": 207, "second": 180, "third": 246, "fourth": 180}


def read(part: str) -> list[Any]:
    with gzip.open(FOLDER / f"{part}.jsonl.gz") as lines:
        return [msgspec.json.decode(line) for line in lines]


@pytest.mark.parametrize("part", PARTS)
def test_every_label_is_on_words_of_an_agent(part: str) -> None:
    conversations = read(part)
    assert len(conversations) == PARTS[part]
    for one in conversations:
        turns = one["transcript"]["turns"]
        for turn, start, end, labels in one["acts"]:
            assert turns[turn]["party"] == "agent" and labels
            assert turns[turn]["text"][start:end].strip()


def test_no_conversation_is_in_two_parts_and_every_manner_is_there() -> None:
    every = [one for part in PARTS for one in read(part)]
    assert max(Counter(one["id"] for one in every).values()) == 1
    manners = {one["manner"] for one in every}
    assert manners == {
        *("plain", "terse", "chatty", "formal", "lists", "emojis", "non_native", "apologetic", "careless"),
    }
