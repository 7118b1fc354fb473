"""Escape: text from agents, models and files, made safe to print on a terminal or in a build log.

Escapes are those of JSON, so that JSON stays JSON when it is printed.
"""

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO, cast

from supportagentbench.records.secrets import without_secrets

_PICTURES = "\u2190-\u2bff\u3030\ufe0f\U0001f000-\U0001faff"
_JOINING_LETTERS = "\u0600-\u0dff"

_UNSEEN = re.compile(
    "["
    "\x00-\x08\x0b-\x1f\x7f-\x9f"  # C0 and C1 but line breaks and tabs: move the cursor, change colours
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # change the writing direction
    "\u2028\u2029"  # break lines
    "\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b\u2060-\u2065\u206a-\u206f\u3164\ufeff\uffa0"
    "\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"  # zero width
    "\ud800-\udfff"  # not characters
    "]"
    # Joiners have zero width, too, but emoji and some scripts need them.
    f"|(?<![{_PICTURES}{_JOINING_LETTERS}])[\u200c\u200d]"
)
"""Characters that control a terminal or are invisible."""


def visible(words: str) -> str:
    """The text without secrets, with every such character escaped."""
    shown = without_secrets(words)
    return shown if shown.isascii() and shown.isprintable() else _UNSEEN.sub(_spelt, shown)


_SHORT = {"\b": "\\b", "\f": "\\f", "\r": "\\r"}


def _spelt(found: re.Match[str]) -> str:
    if found[0] in _SHORT:
        return _SHORT[found[0]]
    units = found[0].encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))


def on_one_line(words: str) -> str:
    """The same for text on one line, with line breaks and tabs escaped too."""
    return visible(words).replace("\n", "\\n").replace("\t", "\\t")


LONGEST = 300
"""Maximum characters of a quotation."""

_COMMANDS = re.compile(r":(?=:)|##(?=\[)")


def for_log(words: str) -> str:
    """Text for a terminal or a build log, which would run a line that begins with `::` or `##[`."""
    return _COMMANDS.sub(lambda one: f"{one[0]} ", visible(words))


def quoted(words: str) -> str:
    """The same for a quotation, on one line and not too long."""
    found = on_one_line(words)
    return for_log(found if len(found) <= LONGEST else f"{found[: LONGEST - 1]}…")


def as_code(words: str) -> str:
    """Text for Markdown, also in tables: nothing in it becomes a link, a mention or a tag."""
    found = quoted(words).replace("|", "¦") or " "
    fence = "`" * (max((len(one) for one in re.findall("`+", found)), default=0) + 1)
    return f"{fence} {found} {fence}" if "`" in found else f"{fence}{found}{fence}"


HIDDEN = ("buffer", "detach")
"""Attributes that would bypass the escaping; this stream hides them."""


class EscapingStream:
    """Escapes control characters. An `EscapingConsole` escapes its own and writes to the stream behind."""

    def __init__(self, behind: TextIO) -> None:
        self.behind = behind

    def write(self, words: str) -> int:
        self.behind.write(visible(words))
        return len(words)

    def writelines(self, lines: list[str]) -> None:
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        if name in HIDDEN:
            raise AttributeError(name)
        return getattr(self.behind, name)


@contextmanager
def escaping_streams() -> Iterator[None]:
    """Escape everything printed inside the block, including what the stream cannot encode."""
    before = sys.stdout, sys.stderr
    for stream in before:
        if reconfigure := getattr(stream, "reconfigure", None):
            reconfigure(errors="backslashreplace")
    sys.stdout, sys.stderr = (cast(TextIO, EscapingStream(stream)) for stream in before)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before
