"""Identifiers: what can be found in a text by its shape."""

import re
from base64 import b64decode
from binascii import Error as Base64Error
from bisect import bisect_left
from collections.abc import Iterator
from itertools import chain
from typing import Literal, NamedTuple

from supportagentbench.tickets.dates import WrittenDate, dates_in
from supportagentbench.tickets.folding import squeezed
from supportagentbench.tickets.word_lists import LISTS, any_of

IdentifierKind = Literal[
    "secret",
    "link",
    "email",
    "own",
    "iban",
    "card",
    "ip",
    "birth",
    "address",
    "phone",
    "date",
    "number",
    "handle",
    "given",
    "family",
    "city",
]


class FoundIdentifier(NamedTuple):
    """A place in a text and its kind. Of those that overlap, the kind named first above counts."""

    start: int
    end: int
    kind: IdentifierKind


EMAIL = re.compile(
    r"[^\s@<>()\[\],;:\"']{1,64} ?@ ?[^\W_][\w-]{0,62}(?:\.[\w-]{1,63}){0,5}\.[^\W\d_]{2,24}"
    r"|[\w.+-]{1,64} ?(?:\(at\)|\[at\]| at ) ?[\w-]{1,63}(?: ?(?:\(dot\)|\[dot\]| dot ) ?[\w-]{1,63}){1,5}"
    r"|[\w.+-]{1,64} ?(?:\(at\)|\[at\]) ?[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}",
    re.IGNORECASE,
)
IBAN = re.compile(r"\b[A-Za-z]{2}\d{2}(?:[ -]?[A-Za-z0-9]{4}){2,7}(?:[ -]?[A-Za-z0-9]{1,4})?\b")
CARD = re.compile(r"(?<!\d)\d(?:[ .,*\n-]{0,2}\d){12,18}(?!\d)")
_LINK = re.compile(
    r"(?:https?|ftp)://[^\s<>\"']+|\bwww\.[^\s<>\"']+|"
    r"(?<![\w.-])[\w-]{1,63}(?:\.[\w-]{1,63}){1,6}/[^\s<>\"']+",
    re.I,
)
_IP = re.compile(
    r"(?<![\d.])(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)(?![\d.]*\d)"
    r"|(?<![\w:])(?:[0-9A-Fa-f]{1,4}:){2,7}(?::?[0-9A-Fa-f]{1,4}){1,6}(?![\w:])|"
    r"(?<![\w:])(?:[0-9a-f]{1,4}:){1,6}:(?![\w:])"
)
_SECRET = re.compile(
    r"\b(?:sk|pk|rk|ghp|gho|xox[abp]|AKIA|ASIA|AIza|glpat)[-_A-Za-z0-9]{12,}"
    r"|-----BEGIN[^-]+-----.*?(?:-----END[^-]+-----|\Z)|\beyJ[\w-]+\.[\w-]+(?:\.[\w-]*)?"
    rf"|(?:\b{any_of(LISTS.secret_cues)}(?:\s+(?:is|was|to|ist|es|est)\b|\s*[:=])+\s*[\"'“]?)"
    r"(?!(?:wrong|incorrect|invalid|expired|correct|not|never|rejected|blocked|too|the|a|my|being|still|now)\b)"
    r"(?P<own>[^\s\"'”,;]{3,}[^\n\"”,.;!?]*)",
    re.IGNORECASE | re.DOTALL,
)
_TOLD = re.compile(
    rf"\b{any_of(LISTS.secret_cues)}\b(?:\s+(?:number|code|is|was|ist|es|est)\b|\s*[:=\u2010-\u2015\-])*\s*"
    r"(?P<own>\d[^\n.;!?]{2,}|[\"'“„«][^\n\"”“»]{3,200}[\"'”“»]?)",
    re.IGNORECASE,
)
"""A secret in digits or quotation marks: it extends to the end of the clause."""
_STATED = re.compile(rf"\b{any_of(LISTS.secret_cues)}\s*[:=]\s*(?P<own>[^\n]{{3,}})", re.IGNORECASE)
"""Everything after a colon up to the end of the line: a password may contain any character."""
_OPAQUE = re.compile(r"(?<![\w+/=-])[A-Za-z0-9+/_-]{8,}={0,2}(?![\w+/=-])")
_PHONE = re.compile(
    r"(?<![\w.,$€£-])(?:\+|00)?\(?\d[\d() .,*\n/\u2010-\u2015-]{5,22}\d"
    r"(?:\s?(?:x|ext\.?|#)\s?\d{1,6})?(?![\w-])",
    re.I,
)
_NUMBER = re.compile(
    r"(?<![\w$€£¥.,-])[#№]?(?=[\w/-]{0,60}\d)[A-Za-z0-9]+(?:[-_/][A-Za-z0-9]+)*(?![\w$€£¥%-]|[.,]\d)"
)
_CUED = re.compile(
    rf"\b{any_of(LISTS.number_cues)}\b"
    r"(?:\s?(?:numbers?|nummer|no\b\.?|nr\b\.?|n[°º]|codes?|ids?|is|of|ist|es|est|digits|[:#=№-]))*\s?"
    r"(?P<own>(?=[\w-]{0,60}\d)[A-Za-z0-9]{1,60}(?:[-_][A-Za-z0-9]{1,60}){0,5})",
    re.IGNORECASE,
)
_BIRTH = re.compile(any_of(LISTS.birth_cues) + r"[^.!?\n\d]{0,25}$", re.IGNORECASE)
_UNIT = r"(?:,?\s+(?i:apt|apartment|unit|suite|ste|flat|floor|no|#)\.?\s?#?\w{1,5})?"
_TOWN = (
    r"(?:[,\n]\s*[^\W\d_][\w .'’-]{2,30}){0,2}(?:,?\s+[A-Z]{2})?"
    r"(?:,?\s+\d{4,5}(?:-\d{3,4})?|,?\s+[A-Z]{1,2}\d[\dA-Z]?\s?\d[A-Z]{2})?"
)
_WORD = r"[^\W\d_][\w.'’-]{0,30}"
_NAMED = rf"(?:(?!(?:on|in|at|for|to|and|with|is|are|i|my|from|of)\b){_WORD}\s+){{1,4}}?"
_STREET = rf"(?:(?i:{any_of(LISTS.streets)})|{any_of(LISTS.capital_streets)})"
_LEAD, _CODE = any_of(LISTS.street_leads), r"\d{4,5}"
_ADDRESS = (
    re.compile(rf"(?<![\w.$€£])\d{{1,6}}[A-Za-z]?\s+{_NAMED}{_STREET}\b\.?{_UNIT}{_TOWN}"),
    re.compile(
        rf"(?<![\w.])\d{{1,5}}\s?(?:bis|ter)?,?\s+{_LEAD}\s+(?:{_WORD}\s?){{1,5}}(?:,?\s+{_CODE}\s+{_WORD})?",
        re.IGNORECASE,
    ),
    re.compile(
        rf"(?<!\w){_LEAD}\s+(?:{_WORD}\s+){{0,4}}{_WORD},?\s+(?:nº?\s?|n°\s?)?\d{{1,5}}(?:[/-]\d+)?[A-Za-z]?\b"
        rf"(?:,?\s+\d{{2,5}}-?\d{{3}}\s+{_WORD})?",
        re.IGNORECASE,
    ),
    re.compile(
        rf"(?<!\w)(?:{_WORD}[ -])?{_WORD}\s?{any_of(LISTS.street_ends)}\s+\d{{1,4}}\s?[a-zA-Z]?\b"
        rf"(?:,?\s+{_CODE}\s?(?:[A-Z]{{2}}\b)?\s*(?:{_WORD})?)?",
        re.IGNORECASE,
    ),
    re.compile(
        r"\bp\.?\s?o\.?\s?box\s+\d+|〒?\d{3}-\d{4}\s?[\u3400-\u9fff]\S{3,30}"
        r"|[\u3400-\u9fff]{2,12}(?:路|街|道)\d+号\S{0,12}"
        r"|[\u3400-\u9fff]{2,12}[\d一二三四五六七八九]+(?:丁目|番地)[\d番号の-]*|[가-힣]+(?:로|길)\s?\d+(?:번길\s?\d+)?",
        re.IGNORECASE,
    ),
    re.compile(r"\b[A-Z]{1,2}\d[\dA-Z]?\s\d[A-Z]{2}\b|\b[A-CEGHJ-NPR-TVXY]\d[A-Z]\s?\d[A-Z]\d\b"),
)


def identifiers_in(text: str, *, months_first: bool = True) -> Iterator[FoundIdentifier]:
    """Every identifier by its shape; they may overlap."""
    for found in _SECRET.finditer(text):
        yield _of(found, "secret")
    for found in chain(_TOLD.finditer(text), _STATED.finditer(text)):
        yield _of(found, "secret")
    for found in _LINK.finditer(text):
        yield _of(found, "link")
    for found in EMAIL.finditer(text):
        yield _of(found, "email")
    for found in IBAN.finditer(text):
        if is_iban(found[0]):
            yield _of(found, "iban")
    for found in CARD.finditer(text):
        yield _of(found, "card" if is_card(found[0]) else "number")
    for found in _IP.finditer(text):
        yield _of(found, "ip")
    dates = [*dates_in(text, months_first=months_first)]
    for date in dates:
        is_birth = _BIRTH.search(text[max(0, date.start - 60) : date.start])
        yield FoundIdentifier(date.start, date.end, "birth" if is_birth else "date")
    for pattern in _ADDRESS:
        for found in pattern.finditer(text):
            yield _of(found, "address")
    for found in _CUED.finditer(text):
        if any(one.isdigit() for one in found["own"]) and not _is_plain_number(found["own"], 3):
            yield _of(found, "number")
    dates.sort(key=lambda one: one.start)
    starts = [one.start for one in dates]
    yield from (one for one in _numbers(text) if not _overlaps(one, dates, starts))
    for found in _OPAQUE.finditer(text):
        if _is_opaque(found[0]):
            yield _of(found, "secret")


def _overlaps(found: FoundIdentifier, dates: list[WrittenDate], starts: list[int]) -> bool:
    """Whether one of the dates, which are in order and apart, is in the same place."""
    place = bisect_left(starts, found.end)
    return bool(place and dates[place - 1].end > found.start)


def _numbers(text: str) -> Iterator[FoundIdentifier]:
    """Phones, and other long numbers and codes."""
    for found in _PHONE.finditer(text):
        digits = sum(one.isdigit() for one in found[0])
        if 7 <= digits <= 18:
            is_phone = digits <= 15 and re.search(r"[+() .-]", found[0].strip())
            yield _of(found, "phone" if is_phone else "number")
    for found in _NUMBER.finditer(text):
        digits = sum(one.isdigit() for one in found[0])
        letters = sum(one.isalpha() for one in found[0])
        if digits >= 5 or (digits >= 2 and letters >= 2 and digits + letters >= 6) or "#" in found[0]:
            yield _of(found, "number")
    for found in re.finditer(r"(?<!\d)\d{5,}(?!\d)", text):  # Also where it stands right beside a letter.
        if not re.search(r"[$€£¥][\d,.]*$", text[max(0, found.start() - 12) : found.start()]):
            yield _of(found, "number")


def _of(found: re.Match[str], kind: IdentifierKind) -> FoundIdentifier:
    """What a rule found; its group `own` if it has one: the cue itself tells nothing."""
    group = "own" if found.groupdict().get("own") else 0
    start, end = found.span(group)
    bare = found[group].rstrip(" .,;:\n")
    return FoundIdentifier(start, end - (len(found[group]) - len(bare)), kind)


def _is_plain_number(word: str, most: int) -> bool:
    """Whether it is a small count such as the 2 in `order of 2 shirts`."""
    return word.isdecimal() and len(word) <= most


def is_card(text: str) -> bool:
    """Whether the check digit of a payment card holds."""
    digits = [int(one) for one in text if one.isdecimal()]
    doubled = (sum(divmod(2 * one, 10)) for one in digits[-2::-2])
    return 13 <= len(digits) <= 19 and (sum(digits[-1::-2]) + sum(doubled)) % 10 == 0


def is_iban(text: str) -> bool:
    """Whether the check digits of a bank account hold."""
    bare = squeezed(text).upper()
    if not (15 <= len(bare) <= 34 and bare.isascii()):
        return False
    return int("".join(str(int(one, 36)) for one in bare[4:] + bare[:4])) % 97 == 1


def _is_opaque(token: str) -> bool:
    """Whether it is a token, or text in base64."""
    body = token.rstrip("=")
    cases = (
        sum(one.isupper() for one in body[1:]),
        sum(one.islower() for one in body),
        sum(map(str.isdigit, body)),
    )
    if "=" not in token and not all(cases[:2]) and not cases[2]:
        return False
    if len(body) >= 20 and cases[2] >= 2:
        return True
    try:
        hidden = b64decode(body.replace("-", "+").replace("_", "/") + "=" * (-len(body) % 4)).decode()
    except (Base64Error, ValueError):
        return False
    return hidden.isprintable() and len(hidden) > 4
