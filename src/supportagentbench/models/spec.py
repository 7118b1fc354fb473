"""Model spec: parses a model's name as people type it: `openai:gpt-5.4,effort=high,temperature=0`."""

from typing import Literal

import msgspec

from supportagentbench.records.problem import Problem
from supportagentbench.records.record import Record

Api = Literal["", "chat", "responses"]
"""Which of OpenAI's APIs is spoken; empty: Responses at its own address, chat completions elsewhere."""


class ModelSpec(Record):
    """Settings of a model; anything not set is left to the provider's default."""

    temperature: float | None = None
    top_p: float | None = None
    max_tokens: int | None = None
    effort: str = ""
    """Reasoning effort, in the provider's terms: low, medium, high …"""
    seed: bool = False
    """Send a seed, a different one for every conversation and run."""
    base_url: str = ""
    """The provider's API, if it is not the default address."""
    api: Api = ""
    timeout: float = 600.0
    """Seconds one attempt may take in total."""


class ModelName(Record):
    """A parsed model name."""

    provider: str
    model: str
    settings: ModelSpec

    @property
    def shown(self) -> str:
        """The name without its address, as boards print it."""
        given = msgspec.structs.asdict(self.settings)
        plain = msgspec.structs.asdict(ModelSpec())
        extra = [f",{key}={_typed(value)}" for key, value in given.items()
                 if value != plain[key] and key not in ("base_url", "timeout")]  # fmt: skip
        return f"{self.provider}:{self.model}{''.join(extra)}"

    @property
    def sampling(self) -> dict[str, str | int | float]:
        """The settings as a run's header stores them."""
        given = msgspec.structs.asdict(self.settings)
        plain = msgspec.structs.asdict(ModelSpec())
        return {key: value for key, value in given.items() if value != plain[key]}


def parse_model(name: str) -> ModelName:
    """Parse `provider:model,key=value,…`."""
    address, *pairs = name.split(",")
    provider, _, model = address.partition(":")
    given = dict(pair.partition("=")[::2] for pair in pairs)
    try:
        settings = msgspec.convert(
            {key.strip(): value.strip() for key, value in given.items()},
            ModelSpec,
            strict=False,
        )
    except msgspec.ValidationError as error:
        known = ", ".join(ModelSpec.__struct_fields__)
        raise Problem(f"the settings of {name!r} cannot be read ({error}); use {known}.") from None
    if not model:
        raise Problem(f"{name!r} has no model name; write {provider or 'openai'}:some-model.")
    if "@" in settings.base_url:
        raise Problem(
            f"the base_url of {provider}:{model} contains credentials; put the key into the environment."
        )
    return ModelName(provider, model, settings)


def _typed(value: object) -> str:
    return "true" if value is True else f"{value:g}" if isinstance(value, float) else str(value)
