"""Sentences skip tables of wordings, but never one that has something to find."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from conversations import READER
from supportagentbench.language.english_agent import EnglishAgent
from supportagentbench.language.sentence import HEAD, TableIndex, TableShelf, WordingTable, heads

CORPUS = Path(__file__).parent / "agent_messages.yaml"

AGENT = EnglishAgent(READER.vocabulary)
INDEX, ACTS = AGENT._index, AGENT._acts
TABLES: list[WordingTable] = [
    *vars(AGENT._grammar).values(),
    *(table for shelf in (AGENT._topics, AGENT._news) for _, table in shelf.tables),
    *(table for _, table in ACTS.tables),
]


def texts() -> list[str]:
    messages: list[dict[str, Any]] = yaml.load(CORPUS.read_text(encoding="utf-8"), yaml.CSafeLoader)[
        "messages"
    ]
    return [message["text"].lower() for message in messages]


TEXTS = texts()
WORDS = sorted({word for text in TEXTS for word in text.split()})


def test_nothing_is_skipped_in_the_corpus() -> None:
    found = 0
    for text in TEXTS:
        sentence = INDEX.sentence(text)
        for table in TABLES:
            there = table.pattern.search(text) is not None
            assert sentence.says(table) == there, (text, table.pattern.pattern)
            found += there
    assert found > 1000


@given(st.lists(st.sampled_from(WORDS), max_size=30).map(" ".join))
def test_nothing_is_skipped_in_any_order_of_words(text: str) -> None:
    sentence = INDEX.sentence(text)
    for table in TABLES:
        assert sentence.says(table) == (table.pattern.search(text) is not None)
    places = [(act, place.span()) for act, place in sentence.places(ACTS)]
    assert places == [
        (act, place.span()) for act, table in ACTS.tables for place in table.pattern.finditer(text)
    ]


def test_most_tables_are_skipped() -> None:
    worth_a_look = [INDEX.sentence(text)._begun.bit_count() for text in TEXTS]
    assert sum(worth_a_look) / len(TEXTS) < len(TABLES) / 3


@pytest.mark.parametrize(
    ("pattern", "begins"),
    [
        ("cancel", {"cancel$"}),
        ("cancellation", {"cancella"}),
        ("ok|fine by me", {"ok$", "fine by "}),
        ("no(?:pe)?", {"no$", "nope$"}),
        ("(?:add|drop) (?:it|them)", {"add it$", "add them", "drop it$", "drop the"}),
        ("(?<!our )team", {"team$"}),
        ("(?:re)?solved", {"solved$", "resolved"}),
        ("colou?r", {"colour$", "color$"}),
        ("gr[ae]y", {"gray$", "grey$"}),
        (r"\d{3,} items", {"0"}),
        (r"4 digits", {"0 digits"}),
        (r"order\b[^.]{0,9}? off", {"order$"}),
        (r"your $", {"your "}),
        (r"yes\?", {"yes?"}),
        (r"(?:so )*then", {"then$", "so "}),
        (r"\w+ hold", {""}),
        (r"#\?", {""}),
        (r"[a-z][a-z]?\d{3}", {"A0", "AA0"}),
        (r"gb[a-z] \d", {"AAA 0$"}),
    ],
)
def test_how_a_pattern_begins(pattern: str, begins: set[str]) -> None:
    assert heads(pattern) == begins
    assert max(map(len, begins)) <= HEAD


def test_a_sentence_says_what_its_tables_find() -> None:
    index = TableIndex()
    tables = TableShelf(
        {"cancel": [index.table(["cancel(?:led)?"])], "hold": [index.table([r"\w+ hold"], sign=" hold")]}
    )
    assert index.sentence("a hold, then cancelled").said(tables) == {"cancel", "hold"}
    assert index.sentence("hold the cancellation").said(tables) == set()


def test_a_message_of_numbers_is_read() -> None:
    assert READER.heard("It ships in 3 days.").tells == ("timing",)


def test_a_table_is_compiled_when_a_sentence_has_a_word_that_one_of_its_wordings_begins_with() -> None:
    index = TableIndex()
    table = index.table(["cancel(?:led)?", "void"])
    assert not index.sentence("the order is on its way").says(table) and "pattern" not in vars(table)
    assert index.sentence("it is cancelled").says(table) and "pattern" in vars(table)
