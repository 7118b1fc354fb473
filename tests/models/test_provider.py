"""Who serves a model: keys come from the environment or .env, and are never asked for twice."""

import asyncio
from pathlib import Path

import pytest

from supportagentbench.concurrency.event_loop import drive
from supportagentbench.fake_provider.clerk import Clerk
from supportagentbench.fake_provider.provider import FakeProvider
from supportagentbench.models import Completion, Message, Model, ModelRequest
from supportagentbench.models.budget import Budget
from supportagentbench.models.http_client import ConnectionPool
from supportagentbench.models.provider import (
    PROVIDERS,
    ProviderModel,
    _env_file,
    address_of,
    key_of,
    open_model,
    sampling_of,
)
from supportagentbench.models.spec import parse_model
from supportagentbench.records.problem import Problem
from supportagentbench.records.tool_spec import ToolSpec


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


@pytest.mark.parametrize(
    "place", ["http://127.0.0.1:9", "https://proxy.test/anthropic", "https://proxy.test/"]
)
@pytest.mark.parametrize("end", ["", "/v1", "/v1/"])
def test_an_address_of_anthropic_s_has_the_form_of_its_own_library_or_ours(
    place: str, end: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = place.rstrip("/") + end
    monkeypatch.setenv("ANTHROPIC_BASE_URL", given)
    assert address_of(parse_model("anthropic:x")).url == place.rstrip("/") + "/v1"
    assert address_of(parse_model(f"anthropic:x,base_url={given}")).url == place.rstrip("/") + "/v1"
    assert address_of(parse_model(f"openai:x,base_url={given}")).url == given.rstrip("/"), "as it is"


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


@pytest.mark.parametrize(
    ("name", "variable", "url"),
    [
        ("openai:gpt-5.4", "", "https://api.openai.com/v1/responses"),
        ("openai:gpt-5.4", "https://api.openai.com/v1/", "https://api.openai.com/v1/responses"),
        ("openai:gpt-5.4", "https://eu.api.openai.com/v1", "https://eu.api.openai.com/v1/responses"),
        ("openai:gpt-5.4", "http://eu.api.openai.com/v1", "http://eu.api.openai.com/v1/chat/completions"),
        ("openai:any", "https://evil-api.openai.com/v1", "https://evil-api.openai.com/v1/chat/completions"),
        ("openai:any", "https://x.io/.api.openai.com/v1", "https://x.io/.api.openai.com/v1/chat/completions"),
        ("openai:gpt-5.4,api=chat", "", "https://api.openai.com/v1/chat/completions"),
        ("openai:gpt-5.4", "http://10.0.0.7/v1", "http://10.0.0.7/v1/chat/completions"),
        ("openai:any,base_url=http://10.0.0.7/v1", "", "http://10.0.0.7/v1/chat/completions"),
        ("openai:any,base_url=http://10.0.0.7/v1,api=responses", "", "http://10.0.0.7/v1/responses"),
        ("xai:grok", "", "https://api.x.ai/v1/chat/completions"),
    ],
)
def test_openai_itself_is_asked_in_its_api_of_today_and_others_in_chat_completions(
    name: str, variable: str, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    monkeypatch.setenv("XAI_API_KEY", "xai-test")
    monkeypatch.setenv("OPENAI_BASE_URL", variable)

    is_responses = url.endswith("/responses")
    assert sampling_of(parse_model(name)).get("api", "chat") == ("responses" if is_responses else "chat")

    async def asked_at() -> str:
        model = open_one(name)
        assert isinstance(model, ProviderModel)
        return str(model.client.url)

    assert asyncio.run(asked_at()) == url


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("xai:grok,api=responses", "leave out api=responses"),
        ("anthropic:claude,api=chat", "leave out api=chat"),
        ("openai:gpt-5.4,seed=true", "has no seed; leave it out, or set api=chat"),
        ("openai:gpt-5.4,api=soap", "must be chat or responses"),
    ],
)
def test_what_an_api_cannot_do_is_said_before_anything_is_sent(
    name: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for key in ("OPENAI_API_KEY", "XAI_API_KEY", "ANTHROPIC_API_KEY"):
        monkeypatch.setenv(key, "sk-test")
    with pytest.raises(Problem, match=words):
        open_one(name)


THINKERS = ("openai:gpt-5.4,api=responses", "anthropic:claude-haiku-4-5", "openai:gpt-5,api=chat")
LOOK = ToolSpec(
    "find_order", "Find an order.", {"type": "object", "properties": {"order": {"type": "string"}}}
)


@pytest.mark.parametrize("first", THINKERS)
@pytest.mark.parametrize("second", (*THINKERS, "openai:gpt-5.5,api=responses"))
def test_a_model_gets_its_own_thoughts_back_and_never_those_of_another(first: str, second: str) -> None:
    """The fake provider refuses reasoning that is missing, and any that it did not write."""

    async def talk(provider: FakeProvider) -> Completion:
        async with provider, ConnectionPool(2) as pool:
            one, two = (
                open_model(f"{name},base_url={provider.url}/v1", "agent", pool, Budget())
                for name in (first, second)
            )
            asked = Message("user", "Where is #1101?")
            found = await one.complete(ModelRequest((asked,), tools=(LOOK,)))
            (call,) = found.calls
            dialogue = (asked, found.message, Message("tool", "shipped", answers=call.id))
            return await two.complete(ModelRequest(dialogue, tools=(LOOK,)))

    provider = FakeProvider(Clerk(reasons=True), keep=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OPENAI_API_KEY", "sk-test")
        patch.setenv("ANTHROPIC_API_KEY", "sk-test")
        assert drive(talk(provider)).text
    sent = provider.seen[-1]
    is_back = b'"type":"reasoning"' in sent or b'"type":"thinking"' in sent
    assert is_back == (first == second != "openai:gpt-5,api=chat")
