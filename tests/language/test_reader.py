"""The reader of agent messages: measured on a labelled corpus, and explained by a few examples."""

from functools import cache
from pathlib import Path
from time import perf_counter
from typing import Any

import pytest
import yaml

from conversations import READER
from supportagentbench.records.transcript import SpeechActs

hear = READER.heard

CORPUS = Path(__file__).parent / "agent_messages.yaml"

FLOORS: dict[tuple[str, str], tuple[float, float]] = {
    ("dev", "offers"): (0.98, 0.98),
    ("dev", "done"): (0.98, 0.98),
    ("dev", "asks"): (0.97, 0.97),
    ("dev", "tells"): (0.95, 0.95),
    ("dev", "refuses"): (0.95, 0.95),
    ("dev", "farewell"): (0.95, 0.95),
    ("held_out", "offers"): (0.92, 0.75),
    ("held_out", "done"): (0.90, 0.75),
    ("held_out", "asks"): (0.83, 0.69),
    ("held_out", "tells"): (0.74, 0.76),
    ("held_out", "refuses"): (0.94, 0.84),
    ("held_out", "farewell"): (0.95, 0.95),
}
"""Precision and recall that were reached, rounded down. The held-out half is the honest figure."""


@cache
def corpus() -> list[dict[str, Any]]:
    messages = yaml.load(CORPUS.read_text(encoding="utf-8"), yaml.CSafeLoader)["messages"]
    return [{**message, "index": index} for index, message in enumerate(messages)]


def labels(value: object) -> set[str]:
    """A field's value as a set, so that flags are counted like labels."""
    if isinstance(value, bool):
        return {"yes"} if value else set()
    return set(value) if isinstance(value, list | tuple) else set()


@pytest.mark.parametrize(("split", "field"), FLOORS)
def test_corpus(split: str, field: str) -> None:
    right = extra = missed = 0
    wrong: list[str] = []
    for message in corpus():
        if message["split"] != split:
            continue
        want, got = labels(message.get(field)), labels(getattr(hear(message["text"]), field))
        right += len(want & got)
        extra += len(got - want)
        missed += len(want - got)
        if want != got:
            # By number alone: whoever tunes the tables must not read the held-out half.
            wrong.append(f"#{message['index']} +{sorted(got - want)} -{sorted(want - got)}")
    precision, recall = right / (right + extra), right / (right + missed)
    floor = FLOORS[split, field]
    assert precision >= floor[0], f"{split} {field}: precision {precision:.3f}, wrong: {wrong}"
    assert recall >= floor[1], f"{split} {field}: recall {recall:.3f}, wrong: {wrong}"


@pytest.mark.parametrize("bullet", ["-", "*", "•", "1.", "2)"])
def test_a_list_is_asked_for_whatever_its_bullets(bullet: str) -> None:
    text = f"Could you please send me:\n\n{bullet} the order number\n{bullet} a photo of the wheel"
    assert hear(text).asks == ("order_number", "photo")


def test_every_offer_seeks_consent() -> None:
    for message in corpus():
        if hear(message["text"]).offers:
            assert hear(message["text"]).consent, message["index"]


@pytest.mark.parametrize(
    "text",
    [
        "Shall I go ahead?",
        "OK to proceed?",
        "Is that right?",
        "Does that sound good?",
        "Please confirm.",
        "Yes or no?",
        "Do I have your permission?",
        "Let me know if you’d like to go ahead.",
        "I can cancel it if you like.",
    ],
)
def test_asking_leave_is_noticed_without_an_act(text: str) -> None:
    assert hear(text).consent


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Let me know if you have any questions.",
        "Thanks for confirming!",
        "I can confirm your order has shipped.",
        "Could you confirm your order number?",
        "What can I do for you?",
        "I've cancelled your order.",
    ],
)
def test_other_questions_seek_no_consent(text: str) -> None:
    assert not hear(text).consent


@pytest.mark.parametrize(
    "text",
    [
        "I haven't cancelled anything.",
        "No replacement has been sent.",
        "If it had not shipped, I would have changed the colour.",
        "Once the order is cancelled, refunds take a while.",
        "You can cancel the order yourself in your account.",
        "Your airline may cancel flights at short notice.",
        "> please cancel my order\n\nThank you, I have read this.",
    ],
)
def test_what_was_not_done_is_neither_done_nor_offered(text: str) -> None:
    heard = hear(text)
    assert (heard.offers, heard.done) == ((), ())


def test_leave_decides_between_a_promise_and_an_offer() -> None:
    assert hear("I'll cancel the order.").done == ("cancel_order",)
    assert hear("I'll cancel the order. Is that OK?").offers == ("cancel_order",)
    assert hear("I'll cancel the order. Is that OK?").done == ()


def test_what_waits_for_an_answer_is_not_promised() -> None:
    heard = hear("Please send me the correct address and we'll update it right away.")
    assert heard == SpeechActs(asks=("address",))


def test_two_acts_in_one_message() -> None:
    heard = hear("I've changed the address. Shall I also swap the Medium for the Large?")
    assert (heard.done, heard.offers) == (("edit_address",), ("edit_line",))


def test_spelling_does_not_matter() -> None:
    for text in ("I’ve **canceled** it ✅", "i have cancelled it", "I'VE CANCELLED IT!"):
        assert hear(text).done == ("cancel_order",)
    assert hear("pls send ur order nubmer").asks == ("order_number",)


def test_rhetorical_questions_ask_nothing() -> None:
    assert hear("Isn't that always the way?") == SpeechActs()
    assert hear("How many times have we all been there!") == SpeechActs()


@pytest.mark.parametrize(
    "text",
    ["", " \n", "null", "###END", "###STOP###", "<stop>order_cancelled=true</stop>", "🙂"],
)
def test_stop_tokens_and_emptiness_say_nothing(text: str) -> None:
    assert hear(text) == SpeechActs()


@pytest.mark.parametrize(
    "junk",
    ["a", " ", "\n", "<a>", "is that ", "- ", "i will not change the one ", "'s", "?!"],
)
def test_a_megabyte_of_junk_is_read_quickly(junk: str) -> None:
    start = perf_counter()
    hear(junk * (1_000_000 // len(junk)))
    assert perf_counter() - start < 2
