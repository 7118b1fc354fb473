"""Which customer writes to the desk where nobody has named one."""

import pytest

from supportagentbench.customer.choice import MODELS, choose_customer
from supportagentbench.models.provider import PROVIDERS
from supportagentbench.records.problem import Problem

MODEL = "openai:gpt-5.4"


@pytest.fixture(autouse=True)
def no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for provider in PROVIDERS.values():
        for variable in provider.keys:
            monkeypatch.delenv(variable, raising=False)


def chosen(*agents: str, asked: str = "auto", stored: tuple[str, ...] = ()) -> str:
    models = [name for name in agents if name.startswith("openai:")]
    known = set(agents) <= {"oracle", "silent"}
    return choose_customer(asked, agents, stored, models=models, has_known_words=known).name


def test_a_name_is_taken_as_it_is() -> None:
    assert chosen(MODEL, asked="openai:gpt-5.5") == "openai:gpt-5.5"
    assert chosen(MODEL, asked="scripted") == "scripted"


def test_built_in_agents_have_the_scripted_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "x")
    assert chosen("oracle", "silent") == "scripted"


def test_without_a_key_there_is_only_the_scripted_one() -> None:
    choice = choose_customer("auto", [MODEL], [], models=[MODEL])
    assert choice == ("scripted", "there is no key for a model")


def test_a_model_is_heard_by_a_model_of_another_family_where_possible(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "x")
    assert chosen(MODEL) == "openai:gpt-5.4-mini"
    assert "same family" in choose_customer("auto", [MODEL], [], models=[MODEL]).why
    monkeypatch.setenv("ANTHROPIC_API_KEY", "x")
    assert chosen(MODEL) == "anthropic:claude-haiku-4-5"
    assert chosen("anthropic:claude-sonnet-5") == "openai:gpt-5.4-mini"


def test_a_key_that_may_be_for_another_server_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "x")
    assert chosen("openai:mine,base_url=http://127.0.0.1:1/v1") == "scripted"
    monkeypatch.setenv("GEMINI_API_KEY", "x")
    assert chosen("openai:mine,base_url=http://127.0.0.1:1/v1") == "gemini:gemini-3.5-flash"


def test_somebodys_own_agent_is_heard_by_a_model_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MISTRAL_API_KEY", "x")
    assert chosen("my_shop:MyAgent", "oracle") == "mistral:mistral-medium-latest"


def test_it_never_changes_within_a_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "x")
    assert chosen(MODEL, stored=("scripted",)) == "scripted"
    assert chosen("oracle", stored=("openai:gpt-5.4-mini",)) == "openai:gpt-5.4-mini"
    with pytest.raises(Problem, match="different customers"):
        chosen(MODEL, stored=("scripted", "openai:gpt-5.4-mini"))


def test_every_model_on_the_list_has_a_provider_with_a_price() -> None:
    assert all(PROVIDERS[name.partition(":")[0]].prices for name in MODELS)
