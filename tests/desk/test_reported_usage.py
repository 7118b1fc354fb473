"""Reported usage: each library's own words for what a model call used become one `Usage`."""

from dataclasses import dataclass, field
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from supportagentbench.desk.reported_usage import reported_usage
from supportagentbench.records.problem import Problem
from supportagentbench.records.usage import Usage, checked_usage


@dataclass
class OtherLibrarysUsage:
    """As a framework has it: a dataclass with zeros for what it does not know."""

    input_tokens: int = 0
    cache_write_tokens: int = 0
    cache_read_tokens: int = 0
    output_tokens: int = 0
    input_audio_tokens: int = 0
    details: dict[str, int] = field(default_factory=dict)


ALL = Usage("m", input=70, cache_read=20, cache_write=10, output=50, reasoning=40)
"""Of a prompt of 100 tokens."""

CHAT = {
    "prompt_tokens": 100,
    "completion_tokens": 50,
    "total_tokens": 150,
    "prompt_tokens_details": {"cached_tokens": 20, "cache_write_tokens": 10, "audio_tokens": 0},
    "completion_tokens_details": {"reasoning_tokens": 40},
}

RESPONSES = {
    "input_tokens": 100,
    "input_tokens_details": {"cached_tokens": 20, "cache_write_tokens": 10},
    "output_tokens": 50,
    "output_tokens_details": {"reasoning_tokens": 40},
    "total_tokens": 150,
}

ANTHROPIC = {
    "input_tokens": 70,
    "cache_read_input_tokens": 20,
    "cache_creation_input_tokens": 10,
    "cache_creation": {"ephemeral_5m_input_tokens": 10},
    "output_tokens": 50,
    "output_tokens_details": {"thinking_tokens": 40},
    "service_tier": "standard",
    "server_tool_use": None,
}

LANGCHAIN = {
    "input_tokens": 100,
    "output_tokens": 50,
    "total_tokens": 150,
    "input_token_details": {"cache_read": 20, "cache_creation": 10, "audio": 0},
    "output_token_details": {"reasoning": 40},
}

LANGCHAIN_BY_LIFETIME = LANGCHAIN | {
    "input_token_details": {
        "cache_read": 20,
        "cache_creation": 0,
        "ephemeral_5m_input_tokens": 7,
        "ephemeral_1h_input_tokens": 3,
    }
}

GIVEN: dict[str, object] = {
    "OpenAI chat": CHAT,
    "OpenAI chat, an object": SimpleNamespace(
        **CHAT
        | {"prompt_tokens_details": SimpleNamespace(cached_tokens=20, cache_write_tokens=10)}
        | {"completion_tokens_details": SimpleNamespace(reasoning_tokens=40)}
    ),
    "OpenAI responses": RESPONSES,
    "Anthropic": ANTHROPIC,
    "Anthropic, an object": SimpleNamespace(**ANTHROPIC),
    "pydantic-ai": OtherLibrarysUsage(100, 10, 20, 50, details={"reasoning_tokens": 40}),
    "LangChain": LANGCHAIN,
    "LangChain, by lifetime": LANGCHAIN_BY_LIFETIME,
    "our own names": {"input": 70, "cache_read": 20, "cache_write": 10, "output": 50, "reasoning": 40},
    "a usage": ALL,
}


@pytest.mark.parametrize("given", GIVEN.values(), ids=GIVEN)
def test_each_library_s_usage_is_the_same_usage(given: object) -> None:
    assert reported_usage(given, {"model": "m"}) == ALL
    priced = reported_usage(given, {"model": "m-2", "cost": 0.25, "attempts": 2})
    assert (priced.model, priced.cost, priced.attempts, priced.input) == ("m-2", 0.25, 2, 70)


def test_all_can_be_told_by_name() -> None:
    told = {"model": "gpt-5.4-mini", "input_tokens": 900, "output_tokens": 80}
    assert reported_usage(None, told) == Usage("gpt-5.4-mini", input=900, output=80)
    assert reported_usage(None, {"model": "m", "output": 80}) == Usage("m", output=80)
    assert reported_usage(None, {"model": "m", **LANGCHAIN}) == ALL
    assert reported_usage(Usage("m", input=1), {"input": 2}) == Usage("m", input=2)


def test_the_model_and_the_cost_may_be_in_the_object() -> None:
    sent = CHAT | {"model": "m", "cost": 0.002, "is_byok": False}
    assert reported_usage(sent, {}) == reported_usage(ALL, {"cost": 0.002})
    assert reported_usage(sent, {"model": "other", "cost": None}).cost is None


def test_what_is_missing_or_nothing_is_zero() -> None:
    empty = SimpleNamespace(input_tokens=9, output_tokens=None, cache_read_input_tokens=None)
    assert reported_usage(empty, {"model": "m"}) == Usage("m", input=9)
    assert reported_usage({"prompt_tokens": 9, "total_tokens": 12}, {"model": "m"}).output == 3


@pytest.mark.parametrize(
    ("given", "told", "why"),
    [
        (CHAT | {"prompt_tokens": -5}, {}, "tokens from 0 to 10,000,000 in `prompt_tokens`"),
        (CHAT | {"completion_tokens": "many"}, {}, "in `completion_tokens`"),
        (CHAT | {"prompt_tokens": 25}, {}, "at least 30 tokens, those of the cache, in `prompt_tokens`"),
        (RESPONSES | {"output_tokens": 0.5}, {}, "in `output_tokens`"),
        (None, {"input_tokens": -1}, "in `input_tokens`"),
        (None, {"input": 12.5}, "in `input`"),
        (Usage("m", input=-1), {}, "at `$.input`"),
        (Usage("m", output="12"), {}, "at `$.output`"),  # type: ignore[arg-type]
        (CHAT, {"cost": -0.5}, "at `$.cost`"),
        (CHAT, {"attempts": "two"}, "at `$.attempts`"),
        (None, {}, "it has no count by a name that is known"),
        ("100 tokens", {}, "it has no count by a name that is known"),
        (CHAT, {"input_token": 3}, "there is no `input_token`. Did you mean input_tokens?"),
        (ALL, {"input_tokens": 3}, "there is no `input_tokens`."),
    ],
)
def test_what_cannot_be_right_is_said_by_its_name(given: object, told: dict[str, object], why: str) -> None:
    with pytest.raises(Problem) as caught:
        checked_usage(reported_usage(given, {"model": "m"} | told))
    assert str(caught.value).startswith("the agent reported usage that cannot be stored (")
    assert why in str(caught.value) and "\n" not in str(caught.value)


def test_a_report_names_its_model() -> None:
    with pytest.raises(Problem, match="it has no model; add model=…"):
        reported_usage(CHAT, {})


@given(
    sent=st.dictionaries(
        st.sampled_from([*CHAT, *ANTHROPIC, *LANGCHAIN, "cache_read_tokens", "input", "cost", "model"]),
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
            lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner),
            max_leaves=3,
        ),
    )
)
def test_whatever_is_reported_is_a_usage_or_one_sentence(sent: dict[str, object]) -> None:
    try:
        found = checked_usage(reported_usage(sent, {"model": "m"}))
    except Problem as problem:
        assert "\n" not in str(problem)
    else:
        counts = found.input, found.cache_read, found.cache_write, found.output, found.reasoning
        assert min(counts) >= 0 and found.reasoning <= found.output
