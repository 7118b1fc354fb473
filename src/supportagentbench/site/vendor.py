"""Vendor: who makes a model and whether its weights are open, as far as its name tells."""

import re
from collections.abc import Iterable
from typing import NamedTuple

from supportagentbench.results.load import ScoredRun


class ModelOrigin(NamedTuple):
    """Where a model comes from; a publisher's own file may say otherwise."""

    vendor: str = ""
    """Empty if nobody knows."""
    is_open: bool | None = None
    """Whether its weights can be downloaded; None if nobody knows."""


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
"""By how a model's name begins, without its provider; the first that fits counts."""

_NAME = re.compile(r"[^:/]*\Z")


def origin_of(model: str) -> ModelOrigin:
    """The origin of a model by its name, such as `openrouter:qwen/qwen3-32b,effort=high`."""
    bare = model.partition(",")[0].casefold()
    name = _NAME.search(bare)
    found = (origin for start, origin in FAMILIES.items() if name and re.match(start, name[0]))
    return next(found, ModelOrigin())


def origins(runs: Iterable[ScoredRun]) -> dict[str, ModelOrigin]:
    """By agent; only a bare model has an origin, because somebody's code may call any model."""
    found = {}
    for run in runs:
        version = run.header.version
        if version.prompt:
            found[run.header.agent] = origin_of(version.given or run.header.agent)
    return found
