"""Provider: who serves a model, at which address, in which dialect, and which variable holds the key."""

import importlib
import os
import re
from functools import cache, partial
from io import StringIO
from pathlib import Path
from typing import Literal

import msgspec
from dotenv import dotenv_values

from supportagentbench.models import Completion, Model, ModelError, ModelRequest
from supportagentbench.models.address import ApiAddress, read_address
from supportagentbench.models.alias import LONGEST_NAME, is_same_model
from supportagentbench.models.anthropic import Anthropic
from supportagentbench.models.budget import Account, Budget, Tariff
from supportagentbench.models.counts import with_credible_usage
from supportagentbench.models.dialect import Dialect
from supportagentbench.models.foreign_model import ForeignModel
from supportagentbench.models.http_client import ConnectionPool, HttpClient, RetriesExhausted
from supportagentbench.models.openai import OpenAI
from supportagentbench.models.oversize import cut
from supportagentbench.models.responses import Responses
from supportagentbench.models.spec import ModelName, parse_model
from supportagentbench.records.did_you_mean import did_you_mean
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import Record, readable
from supportagentbench.records.secrets import keep_secret
from supportagentbench.records.usage import Usage
from supportagentbench.storage.file import read_bounded

Role = Literal["agent", "customer", "judge", "second_judge"]


class Provider(Record):
    """A service that serves models."""

    base_url: str
    dialect: OpenAI | Anthropic
    keys: tuple[str, ...] = ()
    """Variables that may hold the key, in order of preference; empty: no key is needed."""
    url_variable: str = ""
    """The variable of the environment that may set another address; one in .env is refused."""
    prices: str = ""
    """The provider's name in the price table; empty: it is not there."""
    at_home: Responses | None = None
    """The dialect at its own address, if that is another one."""
    version: str = ""
    """The end of its address's path, which its own libraries add; empty: they take addresses as they are."""


THINKS = ("reasoning_content",)

PROVIDERS: dict[str, Provider] = {
    "openai": Provider(
        "https://api.openai.com/v1",
        OpenAI(most="max_completion_tokens"),
        ("OPENAI_API_KEY",),
        "OPENAI_BASE_URL",
        "openai",
        at_home=Responses(),
    ),
    "anthropic": Provider(
        "https://api.anthropic.com/v1",
        Anthropic(),
        ("ANTHROPIC_API_KEY",),
        "ANTHROPIC_BASE_URL",
        "anthropic",
        version="/v1",
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


PLAIN_SETTINGS = frozenset(("temperature", "top_p", "max_tokens", "effort", "seed", "api", "timeout"))
"""Settings that a file may give a model: none of them changes who gets its requests and the key."""


class ProviderModel:
    """One model at one provider, in one role."""

    def __init__(
        self, name: ModelName, dialect: Dialect, client: HttpClient, role: Role, account: Account
    ) -> None:
        self.name = name.shown
        self.asked_for = name.model
        self.settings = name.settings
        self.dialect = dialect
        self.client = client
        self.role: Role = role
        self.account = account
        self.author = f"{name.provider}:{name.model}{dialect.path}"

    async def complete(self, request: ModelRequest) -> Completion:
        body = self.dialect.body(self.asked_for, self._without_foreign(request), self.settings)
        try:
            completion, usage, attempts, lost = await self.client.ask(
                body, partial(self._read, request), self.account
            )
        except RetriesExhausted as error:
            usage = Usage(
                self.asked_for,
                self.role,
                attempts=error.attempts,
                lost=error.lost,
                lost_cost=self._lost_cost(error.lost, body),
            )
            raise ModelError(error.last.cause, error.last.message, usage) from None
        answered = readable(completion.usage.model)[:LONGEST_NAME] or self.asked_for
        usage = msgspec.structs.replace(
            usage,
            model=answered,
            asked="" if is_same_model(self.asked_for, answered) else self.asked_for,
            role=self.role,
            attempts=attempts,
            lost=lost,
            lost_cost=self._lost_cost(lost, body, usage.lost_cost),
        )
        return msgspec.structs.replace(completion, usage=usage, author=self.author)

    def _read(self, request: ModelRequest, data: bytes) -> Completion:
        """The completion in an answer; where tokens are paid for, their counts have to fit the words."""
        completion = cut(self.dialect.read(data), len(data))
        return with_credible_usage(completion, request) if self.account.tariff.is_paid else completion

    def _without_foreign(self, request: ModelRequest) -> ModelRequest:
        """The request without what others thought: they alone can read it, and a provider would refuse it."""
        if all(one.native is None or one.author == self.author for one in request.messages):
            return request
        messages = (
            one if one.author == self.author else msgspec.structs.replace(one, native=None)
            for one in request.messages
        )
        return msgspec.structs.replace(request, messages=tuple(messages))

    def _lost_cost(self, lost: int, body: bytes, unread: float | None = None) -> float | None:
        """Dollars that lost tries may have cost at most, besides an answer with unread counts."""
        most = self.account.tariff.most(len(body)) if lost else None
        return unread if most is None else lost * most + (unread or 0.0)


def is_model(name: str) -> bool:
    """Whether this is the name of a model and not of an agent."""
    return name.partition(":")[0] in (*PROVIDERS, "local")


def is_plain_model(name: str) -> bool:
    """Whether this is a model at its provider's own address, without code: a file may name it."""
    if not is_model(name):
        return False
    try:
        parsed = parse_model(name)
    except Problem:
        return False
    if parsed.provider == "local":
        from supportagentbench.models.local import SMALL

        return parsed.model == SMALL  # Any other is a file that native code would read.
    return parsed.sampling.keys() <= PLAIN_SETTINGS


def shown_name(name: str) -> str:
    """A model as records name it: without its address, which says nothing about the model."""
    return parse_model(name).shown if is_model(name) else name


def open_model(name: str, role: Role, pool: ConnectionPool, budget: Budget) -> Model:
    """The model of this name, ready for requests that are charged to this budget."""
    if not is_model(name):
        if budget.limit is not None:
            raise unpriced_problem([name])
        return _factory(name, role)
    parsed = parse_model(name)
    if parsed.provider == "local":
        from supportagentbench.models.local import LocalModel

        local: Model = LocalModel(parsed, role)
        return local
    provider = PROVIDERS[parsed.provider]
    address, key = address_of(parsed), key_of(parsed)
    dialect = _dialect_of(parsed, provider, address.url)
    if key and address.credentials:
        raise Problem(
            f"{parsed.provider}: there is a key and the address has a password; unset "
            f"{key_variable(parsed)}, or take the password out of {provider.url_variable}."
        )
    headers = dialect.headers(key) | address.headers
    client = HttpClient(pool, address.url + dialect.path, headers, parsed.settings.timeout)
    tariff = Tariff(parsed.model, provider.prices, bool(provider.keys), dialect.most_tokens(parsed.settings))
    account = _account_of(parsed, tariff, budget, client.url.host or "")
    return ProviderModel(parsed, dialect, client, role, account)


def sampling_of(name: ModelName) -> dict[str, str | bool | int | float]:
    """The settings as a run's header stores them; Responses is named even where it is the default."""
    provider = PROVIDERS.get(name.provider)
    if provider and isinstance(_dialect_of(name, provider, address_of(name).url), Responses):
        return name.sampling | {"api": "responses"}
    return name.sampling


def _dialect_of(name: ModelName, provider: Provider, base_url: str) -> Dialect:
    """The dialect used at this address, unless the name says which."""
    settings, at_home = name.settings, provider.at_home
    if settings.api and at_home is None:
        raise Problem(
            f"{name.provider}: has one API; leave out api={settings.api}, a setting of openai: alone."
        )
    if at_home is None or settings.api == "chat" or not (settings.api or _is_home(provider, base_url)):
        return provider.dialect
    if settings.seed:
        raise Problem(f"{name.shown}: the Responses API has no seed; leave it out, or set api=chat.")
    return at_home


def _is_home(provider: Provider, base_url: str) -> bool:
    """Whether this is the provider's own address, or one of its regions: eu.api.openai.com."""
    home = provider.base_url.removeprefix("https://")
    given = base_url.removeprefix("https://")
    return given != base_url and (
        given == home or re.fullmatch(rf"[a-z0-9-]+\.{re.escape(home)}", given) is not None
    )


def _account_of(name: ModelName, tariff: Tariff, budget: Budget, host: str) -> Account:
    """The account that a model's requests are charged to; with a limit, its price has to be known."""
    if budget.limit is not None and tariff.most(0) is None:
        raise unpriced_problem([name.shown])
    return Account(budget, tariff, f"{name.shown} at {host}")


def unpriced_problem(names: list[str]) -> Problem:
    """Why a budget cannot be kept with these models."""
    return Problem(
        f"the price of {', '.join(names)} is unknown, so --budget cannot be enforced; leave it out."
    )


def address_of(name: ModelName) -> ApiAddress:
    """Where a model's requests go: as its settings say, or the environment, or by default."""
    found, version = _named_address(name), PROVIDERS[name.provider].version
    return found if found.url.endswith(version) else found._replace(url=found.url + version)


def _named_address(name: ModelName) -> ApiAddress:
    provider, variable = PROVIDERS[name.provider], PROVIDERS[name.provider].url_variable
    if name.settings.base_url:
        return read_address(name.settings.base_url, f"the base_url of {name.provider}:{name.model}")
    if given := os.environ.get(variable, ""):
        return read_address(given, variable)
    if _env_file().get(variable):
        # A folder from someone else could send the user's key to any server.
        raise Problem(
            f"{variable} is set in .env, and addresses are not read from there; delete the line, and set it "
            f"in the environment or as {name.provider}:{name.model},base_url=… if you want it."
        )
    return read_address(provider.base_url, name.provider)


def host_of(name: str) -> str:
    """The server that gets a model's requests; empty if it is none that is reached over a network."""
    return address_of(parse_model(name)).host if name.partition(":")[0] in PROVIDERS else ""


def is_own_server(name: str, host: str) -> bool:
    """Whether a model was asked at its provider; one without keys has no server of its own."""
    provider = PROVIDERS.get(name.partition(":")[0])
    if provider is None or not provider.keys or not host:
        return True
    home = read_address(provider.base_url, name).host
    return host == home or host.endswith(f".{home}")


def key_of(name: ModelName) -> str:
    """The key for a model's provider, or a Problem that says where to set it."""
    provider = PROVIDERS[name.provider]
    if variable := key_variable(name):
        key = _variable(variable).strip()
        keep_secret(key)
        return key
    if not provider.keys or name.settings.base_url:
        return ""
    raise Problem(
        f"{name.provider}: needs a key; set {' or '.join(provider.keys)} in the environment or in .env, "
        "or run without any key: `sab run reference`."
    )


def key_variable(name: ModelName) -> str:
    """The variable that holds the key for a model's provider; empty if there is none."""
    known = PROVIDERS[name.provider].keys
    if not known or name.settings.base_url:
        known = (*known, f"{name.provider.upper()}_API_KEY")
    return next((variable for variable in known if _variable(variable).strip()), "")


def keep_known_keys() -> None:
    """Keep every configured provider key secret, even if unused: an agent may use it."""
    for provider, served in PROVIDERS.items():
        for variable in served.keys or (f"{provider.upper()}_API_KEY",):
            keep_secret(_variable(variable).strip())


def has_key(name: str) -> bool:
    """Whether there is a key for this model's provider."""
    return any(_variable(variable).strip() for variable in PROVIDERS[parse_model(name).provider].keys)


def _variable(name: str) -> str:
    """A variable of the environment, or of the file .env."""
    return os.environ.get(name) or _env_file().get(name) or "" if name else ""


LARGEST_ENV = 64_000
"""Bytes of a file `.env`."""


@cache
def _env_file() -> dict[str, str | None]:
    path = Path(".env")
    try:
        if not path.is_file():
            return {}
        text = read_bounded(path, LARGEST_ENV, follow=True).decode()
        # Values that refer to others are not filled in: a few kilobytes of them take minutes.
        return dotenv_values(stream=StringIO(text, newline=None), interpolate=False)
    except UnicodeDecodeError as error:
        raise Problem(f"cannot be read ({error}); correct it or move it away.", place=path) from None


def _factory(name: str, role: Role) -> Model:
    module, colon, attribute = name.partition(":")
    known = ", ".join(f"{provider}:" for provider in PROVIDERS)
    if not colon:
        near = did_you_mean(name, (*PROVIDERS, "scripted", "auto"))
        raise Problem(
            f"no model is called {name!r}; write provider:model with one of {known} or "
            f"package.module:factory.{near}"
        )
    try:
        made: Model = getattr(importlib.import_module(module), attribute)()
    except (ImportError, AttributeError, TypeError) as error:
        raise Problem(
            f"the model {name!r} cannot be created: {error}; write provider:model with one of {known} or "
            f"package.module:factory.{did_you_mean(module, PROVIDERS)}"
        ) from None
    return ForeignModel(made, name, role)
