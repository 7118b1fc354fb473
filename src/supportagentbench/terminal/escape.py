"""Escape: text from agents, models and files, made safe to print on a terminal.

Escapes are those of JSON, so that JSON stays JSON when it is printed.
"""

import re

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
