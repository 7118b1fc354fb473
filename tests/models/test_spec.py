"""A model's name, as people type it, says all that is asked of a provider beyond the request."""

import re

import pytest

from supportagentbench.models.spec import parse_model
from supportagentbench.records.problem import Problem


def test_provider_model_and_settings_are_told_apart() -> None:
    name = parse_model("openrouter:moonshotai/kimi-k2.6:free,effort=high,temperature=0,max_tokens=900")
    assert (name.provider, name.model) == ("openrouter", "moonshotai/kimi-k2.6:free")
    assert name.settings.effort == "high"
    assert name.settings.temperature == 0
    assert name.settings.max_tokens == 900


def test_the_shown_name_holds_what_changes_the_answers_and_not_the_place() -> None:
    name = parse_model("openai:gpt-5.4,base_url=http://10.0.0.7/v1,temperature=0.5,seed=1")
    assert name.shown == "openai:gpt-5.4,temperature=0.5,seed=true"
    assert parse_model(name.shown).settings.seed
    assert re.fullmatch(r"http://10\.0\.0\.7 \(path [0-9a-f]{4}\)", str(name.sampling["base_url"]))


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("openai:", "has no model name"),
        ("openai:gpt-5,heat=1", "use temperature"),
        ("openai:gpt-5,temperature=warm", "temperature"),
        ("openai:gpt-5,base_url=https://me:secret@host/v1", "contains credentials"),
    ],
)
def test_what_cannot_be_read_is_told_in_one_sentence(name: str, told: str) -> None:
    with pytest.raises(Problem, match=told) as caught:
        parse_model(name)
    assert "secret" not in str(caught.value)
