"""Keys in use are known by value and are in nothing that leaves."""

import io
import sys
from base64 import b64encode, urlsafe_b64encode
from typing import Any, Literal
from urllib.parse import quote

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from supportagentbench.records.record import Record, readable, to_json
from supportagentbench.records.secrets import (
    SealedStream,
    forget_secrets,
    holds_secret,
    keep_secret,
    scrubbed_record,
    sealed_json,
    sealed_output,
    sealed_text,
    without_secrets,
)

KEY = "q7/Zr+93 p_K\"tü'x"
"""No provider's prefix, and something to escape in every notation."""


class Note(Record, tag_field="record", tag="customer/1"):
    """A stand-in for what is written down."""

    text: str = ""
    party: Literal["customer", "agent"] = "agent"
    given: dict[str, Any] = {}
    facts: msgspec.Raw = msgspec.Raw(b"")
    notes: tuple["Note", ...] = ()
    amount: float = 0.0


@pytest.mark.parametrize(
    "form",
    [
        KEY,
        quote(KEY),
        quote(KEY, safe=""),
        to_json(KEY).decode()[1:-1],
        to_json(to_json({"key": KEY}).decode()).decode(),
        b64encode(KEY.encode()).decode(),
        b64encode(f"user:{KEY}".encode()).decode(),
        urlsafe_b64encode(f"a{KEY}b".encode()).decode(),
    ],
)
def test_a_key_is_found_however_it_is_written(form: str) -> None:
    keep_secret(KEY)
    text = without_secrets(f"Before {form} after")
    assert text.startswith("Before ") and text.endswith(" after") and "[key]" in text
    assert not holds_secret(text.encode())


@given(key=st.text(st.characters(codec="utf-8"), min_size=8, max_size=60), around=st.text(max_size=4))
def test_no_text_holds_a_key_afterwards(key: str, around: str) -> None:
    forget_secrets()
    keep_secret(key)
    for form in (key, b64encode(f"{around}{key}{around}".encode()).decode(), quote(key)):
        cleaned = without_secrets(f"{around}{form}{around}")
        assert "[key]" in cleaned
    data = sealed_json(Note(text=f"{around}{key}", given={key: [key]}), to_json)
    assert msgspec.json.decode(data, type=Note).text.count("[key]")


def test_what_is_short_is_in_texts_by_chance() -> None:
    keep_secret("EMPTY")
    keep_secret("")
    assert without_secrets("The box is EMPTY.") == "The box is EMPTY."


def test_a_record_is_cleaned_at_every_depth_and_stays_readable() -> None:
    keep_secret(KEY)
    note = Note(
        text=f"is {KEY}",
        given={KEY: [{"deep": KEY}]},
        facts=msgspec.Raw(to_json({"found": KEY})),
        notes=(Note(text=KEY),),
    )
    data = sealed_json(note, to_json)
    assert not holds_secret(data)
    assert msgspec.json.decode(data, type=Note) == scrubbed_record(note)


def test_a_key_that_is_a_word_or_a_number_of_the_format_breaks_no_record() -> None:
    keep_secret("customer")
    keep_secret("12345678")
    note = Note(text="the customer 12345678", party="customer", amount=12345678.0)
    cleaned = msgspec.json.decode(sealed_json(note, to_json), type=Note)
    assert cleaned == Note(text="the [key] [key]", party="customer", amount=12345678.0)


def test_text_is_cleaned_before_it_is_cut() -> None:
    keep_secret(KEY)
    assert readable(f"{'x' * 490} {KEY}")[:500] == f"{'x' * 490} [key]"


def test_nothing_known_changes_nothing() -> None:
    note = Note(text=KEY)
    assert sealed_json(note, to_json) == to_json(note)
    assert scrubbed_record(note) is note
    assert sealed_text(b"\xff") == b"\xff"


def test_what_is_printed_is_cleaned(monkeypatch: pytest.MonkeyPatch) -> None:
    keep_secret(KEY)
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    with sealed_output():
        print(f"a {KEY} b", file=sys.stderr)
    assert stream.getvalue() == "a [key] b\n"
    assert sys.stderr is stream
    assert not SealedStream(stream).isatty()
