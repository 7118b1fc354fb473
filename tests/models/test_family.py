"""Kin: one family however it is reached, and no name that tells a judge whom it reads."""

import pytest

from supportagentbench.models.family import families, refuse_same_family, same_family, without_names
from supportagentbench.records.problem import Problem


@pytest.mark.parametrize(
    ("model", "family"),
    [
        ("gpt-5.5", {"gpt"}),
        ("openai:o3", {"gpt"}),
        ("azure:gpt4o-prod", {"gpt"}),
        ("openrouter:openai/gpt-oss-120b", {"gpt"}),
        ("openrouter:anthropic/claude-sonnet-4.5", {"claude"}),
        ("bedrock:us.anthropic.claude-x", {"claude"}),
        ("haiku-4.5", {"claude"}),
        ("google/gemma-4-31b", {"gemini"}),
        ("gemini-3.1-flash-lite", {"gemini"}),
        ("x-ai/grok-4.3", {"grok"}),
        ("qwen3.7-plus", {"qwen"}),
        ("deepseek-v4-pro", {"deepseek"}),
        ("kimi-k2.7-code", {"kimi"}),
        ("ollama:llama3:8b", {"llama"}),
        ("mistralai/magistral-medium", {"mistral"}),
        ("z-ai/glm-5.2", {"glm"}),
        ("minimax-m3", {"minimax"}),
        ("mimo-v2.5-pro", {"mimo"}),
        ("openai:qwen3.7", {"qwen"}),
        ("openai:qwen3.7@https://api.openai.com/v1", {"qwen"}),
        ("deepseek/deepseek-r1-distill-llama-70b:free", {"deepseek", "llama"}),
        ("groq:something", set()),
        ("oracle", set()),
        ("my_shop.agents:Agent", set()),
    ],
)
def test_a_family_is_known_by_the_model_and_not_by_the_way_to_it(model: str, family: set[str]) -> None:
    assert families(model) == family


def test_kin_share_a_family_or_a_name() -> None:
    assert same_family("openrouter:anthropic/claude-opus-4", "haiku-4.5")
    assert same_family("llama-4", "deepseek-r1-distill-llama-70b")
    assert same_family("acme-1", "acme-1")
    assert not same_family("gpt-5.5", "gemini-3.1-pro")
    assert not same_family("acme-1", "acme-2")


def test_a_judge_is_refused_its_kin_and_told_how_to_insist() -> None:
    refuse_same_family("gpt-5.5", "gemini-3.1-pro")
    with pytest.raises(Problem, match=r"openai:o3 would judge gpt-5\.5.*--allow-same-family"):
        refuse_same_family("gpt-5.5", "openai:o3")


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("I am Claude.", "I am [name]."),
        ("I'm GPT-4o, made by OpenAI!", "I'm [name], made by [name]!"),
        ("claude-sonnet-4.5 here", "[name] here"),
        ("Qwen2.5-72B-Instruct", "[name]"),
        ("the Opus 4.5 model", "the [name] model"),
        ("\nGrok says", "\n[name] says"),
    ],
)
def test_names_of_models_and_makers_are_taken_out(said: str, shown: str) -> None:
    assert without_names(said) == shown


@pytest.mark.parametrize(
    "plain", ["Step 2: open the box.", "my magnum opus", "the command 3 lines down", "nova, meta", "o3"]
)
def test_everyday_words_stay(plain: str) -> None:
    assert without_names(plain) == plain
