"""Words of others, made fit to print: agents and models write what they like, and it ends on a terminal."""

import re

_UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2028\u2029\u2066-\u2069]")
"""What moves the cursor, changes colours or turns the direction of writing; line breaks and tabs do not."""


def visible(words: str) -> str:
    """The words with every character that a terminal would obey spelt out, and every other as it is."""
    return _UNSEEN.sub(lambda found: ascii(found[0])[1:-1], words)


def on_one_line(words: str) -> str:
    """The same for a name, which has no line breaks."""
    return visible(words).replace("\n", "\\n").replace("\t", "\\t")
