"""Service plan: templates are filled without being read as anything else, and paths find or find nothing."""

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from supportagentbench.desk.doors.service_plan import (
    ServicePlan,
    compiled,
    filled,
    found_at,
    with_variables,
    words_in,
)
from supportagentbench.records.problem import Problem

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=10,
)


def test_a_text_that_is_only_a_name_becomes_the_value_as_it_is() -> None:
    values = {"turn": 2, "messages": [{"role": "user"}], "text": "Hi {turn}"}
    template = {"n": "{turn}", "all": "{messages}", "say": ["Re: {text}", True]}
    assert filled(template, values) == {"n": 2, "all": [{"role": "user"}], "say": ["Re: Hi {turn}", True]}


@given(st.text(max_size=200))
def test_what_a_customer_writes_is_never_a_template(words: str) -> None:
    assert filled({"a": "{text}", "b": "<{text}>"}, {"text": words}) == {"a": words, "b": f"<{words}>"}


@pytest.mark.parametrize(
    ("path", "answer", "found"),
    [
        ("text", {"text": "Hello"}, "Hello"),
        ("[].text", [{"text": "a"}, {"custom": 1}, {"text": "b"}], ["a", "b"]),
        ("[].text", [], []),
        ("choices[0].message.content", {"choices": [{"message": {"content": "x"}}]}, "x"),
        ("choices[0].message.content", {"error": "none"}, None),
        ("length(text)", {"text": 5}, None),
        ("a.b", ["not", "an", "object"], None),
    ],
)
def test_a_path_finds_what_is_there_or_nothing(path: str, answer: Any, found: Any) -> None:
    assert found_at(path, answer) == found


@given(PLAIN)
def test_no_answer_breaks_a_path(answer: Any) -> None:
    for path in ("text", "[].text", "a[0].b", "sum(a)", "sort_by(@, &x)", "join('', @)"):
        found_at(path, answer)


@given(PLAIN)
def test_words_are_text_or_there_are_none(found: Any) -> None:
    assert isinstance(words_in(found, "\n\n"), str | None)


def test_several_texts_are_joined_and_other_values_are_not_text() -> None:
    assert words_in(["One.", None, ["Two."]], "\n\n") == "One.\n\nTwo."
    assert words_in(["One.", 2], "") is None


def test_a_path_that_is_none_is_named() -> None:
    with pytest.raises(Problem, match=r"'\[\*' is not a JMESPath expression"):
        compiled("[*")


def test_variables_come_from_the_environment_and_nothing_else() -> None:
    assert with_variables({"h": ["Bearer ${KEY}"]}, {"KEY": "abc"}) == {"h": ["Bearer abc"]}
    with pytest.raises(Problem, match=r"\$\{KEY\} is not set"):
        with_variables("${KEY}", {})


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"body": "{txt}"}, r"\{txt\} is not known; there are .*text"),
        ({"headers": {"X": "{watermark}"}}, r"\{watermark\} is not known"),
        ({"reply": "a["}, "not a JMESPath"),
        ({"usage": {"input": "]"}}, "not a JMESPath"),
        ({"session": {"watermark": "a..b"}, "body": "{watermark}"}, "not a JMESPath"),
    ],
)
def test_a_plan_that_cannot_work_is_refused(change: dict[str, Any], words: str) -> None:
    plan = msgspec.convert({"url": "http://x/"} | change, ServicePlan)
    with pytest.raises(Problem, match=words):
        plan.check()


@pytest.mark.parametrize(
    ("change", "reaches"),
    [
        ({}, False),
        ({"body": {"text": "{text}"}}, False),
        ({"body": {"deep": [{"er": "{mcp}"}]}}, True),
        ({"headers": {"X-Desk": "{rest}"}}, True),
        ({"desk": {"fixed": True}}, True),
    ],
)
def test_a_plan_knows_whether_the_agent_can_reach_the_desk(change: dict[str, Any], reaches: bool) -> None:
    assert msgspec.convert({"url": "http://x/"} | change, ServicePlan).reaches_desk is reaches
