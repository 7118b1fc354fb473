"""Spelling: an English message as plain lower-case sentences, with its markup and contractions undone.

Most messages contain little of what is looked for here, and whether a character is there at all is known much
sooner than where: so that is asked first. As long as the message is whole, every character keeps its place:
of each sentence it is known where it is in the message.
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
"""Characters of noise, and all others that are not plain."""
EMOJI = re.compile("[\u2190-\u2bff\U0001f000-\U0001faff]")
BULLET = re.compile(r"^[ \t]*(?:[-*•·‣◦]|\(?\d{1,2}[.)])[ \t]+", re.MULTILINE)
PREFIX = re.compile(r"-(?:(?<=\bre-)|(?<=\be-))(?=[a-z])")
"""The hyphen in "re-send" and "e-mail"."""
HYPHEN = re.compile(r"-(?<=[a-z]-)(?=[a-z])")
BLANKS = re.compile("  +")
SENTENCE = re.compile(r"[\s\"')](?:(?<=[.!?][\s\"')])[\s\"')]*|(?<=\n)\n*)")
"""Where sentences end: blanks and quotation marks after a stop, or the end of a line."""


PIECE = 800
"""The longest sentence that is read as one: moods look back over it, so one without an end is cut."""


Spelled = tuple[str, int, int]
"""A sentence in plain spelling, and where it starts and ends in the message."""


def sentences(message: str) -> list[Spelled]:
    """The message as plain lower-case sentences, without echoes, markup and contractions."""
    plain = _cleaned(in_plain_type(lower(message)))
    found: list[Spelled] = []
    start = 0
    for stop in SENTENCE.finditer(plain):
        _spell(plain, start, stop.start(), found)
        start = stop.end()
    _spell(plain, start, len(plain), found)
    return found


def _spell(plain: str, start: int, end: int, found: list[Spelled]) -> None:
    """Add the sentence at this place, in pieces if it is too long."""
    for begin in range(start, end, PIECE):
        last = min(begin + PIECE, end)
        if piece := _spelled_out(plain[begin:last]).strip():
            found.append((piece, begin, last))


def lower(text: str) -> str:
    """The text in lower case, every character in its place."""
    low = text.lower()
    return low if len(low) == len(text) else "".join(one.lower()[:1] for one in text)


def _cleaned(plain: str) -> str:
    """A text without what no customer reads; blanks take its place."""
    if "{" in plain or "[" in plain:
        plain = DATA.sub(_blank, plain)
    plain = BULLET.sub(lambda found: "-".ljust(len(found[0])), plain)
    if UNUSUAL.search(plain) or "system:" in plain:
        plain = EMOJI.sub("\n", NOISE.sub(_blank, plain))
    return plain


def _blank(found: re.Match[str]) -> str:
    return " " * len(found[0])


def _spelled_out(piece: str) -> str:
    """A piece of plain text without contractions and hyphens."""
    if "-" in piece:
        piece = HYPHEN.sub(" ", PREFIX.sub("", piece))
    if "'" in piece:
        piece = CONTRACTED.sub(_contraction, piece)
    if "  " in piece:
        piece = BLANKS.sub(" ", piece)
    return piece


def in_plain_type(text: str) -> str:
    """The text with the quotation marks, dashes and arrows of a typewriter."""
    return text if text.isascii() and "`" not in text else text.translate(TYPOGRAPHY)


def uncontracted(text: str) -> str:
    """A lower-case text without contractions."""
    return CONTRACTED.sub(_contraction, text) if "'" in text else text


def _contraction(found: re.Match[str]) -> str:
    return ENDINGS[found[0]]


def in_full(text: str) -> str:
    """A lower-case text without words cut short."""
    return SHORTENED.sub(lambda found: SHORT[found[0]], text)


def quoted(sentence: str, start: int, end: int) -> str:
    """The words of a sentence, as it is written, that come out at these places of its plain spelling."""
    first, last = (_place_in(sentence, place) for place in (start, end))
    return sentence[first:last].strip(" .!?:\n")


def _place_in(sentence: str, plain: int) -> int:
    """How much of a sentence has to be spelled out to get so far; spelling hardly changes lengths."""
    low, high = 0, len(sentence)
    while low < high:
        middle = (low + high) // 2
        if len(_spelled_out(_cleaned(in_plain_type(lower(sentence[:middle])))).lstrip()) < plain:
            low = middle + 1
        else:
            high = middle
    return low
