"""Escape: text from agents and models, made safe to print on a terminal."""

import re

from supportagentbench.records.secrets import without_secrets

_UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2028\u2029\u2066-\u2069]")
"""Characters that move the cursor, change colours or the writing direction; not line breaks or tabs."""


def visible(words: str) -> str:
    """The text without secrets, with every control character escaped."""
    return _UNSEEN.sub(lambda found: ascii(found[0])[1:-1], without_secrets(words))


def on_one_line(words: str) -> str:
    """The same for text on one line, with line breaks and tabs escaped too."""
    return visible(words).replace("\n", "\\n").replace("\t", "\\t")
