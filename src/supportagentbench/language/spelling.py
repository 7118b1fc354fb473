"""Spelling: an English message as plain lower-case sentences, with its markup and contractions undone.

Most messages hold little of what is looked for here, and whether a character is there at all is known much
sooner than where: so that is asked first.
"""

import re

SHORT = {
    "cannot": "can not", "cant": "can not", "wont": "will not", "dont": "do not", "isnt": "is not",
    "couldnt": "could not", "im": "i am", "ive": "i have", "whats": "what is", "pls": "please",
    "plz": "please", "thx": "thanks", "ur": "your", "u": "you", "okay": "ok", "nubmer": "number",
    "adress": "address", "wanna": "want to",
}  # fmt: skip
ENDINGS = {
    "can't": "can not", "won't": "will not", "n't": " not", "'ll": " will", "'ve": " have", "'m": " am",
    "'re": " are", "'d": " would", "'s": " is",
}  # fmt: skip
SHORTENED = re.compile(rf"\b(?:{'|'.join(SHORT)})\b")
# Patterns that begin with a plain letter are found fast, so what stands before it is asked afterwards.
CONTRACTED = re.compile(
    r"can't(?<=\bcan't)\b|won't(?<=\bwon't)\b|n't(?<=\wn't)\b"
    r"|'(?<=\w')(?:ll|ve|m|re|d|(?<=it'|at'|re'|ho'|ow'|ng')s|s(?= (?:been|now|\w+ed)\b))\b"
)
TYPOGRAPHY = str.maketrans("’‘´`“”–—→", "''''\"\"-->")
DATA = re.compile(r"^\s*[{\[].*$", re.MULTILINE)
"""Lines of data that no customer reads."""
NOISE = re.compile(
    r"<(\w{1,20})>[^<]{0,500}</\1>|^[ \t]*(?:>|system:).*$|[*_~|]|[^\n -ÿ€\u2190-\U0001faff]",
    re.MULTILINE,
)
UNUSUAL = re.compile("[^\n -)+-;=?-^a-{}]")
"""Characters that noise is made of, and all that are not plain ones."""
EMOJI = re.compile("[\u2190-\u2bff\U0001f000-\U0001faff]")
BULLET = re.compile(r"^[ \t]*(?:[-*•·‣◦]|\(?\d{1,2}[.)])[ \t]+", re.MULTILINE)
PREFIX = re.compile(r"-(?:(?<=\bre-)|(?<=\be-))(?=[a-z])")
"""The hyphen in "re-send" and "e-mail"."""
HYPHEN = re.compile(r"-(?<=[a-z]-)(?=[a-z])")
BLANKS = re.compile("  +")
SENTENCE = re.compile(r"[\s\"')](?:(?<=[.!?][\s\"')])[\s\"')]*|(?<=\n)\n*)")
"""Where sentences end: blanks and quotation marks after a stop, or the end of a line."""


def sentences(text: str) -> list[str]:
    """The message as plain lower-case sentences, without echoes, markup and contractions."""
    plain = in_plain_type(text.lower())
    if "{" in plain or "[" in plain:
        plain = DATA.sub(" ", plain)
    plain = BULLET.sub("- ", plain)
    if UNUSUAL.search(plain) or "system:" in plain:
        plain = EMOJI.sub("\n", NOISE.sub(" ", plain))
    plain = uncontracted(PREFIX.sub("", plain))
    plain = HYPHEN.sub(" ", plain)
    if "  " in plain:
        plain = BLANKS.sub(" ", plain)
    return SENTENCE.split(plain)


def in_plain_type(text: str) -> str:
    """The text with the quotation marks, dashes and arrows of a typewriter."""
    return text if text.isascii() and "`" not in text else text.translate(TYPOGRAPHY)


def uncontracted(text: str) -> str:
    """A lower-case text without contractions."""
    return CONTRACTED.sub(lambda found: ENDINGS[found[0]], text) if "'" in text else text


def in_full(text: str) -> str:
    """A lower-case text without words cut short."""
    return SHORTENED.sub(lambda found: SHORT[found[0]], text)
