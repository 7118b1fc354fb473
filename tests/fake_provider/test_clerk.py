"""The clerk: the same to the same words, and whatever schema it is given, an answer that follows it."""

import enum
from typing import Annotated, Any, Literal

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Meta

from supportagentbench.fake_provider.clerk import (
    SCRIPT_OVER,
    Clerk,
    DialogueLine,
    ModelReply,
    RawReply,
    ReceivedRequest,
    Script,
    instance_of,
)

TOOLS = ("find_order", "read_policy", "track_parcel", "replace_item", "hand_over", "close_ticket")
FILE = '{"order":"#1101","parcels":[{"tracking":"NL9"}],"placed":"2026-03-02","status":"delivered"}'


def seen(*messages: DialogueLine, **others: Any) -> ReceivedRequest:
    given = {"tools": TOOLS, "system": "You run the desk."} | others
    return ReceivedRequest(model="m", key="k", messages=messages, **given)


def test_looks_the_order_up_then_follows_the_parcel_then_tells_what_it_found() -> None:
    clerk, talk = Clerk(), [DialogueLine("user", "Where is my order #1101?")]
    for result in (FILE, '{"scans":[]}'):
        said = clerk.answer(seen(*talk))
        talk.append(DialogueLine("assistant", calls=said.calls))
        talk += [DialogueLine("tool", result) for _ in said.calls]
    assert next(name for line in talk for name, _ in line.calls) == "find_order"
    assert talk[-2].calls == (("track_parcel", '{"tracking":"NL9"}'),)
    told = clerk.answer(seen(*talk))
    assert not told.calls
    assert "delivered" in told.text and "NL9" not in talk[0].text


def test_openings_lead_to_different_first_moves_and_different_endings() -> None:
    clerk = Clerk()
    first, last = set(), set()
    for number in range(1000, 1100):
        opening = DialogueLine("user", f"It's about #{number}.")
        began = clerk.answer(seen(opening))
        first.add(tuple(name for name, _ in began.calls))
        before = (
            DialogueLine("assistant", calls=began.calls),
            DialogueLine("tool", FILE),
            DialogueLine("assistant", "Well?"),
        )
        said = clerk.answer(seen(opening, *before, *[DialogueLine("user", "Yes, please.")] * 4))
        last.add(said.calls[0][0] if said.calls else "words")
    assert first == {("find_order",), ("find_order", "read_policy")}
    assert last == {"hand_over", "close_ticket", "replace_item", "words"}


def test_asks_for_the_number_when_there_is_none_and_calls_no_tool_the_desk_lacks() -> None:
    assert "order number" in Clerk().answer(seen(DialogueLine("user", "Where is it?"))).text
    assert not Clerk().answer(seen(DialogueLine("user", "#1101"), tools=("search",))).calls


def test_reasons_when_asked_or_always() -> None:
    line = DialogueLine("user", "#1101")
    assert not Clerk().answer(seen(line)).reasoning
    assert Clerk().answer(seen(line, reasons=True)).reasoning
    assert Clerk(reasons=True).answer(seen(line)).reasoning


def test_without_tools_it_says_one_plain_sentence() -> None:
    said = Clerk().answer(seen(DialogueLine("user", "We can offer a replacement."), tools=()))
    assert said.text and not said.calls


def test_a_tool_it_must_call_gets_arguments_that_follow_the_schema() -> None:
    schema = {"type": "object", "properties": {"ok": {"type": "boolean"}}, "required": ["ok"]}
    said = Clerk().answer(seen(DialogueLine("user", "?"), schema=schema, must_call="judge"))
    [(name, arguments)] = said.calls
    assert name == "judge" and set(msgspec.json.decode(arguments)) == {"ok"}


class Colour(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Leaf(msgspec.Struct, forbid_unknown_fields=True):
    size: Annotated[float, Meta(gt=0, le=0.5)]
    depth: Annotated[int, Meta(ge=3)]
    word: Annotated[str, Meta(min_length=40)]
    code: Annotated[str, Meta(max_length=2)]
    nothing: None


class Tree(msgspec.Struct, forbid_unknown_fields=True):
    colour: Colour
    kind: Literal["oak", "elm"]
    leaves: Annotated[list[Leaf], Meta(min_length=2)]
    sound: bool
    birds: dict[str, int]
    owner: str | None
    either: Leaf | None
    note: str = ""


@given(st.integers(0, 2**32 - 1))
def test_what_it_makes_follows_the_schema(number: int) -> None:
    made = instance_of(msgspec.json.schema(Tree), number)
    msgspec.convert(made, Tree)
    assert "note" not in made


def test_choices_differ_with_the_words() -> None:
    schema = msgspec.json.schema(Tree)
    made = [msgspec.convert(instance_of(schema, number), Tree) for number in range(40)]
    assert {tree.sound for tree in made} == {True, False}
    assert {tree.kind for tree in made} == {"oak", "elm"}


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"const": 7}, 7),
        ({"type": ["null"]}, None),
        ({}, {}),
        ({"oneOf": [{"type": "null"}]}, None),
        ({"type": "integer", "maximum": -5}, -5),
        ({"type": "object", "required": ["a"]}, {"a": None}),
    ],
)
def test_small_schemas(schema: dict[str, Any], value: object) -> None:
    assert instance_of(schema, 0) == value


def test_a_script_says_its_lines_and_then_that_it_is_over() -> None:
    script = Script(["Hello.", ModelReply("Bye.", stop="length"), RawReply(b"?", 418)])
    said = [script.answer(seen()) for _ in range(4)]
    assert said == [
        ModelReply("Hello."),
        ModelReply("Bye.", stop="length"),
        RawReply(b"?", 418),
        RawReply(SCRIPT_OVER, 400),
    ]
