"""The trained ear: what a customer takes from words that nobody here wrote."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from conversations import CASES, WORLD
from supportagentbench.language.ear import ROWS, Ear, features, read_weights
from supportagentbench.language.listening import Listening
from supportagentbench.records.problem import Problem
from supportagentbench.records.transcript import SpeechActs
from supportagentbench.world.open_shop import EAR

WANTS_GOODS = Listening(frozenset({"damage"}), frozenset({"replace_item", "reship"}))
WANTS_CANCEL = Listening(frozenset({"cancel"}), frozenset({"cancel_order"}))


@pytest.fixture(scope="module")
def ear() -> Ear:
    found = CASES.reader.ear
    assert found
    return found


@pytest.mark.parametrize(
    "words",
    [
        "I'd send you a new item in Moss, free of charge. Shall I?",
        'Please confirm with a "yes" and I will send the replacement.',
        "If you agree, a fresh item goes out to you at no cost. Is that all right?",
    ],
)
def test_a_proposal_is_a_proposal_of_what_the_customer_waits_for(ear: Ear, words: str) -> None:
    heard = ear.heard(words, WANTS_GOODS)
    assert heard.consent and set(heard.offers) <= WANTS_GOODS.acts and heard.offers and not heard.done


def test_which_act_is_meant_follows_from_what_is_wanted(ear: Ear) -> None:
    words = "Please confirm with a yes and I will do it right away."
    assert ear.heard(words, WANTS_CANCEL).offers == ("cancel_order",)
    assert set(ear.heard(words, WANTS_GOODS).offers) == WANTS_GOODS.acts


@pytest.mark.parametrize(
    ("words", "topic"),
    [
        ("Could you send me a photo of the damage, please?", "photo"),
        ("Which order is it about? The number starts with #.", "order_number"),
    ],
)
def test_a_question_is_heard(ear: Ear, words: str, topic: str) -> None:
    heard = ear.heard(words, WANTS_GOODS)
    assert topic in heard.asks and not heard.offers


def test_a_no_is_heard(ear: Ear) -> None:
    assert ear.heard("I'm sorry, the order has shipped, so I can't cancel it any more.", WANTS_CANCEL).refuses


def test_nothing_is_heard_in_no_words(ear: Ear) -> None:
    assert ear.heard("", WANTS_GOODS) == ear.heard(" \n ", WANTS_GOODS) == SpeechActs()


@given(st.text(max_size=300))
def test_whatever_is_written_is_heard_twice_the_same(words: str) -> None:
    ear = CASES.reader.ear
    assert ear and ear.heard(words, WANTS_GOODS) == ear.heard(words, WANTS_GOODS)


def test_weights_are_whole_numbers_so_that_sums_do_not_depend_on_their_order() -> None:
    weights = read_weights(WORLD.folder / EAR)
    assert (weights.weights == np.rint(weights.weights)).all() and np.abs(weights.weights).max() <= 127
    assert weights.weights.shape == (ROWS, len(weights.labels))


@pytest.mark.parametrize("data", [b"", b"not weights", b"PK\x03\x04"])
def test_a_file_that_holds_no_weights_is_named(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / EAR
    path.write_bytes(data)
    with pytest.raises(Problem, match="train it again"):
        read_weights(path)


def test_weights_of_another_shape_are_refused(tmp_path: Path) -> None:
    np.savez(tmp_path / EAR, labels=["done"], weights=np.zeros((3, 1), np.int8), thresholds=np.zeros(1))
    with pytest.raises(Problem, match="another shape"):
        read_weights(tmp_path / EAR)


WORDS = st.sampled_from(
    [
        "I",
        "have",
        "cancelled",
        "your",
        "order",
        "#1234",
        "shall",
        "I",
        "?",
        ".",
        "\n- ",
        "sorry",
        "can't",
        ":",
    ]
)


@given(
    st.lists(WORDS, max_size=60).map(" ".join),
    st.frozensets(st.sampled_from(["cancel_order", "reship"])),
    st.integers(0, 9),
)
def test_scores_by_sentence_are_the_sums_of_what_an_ear_is_trained_on(
    words: str, acts: frozenset[str], turn: int
) -> None:
    ear = CASES.reader.ear
    assert ear
    read, listening = ear.tables.by_sentence(words), Listening(acts=acts, carried_out=acts, turn=turn)
    if read:
        summed = [ear.weights.weights[rows].sum(axis=0) for rows in features(read, listening)]
        assert (ear.scores(read, listening) == np.array(summed)).all()
