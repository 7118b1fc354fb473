"""Folding: texts and words in one form, so that a name is found however it is written."""

import re
from functools import lru_cache
from html import unescape
from unicodedata import category, normalize
from urllib.parse import unquote

_INVISIBLE = dict.fromkeys(
    (
        *(*range(9), 0xB, 0xC, *range(0xE, 0x20), 0x7F, 0xAD, 0x34F, 0x61C, 0x115F, 0x1160, 0x17B4, 0x17B5),
        *(*range(0x180B, 0x1810), *range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2070)),
        *(0x2800, 0x3164, *range(0xFE00, 0xFE10), 0xFEFF, 0xFFA0, *range(0xFFF9, 0xFFFC)),
        *range(0xE0000, 0xE01F0),
    )
)
_MARKS = "".join(chr(code) for code in range(0x300, 0x1B00) if category(chr(code)) in ("Mn", "Mc"))

WORD = re.compile(rf"[^\W_](?:[^\W_]|[{_MARKS}])*")
"""Letters and digits, with the vowel signs of scripts that write them as marks."""

UNSPACED = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
"""Letters of scripts in which words may follow each other without a space."""

_TAG = re.compile(r"<!--.{0,2000}?-->|</?[a-zA-Z][^<>]*>", re.DOTALL)
_BREAK = re.compile(r"</?(?:br|p|div|li|tr|h\d|blockquote)\b[^<>]*>", re.IGNORECASE)
_ESCAPED = re.compile(r"\\u([0-9a-fA-F]{4})")
_PERCENT = re.compile(r"(?<![^\s\"'(<])(?!https?:|www\.)\S{0,200}?%[0-9a-fA-F]{2}\S{0,400}")
_QUOTED = re.compile(r"=[C-F][0-9A-F](?:=\n?[89AB][0-9A-F])+")

_LATIN = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "ð": "d", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th"})
_LOOKS = str.maketrans("авсенікмортухѕјԁһοανερτικυωη", "abcehikmoptyxsjdhoaveptikuwn")
"""Letters of Cyrillic and Greek, and the Latin ones that they look like."""
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe"})


def plain(text: str) -> str:
    """The text without markup, escapes and invisible characters; wide letters are ordinary ones."""
    for _ in range(3):
        before = text
        text = unescape(text) if "&" in text else text
        text = _ESCAPED.sub(lambda found: chr(int(found[1], 16)), text)
        text = _PERCENT.sub(lambda found: unquote(found[0]), text)
        text = _QUOTED.sub(_unquoted, text)
        text = _TAG.sub("", _BREAK.sub("\n", text)) if "<" in text else text
        text = normalize("NFKC", text.translate(_INVISIBLE))
        if text == before:
            break
    return text.encode("utf-8", "replace").decode()


def _unquoted(found: re.Match[str]) -> str:
    """What mail writes as `=C3=A9`."""
    return bytes.fromhex(re.sub(r"[=\n]", "", found[0])).decode("utf-8", "replace")


@lru_cache(1 << 16)
def folded(word: str) -> str:
    """The word without case and accents."""
    bare = "".join(one for one in normalize("NFKD", word.casefold()) if category(one) != "Mn")
    return normalize("NFC", bare).translate(_LATIN)


@lru_cache(1 << 16)
def forms(word: str) -> tuple[str, ...]:
    """How the word may be meant: without accents, umlauts in two letters, by the looks of its letters."""
    found = folded(word)
    return tuple(dict.fromkeys((found, folded(word.casefold().translate(_UMLAUTS)), found.translate(_LOOKS))))


@lru_cache(1 << 18)
def is_near(word: str, name: str) -> bool:
    """Whether the word is the name with a slip or two; two neighbours swapped are one slip."""
    most = 0 if len(name) < 5 else 1 if len(name) < 8 else 2
    if word == name or abs(len(word) - len(name)) > most:
        return word == name
    before, row = [0] * (len(name) + 1), list(range(len(name) + 1))
    for place, letter in enumerate(word, start=1):
        older, before, row = before, row, [place]
        for at, other in enumerate(name, start=1):
            cost = min(before[at] + 1, row[-1] + 1, before[at - 1] + (letter != other))
            if place > 1 and at > 1 and letter == name[at - 2] and other == word[place - 2]:
                cost = min(cost, older[at - 2] + 1)
            row.append(cost)
    return row[-1] <= most


def squeezed(text: str) -> str:
    """Only its letters and digits, folded."""
    return "".join(one for one in folded(text) if one.isalnum())


def mixes_scripts(word: str) -> bool:
    """Whether its letters are of different alphabets, which does not happen by chance."""
    kinds = {
        0 if one < "\u0250" else 1 if one < "\u0400" else 2
        for one in word
        if one.isalpha() and one < "\u0530"
    }
    return len(kinds) > 1


def clusters(
    spans: list[tuple[int, int]], text: str, gap: str = r"[ .\u00b7-]{0,2}"
) -> list[tuple[int, int]]:
    """Spans in order, with neighbours joined if only this is between them."""
    joined: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if joined and (start <= joined[-1][1] or re.fullmatch(gap, text[joined[-1][1] : start])):
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined


def letters_apart(text: str) -> list[tuple[int, int]]:
    """Words with a space after every letter: `D a v i d`."""
    found = re.finditer(r"(?<![^\W_])(?:[^\W\d_][ ._*-]){3,}[^\W\d_](?![^\W_])", text)
    return [(one.start(), one.end()) for one in found]
