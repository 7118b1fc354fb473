"""Provider: who serves a model, at which address, in which dialect, and which variable holds the key."""

import importlib
import os
from functools import cache
from pathlib import Path
from typing import Literal

import msgspec
from dotenv import dotenv_values

from supportagentbench.models import Completion, Model, ModelError, ModelRequest
from supportagentbench.models.anthropic import Anthropic
from supportagentbench.models.budget import Budget, MeteredModel
from supportagentbench.models.dialect import Dialect
from supportagentbench.models.foreign_model import ForeignModel
from supportagentbench.models.http_client import ConnectionPool, HttpClient, RetriesExhausted
from supportagentbench.models.openai import OpenAI
from supportagentbench.models.spec import ModelName, parse_model
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import Record
from supportagentbench.records.usage import Usage

Role = Literal["agent", "customer", "judge", "second_judge"]


class Provider(Record):
    """A service that serves models."""

    base_url: str
    dialect: OpenAI | Anthropic
    keys: tuple[str, ...] = ()
    """Variables that may hold the key, in order of preference; empty: no key is needed."""
    url_variable: str = ""
    """The variable that may set another address."""
    prices: str = ""
    """The provider's name in the price table; empty: it is not there."""


THINKS = ("reasoning_content",)

PROVIDERS: dict[str, Provider] = {
    "openai": Provider(
        "https://api.openai.com/v1",
        OpenAI(most="max_completion_tokens"),
        ("OPENAI_API_KEY",),
        "OPENAI_BASE_URL",
        "openai",
    ),
    "anthropic": Provider(
        "https://api.anthropic.com/v1",
        Anthropic(),
        ("ANTHROPIC_API_KEY",),
        "ANTHROPIC_BASE_URL",
        "anthropic",
    ),
    "openrouter": Provider(
        "https://openrouter.ai/api/v1",
        OpenAI(gives_back=("reasoning_details",)),
        ("OPENROUTER_API_KEY",),
        prices="openrouter",
    ),
    "gemini": Provider(
        "https://generativelanguage.googleapis.com/v1beta/openai",
        OpenAI(),
        ("GEMINI_API_KEY", "GOOGLE_API_KEY"),
        prices="google",
    ),
    "xai": Provider("https://api.x.ai/v1", OpenAI(), ("XAI_API_KEY",), prices="x-ai"),
    "deepseek": Provider(
        "https://api.deepseek.com/v1",
        OpenAI(schemas=False, gives_back=THINKS),
        ("DEEPSEEK_API_KEY",),
        prices="deepseek",
    ),
    "moonshot": Provider(
        "https://api.moonshot.ai/v1",
        OpenAI(schemas=False, gives_back=THINKS),
        ("MOONSHOT_API_KEY",),
        prices="moonshotai",
    ),
    "qwen": Provider(
        "https://dashscope-intl.aliyuncs.com/compatible-mode/v1",
        OpenAI(schemas=False),
        ("DASHSCOPE_API_KEY",),
    ),
    "mistral": Provider(
        "https://api.mistral.ai/v1",
        OpenAI(seed="random_seed"),
        ("MISTRAL_API_KEY",),
        prices="mistral",
    ),
    "groq": Provider("https://api.groq.com/openai/v1", OpenAI(), ("GROQ_API_KEY",), prices="groq"),
    "together": Provider(
        "https://api.together.xyz/v1",
        OpenAI(),
        ("TOGETHER_API_KEY",),
        prices="together",
    ),
    "ollama": Provider(
        "http://localhost:11434/v1", OpenAI(gives_back=("reasoning",)), url_variable="OLLAMA_BASE_URL"
    ),
    "vllm": Provider("http://localhost:8000/v1", OpenAI(gives_back=THINKS), url_variable="VLLM_BASE_URL"),
}
"""Known providers. Any other that speaks one of the dialects: `openai:model,base_url=…`."""


class ProviderModel:
    """One model at one provider, in one role."""

    def __init__(self, name: ModelName, dialect: Dialect, client: HttpClient, role: Role) -> None:
        self.name = name.shown
        self.asked_for = name.model
        self.settings = name.settings
        self.dialect = dialect
        self.client = client
        self.role: Role = role

    async def complete(self, request: ModelRequest) -> Completion:
        body = self.dialect.body(self.asked_for, request, self.settings)
        try:
            completion, attempts, lost = await self.client.ask(body, self.dialect.read)
        except RetriesExhausted as error:
            usage = Usage(self.asked_for, self.role, attempts=error.attempts, lost=error.lost)
            raise ModelError(error.last.cause, error.last.message, usage) from None
        usage = msgspec.structs.replace(
            completion.usage,
            model=completion.usage.model or self.asked_for,
            role=self.role,
            attempts=attempts,
            lost=lost,
        )
        return msgspec.structs.replace(completion, usage=usage)


def is_model(name: str) -> bool:
    """Whether this is the name of a model and not of an agent."""
    return name.partition(":")[0] in (*PROVIDERS, "local")


def open_model(name: str, role: Role, pool: ConnectionPool, budget: Budget) -> Model:
    """The model of this name, ready for requests that are charged to this budget."""
    if not is_model(name):
        return _factory(name)
    parsed = parse_model(name)
    if parsed.provider == "local":
        from supportagentbench.models.local import LocalModel

        local: Model = LocalModel(parsed, role)
        return local
    provider = PROVIDERS[parsed.provider]
    base_url = (parsed.settings.base_url or _variable(provider.url_variable) or provider.base_url).rstrip("/")
    client = HttpClient(
        pool,
        base_url + provider.dialect.path,
        provider.dialect.headers(key_of(parsed)),
        parsed.settings.timeout,
    )
    model = ProviderModel(parsed, provider.dialect, client, role)
    return MeteredModel(model, budget, provider.prices, parsed.model)


def key_of(name: ModelName) -> str:
    """The key for a model's provider, or a Problem that says where to set it."""
    provider = PROVIDERS[name.provider]
    for variable in provider.keys:
        if found := _variable(variable).strip():
            return found
    if not provider.keys or name.settings.base_url:
        return _variable(f"{name.provider.upper()}_API_KEY")
    raise Problem(
        f"{name.provider}: needs a key; set {' or '.join(provider.keys)} in the environment or in .env, "
        "or run without any key: `sab run reference`."
    )


def has_key(name: str) -> bool:
    """Whether there is a key for this model's provider."""
    return any(_variable(variable).strip() for variable in PROVIDERS[parse_model(name).provider].keys)


def _variable(name: str) -> str:
    """A variable of the environment, or of the file .env."""
    return os.environ.get(name) or _env_file().get(name) or "" if name else ""


@cache
def _env_file() -> dict[str, str | None]:
    path = Path(".env")
    return dotenv_values(path) if path.is_file() else {}


def _factory(name: str) -> Model:
    module, colon, attribute = name.partition(":")
    known = ", ".join(f"{provider}:" for provider in PROVIDERS)
    if not colon:
        raise Problem(f"no model is called {name!r}; write provider:model with one of {known} or "
                      "package.module:factory.")  # fmt: skip
    try:
        made: Model = getattr(importlib.import_module(module), attribute)()
    except (ImportError, AttributeError, TypeError) as error:
        raise Problem(
            f"the model {name!r} cannot be created: {error}; write provider:model with one of {known} or "
            "package.module:factory."
        ) from None
    return ForeignModel(made, name)
