"""Outage: whether an exception that came out of a framework is a failure of its model's provider.

It is known by its class, which has to be the provider's package's own, and by where it was raised: no code of
the agent's author may lie between the adapter and that place. Words are never read. So an agent's code, its
tools included, cannot take a conversation out of the count by raising such an error.
"""

import os
import sys
import sysconfig
import traceback
from collections.abc import Mapping
from pathlib import Path
from types import FrameType

from supportagentbench.desk import ServiceFailure
from supportagentbench.desk.trace import OURS, described
from supportagentbench.models.dialect import scrubbed

UNREACHED = {
    "APIConnectionError": ("openai", "anthropic"),
    "ModelConnectionError": ("pydantic_ai", "langchain_core"),
}
"""Exceptions of no connection and of no answer in time, with the packages that have them."""

ANSWERED = {
    "APIStatusError": ("openai", "anthropic"),
    "ModelHTTPError": ("pydantic_ai",),
}
"""Exceptions with the status of the provider's answer."""

UNSPECIFIED = {"OpenAIError": ("openai",), "ModelAPIError": ("pydantic_ai",)}
"""What is raised without a key, or in general; exactly this class, and no subclass."""

LATE = ("APITimeoutError", "ModelTimeoutError")

STATUSES = (401, 403, 408, 409, 429)
"""Keys, limits and conflicts at the provider; all statuses from 500 count with them."""

INSTALLED = ("site-packages", "dist-packages")
"""Folders of installed packages."""

_PYTHON = tuple(sysconfig.get_path(name) + os.sep for name in ("stdlib", "platstdlib"))


class ProviderFailed(Exception):
    """Raised by an adapter whose framework reports a provider's failure without raising it."""


def outage_in(error: BaseException, author: str, *, in_making: bool = False) -> ServiceFailure | None:
    """The failure of the provider that this exception is, if it is one.

    `author` is the module of the agent's code. While it makes its agent, that code may call what fails, but
    not raise it.
    """
    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
    if not all(_is_foreign(frame, author) for frame in (frames[-1:] if in_making else frames)):
        return None
    if not (isinstance(error, ProviderFailed) or _is_of_a_provider(error)):
        return None
    words = str(error) if isinstance(error, ProviderFailed) else described(error)
    is_late = any(kind.__name__ in LATE for kind in type(error).__mro__)
    return ServiceFailure("time_out" if is_late else "provider_error", scrubbed(" ".join(words.split())))


def is_outage(status: object) -> bool:
    """Whether an answer with this status is the provider's failure."""
    return isinstance(status, int) and (status in STATUSES or status >= 500)


def _is_of_a_provider(error: BaseException) -> bool:
    for kind in type(error).__mro__:
        if _is_one(kind, UNREACHED):
            return True
        if _is_one(kind, ANSWERED):
            return is_outage(getattr(error, "status_code", None))
    return _is_one(type(error), UNSPECIFIED)


def _is_one(kind: type, known: Mapping[str, tuple[str, ...]]) -> bool:
    """Whether a class is what its name and its module claim."""
    is_claimed = kind.__module__.partition(".")[0] in known.get(kind.__name__, ())
    return is_claimed and getattr(sys.modules.get(kind.__module__), kind.__name__, None) is kind


def _is_foreign(frame: FrameType, author: str) -> bool:
    """Whether this is code of Python, of an installed package or of the benchmark, and not of the author."""
    file, module = frame.f_code.co_filename, str(frame.f_globals.get("__name__", ""))
    if author and module.partition(".")[0] == author.partition(".")[0]:
        return False
    is_ours = file.startswith((OURS, "<frozen "))
    return is_ours or file.startswith(_PYTHON) or bool({*Path(file).parts} & {*INSTALLED})
