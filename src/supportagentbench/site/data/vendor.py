"""Vendor: who makes a model and whether its weights are open, if its name tells."""

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from supportagentbench.results.load import ScoredRun
from supportagentbench.site.about import About


class ModelOrigin(NamedTuple):
    """Where a model comes from; the publisher's file may override it."""

    vendor: str = ""
    """Empty if unknown."""
    is_open: bool | None = None
    """Whether its weights can be downloaded; None if unknown."""


FAMILIES: dict[str, ModelOrigin] = {
    r"gpt-oss": ModelOrigin("OpenAI", True),
    r"gpt|chatgpt|o[1345]\b": ModelOrigin("OpenAI", False),
    r"claude|sonnet|haiku|opus": ModelOrigin("Anthropic", False),
    r"gemma": ModelOrigin("Google", True),
    r"gemini": ModelOrigin("Google", False),
    r"grok": ModelOrigin("xAI", False),
    r"deepseek": ModelOrigin("DeepSeek", True),
    r"qwen.*-(?:max|plus|turbo|flash)\b": ModelOrigin("Alibaba", False),
    r"qwen|qwq": ModelOrigin("Alibaba", True),
    r"glm": ModelOrigin("Z.ai", True),
    r"kimi": ModelOrigin("Moonshot AI", True),
    r"minimax": ModelOrigin("MiniMax", True),
    r"mimo": ModelOrigin("Xiaomi", True),
    r"llama": ModelOrigin("Meta", True),
    r"mistral-large|mistral-medium": ModelOrigin("Mistral AI", None),
    r"mistral|mixtral|ministral|devstral|magistral": ModelOrigin("Mistral AI", True),
    r"command": ModelOrigin("Cohere", True),
    r"phi": ModelOrigin("Microsoft", True),
    r"nova": ModelOrigin("Amazon", False),
}
"""By the start of a model's name, without its provider; the first match counts."""

_NAME = re.compile(r"[^:/]*\Z")


def origin_of(model: str) -> ModelOrigin:
    """The origin of a model by its name, such as `openrouter:qwen/qwen3-32b,effort=high`."""
    bare = model.partition(",")[0].casefold()
    name = _NAME.search(bare)
    found = (origin for start, origin in FAMILIES.items() if name and re.match(start, name[0]))
    return next(found, ModelOrigin())


def origins(runs: Iterable[ScoredRun], about: About, recorded: Mapping[str, str]) -> dict[str, ModelOrigin]:
    """By agent, where known; what the publisher says overrides what a model's name suggests.

    A user's own agent may call any model, so its name tells nothing. `recorded` has the names of agents in
    their runs, by the names that pages show.
    """
    found = {}
    for run in runs:
        agent, version = run.header.agent, run.header.version
        name = recorded.get(agent, agent)
        said, told = about.agents.get(name), ModelOrigin()
        if version.prompt:
            told = origin_of(version.given or name)
        if said:
            is_open = told.is_open if said.is_open is None else said.is_open
            told = ModelOrigin(said.vendor or told.vendor, is_open)
        if told != ModelOrigin():
            found[agent] = told
    return found
