"""Model spec: parses a model's name as people type it: `openai:gpt-5.4,effort=high,temperature=0`."""

from collections.abc import Iterable
from math import isfinite
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from supportagentbench.models.address import keep_credentials, recorded_address
from supportagentbench.records.did_you_mean import did_you_mean
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import Record
from supportagentbench.records.secrets import without_secrets

MOST_TOKENS = 10_000_000
"""More than any model writes in one answer."""

LONGEST_WAIT = 86_400.0
"""Seconds of a day."""

Api = Literal["", "chat", "responses"]
"""Which of OpenAI's APIs is used; empty: Responses at its own address, chat completions elsewhere."""


class ModelSpec(Record):
    """Settings of a model; anything not set is left to the provider's default."""

    temperature: Annotated[float, Meta(ge=0, le=2)] | None = None
    top_p: Annotated[float, Meta(ge=0, le=1)] | None = None
    max_tokens: Annotated[int, Meta(ge=1, le=MOST_TOKENS)] | None = None
    effort: Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{1,32}$")] = ""
    """Reasoning effort, in the provider's terms: low, medium, high …"""
    seed: bool = False
    """Send a seed, a different one for every conversation and run."""
    base_url: Annotated[str, Meta(pattern=r"^https?://[!-~]{1,2000}$")] = ""
    """The provider's API, if it is not the default address."""
    api: Api = ""
    timeout: Annotated[float, Meta(ge=0.001, le=LONGEST_WAIT)] = 600.0
    """Seconds one attempt may take in total."""

    @property
    def spread(self) -> dict[str, float]:
        """How freely words are chosen, as far as it is set; every dialect calls it the same."""
        found = {"temperature": self.temperature, "top_p": self.top_p}
        return {name: value for name, value in found.items() if value is not None}


REMEDIES = {
    "temperature": "a number from 0 to 2",
    "top_p": "a number from 0 to 1",
    "max_tokens": f"a whole number from 1 to {MOST_TOKENS:,}",
    "effort": "one word, such as low, medium or high",
    "seed": "true or false",
    "api": "chat or responses",
    "base_url": "an address that begins with http:// or https://",
    "timeout": f"seconds, from 0.001 to {LONGEST_WAIT:,.0f}",
}
"""By setting, what it may be."""


class ModelName(Record):
    """A parsed model name."""

    provider: str
    model: str
    settings: ModelSpec

    @property
    def shown(self) -> str:
        """The name without its address, as boards print it."""
        extra = [
            f",{key}={_typed(value)}"
            for key, value in self.sampling.items()
            if key not in ("base_url", "timeout")
        ]
        return without_secrets(f"{self.provider}:{self.model}{''.join(extra)}")

    @property
    def sampling(self) -> dict[str, str | bool | int | float]:
        """The settings as a run's header stores them: of an address, the server."""
        given = msgspec.structs.asdict(self.settings)
        plain = msgspec.structs.asdict(ModelSpec())
        found = {key: value for key, value in given.items() if value != plain[key]}
        return found | ({"base_url": recorded_address(url)} if (url := self.settings.base_url) else {})


def parse_model(name: str) -> ModelName:
    """Parse `provider:model,key=value,…`."""
    keep_credentials(name)
    address, *pairs = name.split(",")
    provider, _, model = address.partition(":")
    if not model:
        raise Problem(f"{name!r} has no model name; write provider:model, such as openai:gpt-5.4.")
    if not address.isprintable():
        raise Problem(f"{address!r} is not a valid model name: it has unprintable characters.")
    settings = _settings(address, pairs)
    if "@" in settings.base_url:
        raise Problem(f"the base_url of {address} contains credentials; put the key into the environment.")
    return ModelName(provider, model, settings)


def _settings(model: str, pairs: Iterable[str]) -> ModelSpec:
    """The settings that were typed; one that no provider could understand is named with what it may be."""
    given: dict[str, str] = {}
    for pair in pairs:
        key, _, value = (part.strip() for part in pair.partition("="))
        if key not in REMEDIES:
            near = did_you_mean(key, REMEDIES)
            raise Problem(f"{model} has no setting {key!r}; use {', '.join(REMEDIES)}.{near}")
        if key in given:
            raise Problem(f"{model} is given {key} twice; keep one of them.")
        given[key] = value
        if not _can_be(key, value):
            typed = "" if key == "base_url" else f", not {value!r}"  # An address may have a key in it.
            raise Problem(f"the setting {key} of {model} must be {REMEDIES[key]}{typed}.")
    return msgspec.convert(given, ModelSpec, strict=False)


def _can_be(key: str, value: str) -> bool:
    try:
        found = getattr(msgspec.convert({key: value}, ModelSpec, strict=False), key)
    except msgspec.ValidationError:
        return False
    return found is not None and (not isinstance(found, float) or isfinite(found))


def _typed(value: str | bool | int | float) -> str:
    """A setting as it can be typed again."""
    if isinstance(value, bool):
        return str(value).lower()
    short = f"{value:g}" if isinstance(value, float) else str(value)
    return short if not isinstance(value, float) or float(short) == value else repr(value)
