"""Who serves a model: keys come from the environment or .env, and are never asked for twice."""

import asyncio
from pathlib import Path

import pytest

from supportagentbench.models import Model, ModelRequest
from supportagentbench.models.budget import Budget
from supportagentbench.models.http_client import ConnectionPool
from supportagentbench.models.provider import PROVIDERS, _env_file, key_of, open_model
from supportagentbench.models.spec import parse_model
from supportagentbench.records.problem import Problem


@pytest.fixture(autouse=True)
def no_keys(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for provider in PROVIDERS.values():
        for key in (*provider.keys, provider.url_variable):
            monkeypatch.delenv(key, raising=False)
    monkeypatch.chdir(tmp_path)
    _env_file.cache_clear()


def open_one(name: str) -> Model:
    return open_model(name, "agent", ConnectionPool(1), Budget())


@pytest.mark.parametrize("name", [name for name, provider in PROVIDERS.items() if provider.keys])
def test_without_a_key_one_sentence_says_what_to_set(name: str) -> None:
    with pytest.raises(Problem) as caught:
        open_one(f"{name}:some-model")
    assert PROVIDERS[name].keys[0] in str(caught.value)
    assert "sab run reference" in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["ollama:qwen3", "vllm:any", "openai:any,base_url=http://127.0.0.1:1/v1"])
def test_a_server_of_one_s_own_needs_no_key(name: str) -> None:
    assert key_of(parse_model(name)) == ""


def test_the_environment_goes_before_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    Path(".env").write_text("GOOGLE_API_KEY=from-file\nMISTRAL_API_KEY='in quotes'\n")
    assert key_of(parse_model("gemini:x")) == "from-file"
    assert key_of(parse_model("mistral:x")) == "in quotes"
    monkeypatch.setenv("GOOGLE_API_KEY", "from-environment")
    assert key_of(parse_model("gemini:x")) == "from-environment"


@pytest.mark.parametrize("name", ["gpt-5", "no.such.module:factory", "supportagentbench:nothing"])
def test_what_is_no_model_is_told_with_the_ways_to_name_one(name: str) -> None:
    with pytest.raises(Problem, match="openai:"):
        open_one(name)


def test_any_other_model_comes_from_a_factory(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "birds.py").write_text(
        "from supportagentbench.models import Completion\n"
        "from supportagentbench.records.usage import Usage\n"
        "class Bird:\n"
        "    name = 'bird'\n"
        "    async def complete(self, request):\n"
        "        return Completion('tweet', Usage('bird'))\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    assert asyncio.run(open_one("birds:Bird").complete(ModelRequest(()))).text == "tweet"
