"""Model families: models do not judge their own family, and judges do not know whose work they judge."""

import re
from functools import cache, lru_cache

from supportagentbench.records.problem import Problem
from supportagentbench.records.run import Run

FAMILIES = {
    "gpt": ("gpt", "chatgpt", "openai", "codex", "davinci"),
    "claude": ("claude", "anthropic", "sonnet", "haiku", "opus"),
    "gemini": ("gemini", "gemma", "google", "deepmind", "palm"),
    "grok": ("grok", "xai", "x-ai"),
    "qwen": ("qwen", "qwq", "alibaba", "tongyi"),
    "deepseek": ("deepseek",),
    "kimi": ("kimi", "moonshot", "moonshotai"),
    "llama": ("llama", "codellama", "meta"),
    "mistral": ("mistral", "mistralai", "mixtral", "ministral", "magistral", "codestral", "devstral"),
    "glm": ("glm", "chatglm", "zhipu", "zai", "z-ai"),
    "minimax": ("minimax", "abab"),
    "mimo": ("mimo", "xiaomi"),
    "nova": ("nova", "amazon", "titan"),
    "command": ("command", "cohere", "aya"),
    "phi": ("phi", "microsoft"),
    "nemotron": ("nemotron", "nvidia"),
    "granite": ("granite", "ibm"),
    "jamba": ("jamba", "ai21"),
    "doubao": ("doubao", "bytedance"),
    "ernie": ("ernie", "baidu"),
    "hunyuan": ("hunyuan", "tencent"),
    "step": ("step", "stepfun"),
}
"""By family, the words of its models' and its makers' names."""

O_SERIES = r"(?<![a-z0-9])o[1-9](?![a-z0-9])"
"""The one family whose members are known by a letter and a digit."""

EVERYDAY = frozenset(
    ("meta", "nova", "titan", "command", "aya", "phi", "step", "palm", "opus", "sonnet", "haiku", "granite")
)
"""Words that name a model only with its number behind them."""


def same_family(one: str, other: str) -> bool:
    """Whether two models are of one family, however they are reached; equal names always are."""
    return one == other or bool(families(one) & families(other))


@cache
def families(model: str) -> frozenset[str]:
    """The families in a model's name; a distilled one may have two, an unknown one has none.

    The last part of the name that says anything counts: `openai:qwen3` is a Qwen behind an interface
    of OpenAI's kind, and `openrouter:anthropic/claude-x:free` a Claude.
    """
    for part in reversed(re.split(r"[/:]", model.casefold().partition("@")[0])):
        found = {family for family, pattern in _patterns().items() if pattern.search(part)}
        if found:
            return frozenset(found)
    return frozenset()


def families_of(header: Run) -> frozenset[str]:
    """The families of the agent that was run; if that says nothing, those in the name it was given."""
    return families(header.ran) or families(header.agent)


@cache
def _patterns() -> dict[str, re.Pattern[str]]:
    patterns = {family: _any_of(words) for family, words in FAMILIES.items()}
    return {
        family: re.compile(f"{words}|{O_SERIES}" if family == "gpt" else words)
        for family, words in patterns.items()
    }


def _any_of(words: tuple[str, ...]) -> str:
    return rf"(?<![a-z])(?:{'|'.join(map(re.escape, words))})(?![a-z])"


def refuse_own_judge(header: Run, judge: str) -> None:
    """Stop before a model judges its own family, regardless of the name under which it was run."""
    if judge in (header.ran, header.agent) or families_of(header) & families(judge):
        real = "" if header.ran == header.agent else f" ({header.ran})"
        raise _own_family(f"{header.agent}{real}", judge)


def refuse_same_family(first: str, second: str) -> None:
    """Stop before the second judge is of the first one's family."""
    if same_family(first, second):
        raise _own_family(first, second)


def _own_family(judged: str, judge: str) -> Problem:
    return Problem(
        f"{judge} would judge {judged}, a model of its own family, which judges are known to favour; "
        "choose a judge of another family, or say --allow-same-family and both results are shown."
    )


@lru_cache(maxsize=1024)
def without_names(text: str) -> str:
    """The text with every model's and maker's name replaced, so that it does not reveal its author."""
    low = text.casefold()
    return _names().sub("[name]", text) if any(sign in low for sign in _signs()) else text


@cache
def _signs() -> tuple[str, ...]:
    """Letters that every name contains; the pattern is slow and names are rare."""
    words = {word for family in FAMILIES.values() for word in family} - EVERYDAY
    return (*words, *(f"{word}{gap}" for word in EVERYDAY for gap in "- "), *(f"o{n}-" for n in range(1, 10)))


@cache
def _names() -> re.Pattern[str]:
    words = {word for family in FAMILIES.values() for word in family}
    alone = "|".join(map(re.escape, sorted(words - EVERYDAY, key=len, reverse=True)))
    numbered = "|".join(sorted(EVERYDAY))
    return re.compile(
        rf"(?<![A-Za-z])(?:(?:{alone})(?![A-Za-z])(?:-?v?\d+|(?: v?\d+\.\d+))?"
        rf"|(?:{numbered})(?:-\d+| v?\d+\.\d+)|o[1-9](?=-(?:mini|pro|preview|high)))(?:[-.]?\w)*",
        re.IGNORECASE,
    )
