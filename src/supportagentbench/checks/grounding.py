"""Grounding: whether the values an agent gave have a source; includes those of `times` and `stock`.

A source is a tool result, the policy or a message of the customer, up to the words in question.
"""

import re
from collections.abc import Callable, Container, Iterator
from datetime import date
from itertools import accumulate

from supportagentbench.checks.evidence import REACH, KnownFacts, Words, claimed, holds_any
from supportagentbench.checks.stock import ungrounded_stock
from supportagentbench.checks.times import NUMBERS, ungrounded_dates, ungrounded_durations

MONEY_SIGNS = (*"$€£¥円%", "USD", "EUR", "GBP", "CAD", "ollar", "euro", "pounds", "bucks", "ólares")
MONEY_SIGNS += ("percent", "per cent", "half", "Half")
PERCENT_SIGNS = ("%", "percent", "per cent", "half")
MONEY_WORDS = ("dollars", "bucks", "pounds", "euros")
"""A text without these signs has no amount, no percentage or no amount written out, respectively."""

ANY_LANGUAGE = ("ungrounded_amount", "ungrounded_link", "ungrounded_tracking", "ungrounded_contact")
"""Checks that do not depend on the language."""

LINK_SIGNS = ("://", ".com", ".net", ".org", ".io", ".example", ".shop", ".store", ".app", ".help", ".co.")
"""A text without one of these has no link."""

TRACKING_DIGITS = 8
"""A word with fewer digits than this is not a tracking number, however long."""

_MONEY = re.compile(
    r"(?:US\$|USD ?|CAD ?|GBP ?|EUR ?|[$£€¥]) ?(\d[\d.,]*\d|\d)|(?<![\w.,#-])(\d[\d.,]*\d|\d) ?"
    r"(?:[$£€円]|USD\b|EUR\b|GBP\b|CAD\b|[dD]ollars?\b|bucks\b|pounds\b|euros?\b|dólares\b)"
)
_IN_WORDS = rf"(?:(?:{'|'.join(NUMBERS)})[ -](?:and )?){{1,6}}"
_WORDED_MONEY = re.compile(rf"(?i)\b({_IN_WORDS})(?:dollars|bucks|pounds|euros)\b")
_HALF = re.compile(r"(?i)\bhalf(?:[ -]price\b| off\b| the price\b)")
_PLAIN_MONEY = re.compile(
    r"(?<![\w.,#-])(\d+\.\d\d)(?![\d.])|(?i:paid|cost|charged|price of) (?:me )?(\d{1,6})\b"
)
_PERCENT = re.compile(r'(\d{1,3}) ?(?:%|per ?cent)|"percent": ?(\d{1,3})')
_NUMBER_WORD = re.compile(rf"(?i)(?<![\w.$#])(?:\d{{1,2}}|{'|'.join(NUMBERS)})(?![\w.%])")
_WORDED_PERCENT = re.compile(rf"(?i)\b({'|'.join(NUMBERS)}) per ?cent")
_OFF = re.compile(r"(?i)\b(?:off|discount|credit|voucher|coupon|refund|code|back)")

_TAIL = r"[^\s<>\"'()\[\]{}|\\]"
_SITE = (
    r"[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){0,4}\.(?:com|net|org|io|example|shop|store|app|help|co\.uk)"
)
_URL = re.compile(rf"https?://{_TAIL}+|(?<![@\w.-]){_SITE}\b(?:/{_TAIL}*)?")
_TRACKING = re.compile(r"(?<![\w/.@=-])[A-Za-z0-9]{10,40}(?![\w@])|(?<![\w-])\d{4}(?: \d{4}){2,4}(?![\w-])")
_ENOUGH_DIGITS = re.compile(rf"\d(?:(?:[A-Za-z]*+\d){{{TRACKING_DIGITS - 1}}}|\d{{3}} \d{{4}} \d{{4}})")
_TRACKING_SOURCE = re.compile(r"(?<![A-Za-z0-9])[A-Za-z0-9]{10,40}(?![A-Za-z0-9])")


_MAIL = re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}")
_PHONE_SIGN = re.compile(r"\d[ .)-]{1,2}\(?\d{3}")
_PHONE = re.compile(r"(?<![\w#/$@.-])\+?\(?\d{1,4}\)?(?:[ .-]\(?\d{2,4}\)?){1,4}(?![\w/@-])")
_CALL = re.compile(r"(?i)\b(?:call|phone|ring|tel|telephone|dial|hotline|helpline|reach\w*|text)\b")
PHONE_DIGITS = range(7, 14)
REACH_OF_CALL = 60
"""Digits of a phone number; characters before it within which a word says that it is one."""


def untraced(words: Words, evidence: KnownFacts, known: Container[str]) -> Iterator[tuple[str, str]]:
    """The checks that find a value without a source in these words, and the value; `known` are skipped."""
    for check, look in CHECKS.items():
        if check not in known and (said := next(look(words, evidence), None)) is not None:
            yield check, said.strip()[:120]


def ungrounded_amounts(words: Words, evidence: KnownFacts) -> Iterator[str]:
    """Amounts without a source, be it directly, as a sum or difference of two, or as the sum of a list."""
    text = words.text
    if not holds_any(text, MONEY_SIGNS):
        return
    listed: list[int] = []
    for match in [*_MONEY.finditer(text), *_worded(_WORDED_MONEY, words, MONEY_WORDS)]:
        cents = _cents(next(filter(None, match.groups())))
        before = text[max(0, match.start() - REACH) : match.start()]
        reckoned = cents in accumulate(reversed(listed)) or _is_multiple(cents, before, evidence)
        if claimed(text, *match.span()) and not reckoned and not _known_amount(cents, evidence):
            yield match[0]
        else:
            listed.append(cents)
    if not holds_any(words.low, PERCENT_SIGNS):
        return
    for match in [*_PERCENT.finditer(text), *_WORDED_PERCENT.finditer(text)]:
        clause = claimed(text, *match.span())
        share = percents_in(match[0], evidence.today)
        if clause and _OFF.search(" ".join(clause)) and not share <= evidence.known(percents_in):
            yield match[0]
    for match in _HALF.finditer(text):
        if claimed(text, *match.span()) and 50 not in evidence.known(percents_in):
            yield match[0]


def _worded(pattern: re.Pattern[str], words: Words, signs: tuple[str, ...]) -> Iterator[re.Match[str]]:
    return pattern.finditer(words.text) if holds_any(words.low, signs) else iter(())


def _cents(digits: str) -> int:
    """Whole cents, whether a comma or a point separates the thousands."""
    if not digits[0].isdigit():
        return 100 * _number(digits)
    has_cents = digits[-3:-2] in (".", ",") and digits[-2:].isdecimal()
    whole, part = (digits[:-3], digits[-2:]) if has_cents else (digits, "00")
    return int((re.sub(r"\D", "", whole)[:15] or "0") + part)


def _number(words: str) -> int:
    """The number that these words mean, such as three hundred and forty-three."""
    total = 0
    for word in re.findall(r"[a-z]+", words.casefold()):
        total = max(total, 1) * 100 if word == "hundred" else total + NUMBERS.get(word, 0)
    return total


def amounts_in(text: str, today: date) -> frozenset[int]:
    """Every amount in a text, in cents."""
    found = [next(filter(None, one.groups())) for one in _MONEY.finditer(text)]
    found += [one[1] or one[2] for one in _PLAIN_MONEY.finditer(text)]
    found += [one[1] for one in _WORDED_MONEY.finditer(text)]
    return frozenset(map(_cents, found))


def percents_in(text: str, today: date) -> frozenset[int]:
    """Every percentage in a text."""
    worded = {NUMBERS[one[1].casefold()] for one in _WORDED_PERCENT.finditer(text)}
    worded |= {50} if _HALF.search(text) else set()
    return frozenset(worded | {int(one[1] or one[2]) for one in _PERCENT.finditer(text)})


def _is_multiple(cents: int, before: str, evidence: KnownFacts) -> bool:
    """Whether it is a known amount times a number shortly before it."""
    words = _NUMBER_WORD.findall(before)
    numbers = {int(word) if word.isdecimal() else NUMBERS[word.casefold()] for word in words}
    return any(cents == one * number for one in evidence.known(amounts_in) for number in numbers)


def _known_amount(cents: int, evidence: KnownFacts) -> bool:
    known = evidence.known(amounts_in)
    if cents == 0 or cents in known:
        return True
    parts = {round(one * share / 100) for one in known for share in evidence.known(percents_in)}
    return cents in parts or any(cents - one in known or cents + one in known for one in known | parts)


def ungrounded_links(words: Words, evidence: KnownFacts) -> Iterator[str]:
    """Web addresses without a source."""
    for match in _links_of(words.text):
        link = _plain_link(match[0])
        known = evidence.known(links_in)
        whole_site = "/" not in link and any(one.split("/")[0].endswith(link) for one in known)
        if link not in known and not whole_site:
            yield match[0]


def links_in(text: str, today: date) -> frozenset[str]:
    """Every web address in a text, normalized."""
    return frozenset(_plain_link(one[0]) for one in _links_of(text))


def _links_of(text: str) -> Iterator[re.Match[str]]:
    return _URL.finditer(text) if holds_any(text, LINK_SIGNS) else iter(())


def _plain_link(link: str) -> str:
    link = link.rstrip(".,;:!?/").casefold()
    return link.removeprefix("https://").removeprefix("http://").removeprefix("www.")


def ungrounded_trackings(words: Words, evidence: KnownFacts) -> Iterator[str]:
    """Apparent tracking numbers without a source."""
    if not words.digits or not _ENOUGH_DIGITS.search(words.text):
        return
    for match in _TRACKING.finditer(words.text):
        if sum(map(str.isdigit, match[0])) >= TRACKING_DIGITS:
            number = match[0].replace(" ", "").casefold()
            if not _ends_a_tracking(number, evidence):
                yield match[0]


def _ends_a_tracking(number: str, evidence: KnownFacts) -> bool:
    """Whether a number is known or, if long enough, the end of a known one."""
    known = evidence.known(trackings_in)
    return number in known or (len(number) >= 12 and any(one.endswith(number) for one in known))


def trackings_in(text: str, today: date) -> frozenset[str]:
    """Everything in a text that may be a tracking number."""
    return frozenset(one.casefold() for one in _TRACKING_SOURCE.findall(text))


def ungrounded_contacts(words: Words, evidence: KnownFacts) -> Iterator[str]:
    """Email addresses and phone numbers without a source."""
    text = words.text
    for match in _MAIL.finditer(text) if "@" in text else ():
        if match[0].casefold() not in evidence.known(mails_in):
            yield match[0]
    for match in _PHONE.finditer(text) if words.digits and _PHONE_SIGN.search(text) else ():
        digits = _digits(match[0])
        before = text[max(0, match.start() - REACH_OF_CALL) : match.start()]
        is_phone = len(digits) in PHONE_DIGITS and (match[0][0] in "+(" or _CALL.search(before))
        if is_phone and digits[-7:] not in evidence.known(phones_in):
            yield match[0]


def mails_in(text: str, today: date) -> frozenset[str]:
    """Every email address in a text."""
    return frozenset(one.casefold() for one in _MAIL.findall(text)) if "@" in text else frozenset()


def phones_in(text: str, today: date) -> frozenset[str]:
    """The last seven digits of everything that may be a phone number."""
    return frozenset(_digits(one[0])[-7:] for one in _PHONE.finditer(text))


def _digits(text: str) -> str:
    return re.sub(r"\D", "", text)


CHECKS: dict[str, Callable[[Words, KnownFacts], Iterator[str]]] = {
    "ungrounded_date": ungrounded_dates,
    "ungrounded_duration": ungrounded_durations,
    "ungrounded_amount": ungrounded_amounts,
    "ungrounded_link": ungrounded_links,
    "ungrounded_tracking": ungrounded_trackings,
    "ungrounded_contact": ungrounded_contacts,
    "ungrounded_stock": ungrounded_stock,
}
