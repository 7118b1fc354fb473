"""Choice: which customer writes to the desk, if none is named.

A language model understands what a language model writes, and tables often do not: so if an agent may be a
model, a model plays the customer. A board never mixes two customers, so the one already in a folder of runs
comes first.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from supportagentbench.customer.voice import ScriptedVoice
from supportagentbench.models.family import same_family
from supportagentbench.models.provider import has_key, is_plain_model
from supportagentbench.models.spec import parse_model
from supportagentbench.records.problem import Problem

AUTO = "auto"

MODELS = (
    "gemini:gemini-3.5-flash",
    "openai:gpt-5.4-mini",
    "anthropic:claude-haiku-4-5",
    "mistral:mistral-medium-latest",
    "xai:grok-4-1-fast-non-reasoning",
    "deepseek:deepseek-chat",
    "openrouter:google/gemini-3.5-flash",
)
"""Cheap and good enough, in order of preference; docs/customer.md lists them, too."""


def is_known_customer(name: str) -> bool:
    """Whether a file may name this customer."""
    return name in (AUTO, ScriptedVoice.name) or is_plain_model(name)


class CustomerChoice(NamedTuple):
    """A customer, and why it was chosen."""

    name: str
    why: str


def choose_customer(
    asked: str,
    agents: Sequence[str],
    stored: Iterable[str],
    *,
    models: Iterable[str] = (),
    has_known_words: bool = False,
) -> CustomerChoice:
    """The customer for these agents; `stored` are those of the runs that are there already.

    `models` are the agents that are models; `has_known_words` says that a script understands all of them.
    """
    if asked != AUTO:
        return CustomerChoice(asked, "as asked")
    before = sorted(set(stored))
    if len(before) > 1:
        raise Problem(
            f"The runs in this folder have different customers ({', '.join(before)}): name one with "
            "--customer, or choose another folder with --out."
        )
    if before:
        return CustomerChoice(before[0], "the one of the runs in this folder")
    if has_known_words:
        return CustomerChoice(ScriptedVoice.name, "the agents are built in, and it knows their words")
    elsewhere = _redirected(models)
    keyed = [name for name in MODELS if has_key(name) and _provider(name) not in elsewhere]
    others = [name for name in keyed if not any(same_family(name, agent) for agent in agents)]
    if others:
        return CustomerChoice(others[0], "of another family than the agents")
    if keyed:
        return CustomerChoice(keyed[0], "of the same family as an agent: there is no key for another")
    return CustomerChoice(ScriptedVoice.name, "there is no key for a model")


def _redirected(models: Iterable[str]) -> set[str]:
    """Providers whose name means another server here: the key that is set may be good for that one only."""
    return {_provider(name) for name in models if parse_model(name).settings.base_url}


def _provider(model: str) -> str:
    return model.partition(":")[0]
