"""Whether a server answered as the model that it was asked for."""

import pytest

from supportagentbench.models.alias import is_same_model


@pytest.mark.parametrize(
    ("asked", "answered"),
    [
        ("gpt-5.4", "gpt-5.4"),
        ("gpt-5.4", "gpt-5.4-2026-03-05"),
        ("claude-haiku-4-5", "claude-haiku-4-5-20251001"),
        ("claude-3-5-sonnet-latest", "claude-3-5-sonnet-20241022"),
        ("grok-4", "grok-4-0709"),
        ("gemini-2.5-flash", "models/gemini-2.5-flash-001"),
        ("moonshotai/kimi-k2.6:free", "moonshotai/kimi-k2.6"),
        ("openai/gpt-5", "gpt-5"),
        ("llama3", "llama3:latest"),
        ("Meta-Llama/Llama-3.3-70B", "llama-3.3-70b"),
        ("gpt-4o-2024-08-06", "gpt-4o"),
    ],
)
def test_a_snapshot_a_maker_and_a_route_are_no_other_model(asked: str, answered: str) -> None:
    assert is_same_model(asked, answered)


@pytest.mark.parametrize(
    ("asked", "answered"),
    [
        ("gpt-5.4", "gpt-5.4-mini"),
        ("gpt-5.4", "gpt-5"),
        ("gpt-4o-2024-05-13", "gpt-4o-2024-08-06"),
        ("llama3:70b", "llama3:8b"),
        ("claude-opus-4-5", "claude-haiku-4-5"),
        ("gpt-5", "qwen3"),
    ],
)
def test_a_smaller_sister_or_another_snapshot_is(asked: str, answered: str) -> None:
    assert not is_same_model(asked, answered)
