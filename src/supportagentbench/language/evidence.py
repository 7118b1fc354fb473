"""Evidence: how an English message asks for a different photo from the one it has."""

import re

_PHOTO = r"(?:photo(?:graph)?|picture|pic|image|snap(?:shot)?|shot|file)s?"

_ANOTHER = re.compile(
    r"\b(?:another|new|newer|fresh|different|second|better|clearer|one more)\b"
    rf"[^.!?]{{0,30}}\b(?:{_PHOTO}|one)\b"
    rf"|\bone more\b|\b(?:re-?take|take|make) (?:it|one|that)?\s?(?:again|today|now)\b"
    rf"|\b{_PHOTO}\b[^.!?]{{0,30}}\b(?:from|of) today\b"
    rf"|\b(?:your|this|that|for the|in the|on the|of the|looked at the|same|it is the same) {_PHOTO}\b"
    r"|\b[\w-]+\.(?:jpe?g|png|heic|webp)\b",
    re.IGNORECASE,
)


def asks_for_another(words: str) -> bool:
    """Whether a request for a photo shows that the agent has seen the one sent."""
    return bool(_ANOTHER.search(words))
