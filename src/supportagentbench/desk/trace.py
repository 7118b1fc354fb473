"""Trace: an exception of an agent's code as text, without keys and not too long to read."""

import os
import re
import traceback
from contextlib import suppress
from pathlib import Path
from types import TracebackType

from supportagentbench.models.dialect import without_keys
from supportagentbench.records.record import readable
from supportagentbench.records.secrets import SHORTEST

LONGEST_DETAIL = 2_000
"""Characters of an error in one line."""

LONGEST_TRACE = 8_000
"""Characters of a traceback; the middle is cut out."""

OURS = str(Path(__file__).parents[1])

_SECRET_NAME = re.compile(r"KEY|TOKEN|SECRET|PASSW|CREDENTIAL", re.IGNORECASE)


def described(error: BaseException) -> str:
    """An error in one line, even if it cannot be printed."""
    try:
        return scrubbed_text(f"{type(error).__name__}: {error}")[:LONGEST_DETAIL]
    except Exception:
        return type(error).__name__


def trace_of(error: BaseException) -> str:
    """The traceback, starting at the agent's code."""
    try:
        lines = traceback.format_exception(type(error), error, _in_the_agent(error.__traceback__))
    except Exception:  # An error that cannot be printed.
        lines = [*traceback.format_tb(_in_the_agent(error.__traceback__)), type(error).__name__]
    text = scrubbed_text("".join(lines).strip())
    if len(text) <= LONGEST_TRACE:
        return text
    return f"{text[: LONGEST_TRACE // 4]}\n[…cut]\n{text[-LONGEST_TRACE * 3 // 4 :]}"


def scrubbed_text(text: str) -> str:
    """The text without keys, and with paths relative to the current folder or to the home folder."""
    for name, value in os.environ.items():
        if len(value) >= SHORTEST and _SECRET_NAME.search(name):
            text = text.replace(value, "[key]")
    with suppress(OSError, RuntimeError):  # The folder is gone, or the user has no home.
        text = text.replace(f"{Path.cwd()}{os.sep}", "").replace(f"{Path.home()}{os.sep}", f"~{os.sep}")
    return without_keys(readable(text))


def _in_the_agent(trace: TracebackType | None) -> TracebackType | None:
    """The traceback without this package's frames above the agent's own."""
    found = trace
    while found and found.tb_frame.f_code.co_filename.startswith(OURS):
        found = found.tb_next
    return found or trace
