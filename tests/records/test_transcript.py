"""A tool's result is data: the agent reads its letters, everybody else its facts."""

import msgspec
import pytest

from supportagentbench.records.record import from_json, to_json
from supportagentbench.records.transcript import ToolResult


class Order(msgspec.Struct):
    order: str
    lines: tuple[int, ...] = ()


def test_facts_are_the_text_as_data() -> None:
    result = ToolResult.of(Order("#1101", (1, 2)))
    assert result.text == '{"order":"#1101","lines":[1,2]}'
    assert result.facts == {"order": "#1101", "lines": [1, 2]}
    assert result.read(Order) == Order("#1101", (1, 2))


def test_the_letters_that_an_agent_was_sent_survive_the_archive() -> None:
    result = ToolResult.of(Order("#1101"))
    assert from_json(to_json(result), ToolResult).text == result.text == '{"order":"#1101","lines":[]}'


def test_a_refusal_is_a_sentence_and_no_facts() -> None:
    result = ToolResult.refused("There is no order '#9'.")
    assert (result.ok, result.text, result.facts, result.read(Order)) == (
        False,
        "There is no order '#9'.",
        None,
        None,
    )
    assert from_json(to_json(result), ToolResult) == result


def test_facts_of_another_shape_are_not_read() -> None:
    assert ToolResult.of([1]).read(Order) is None
    assert ToolResult.of({"order": 5}).read(Order) is None


@pytest.mark.parametrize("facts", [b'"\xff"', b"1e999"])
def test_a_file_that_was_tampered_with_has_no_facts(facts: bytes) -> None:
    result = from_json(b'{"ok":true,"facts":' + facts + b"}", ToolResult)
    assert result.facts is None and result.read(Order) is None
    assert isinstance(result.text, str)
