"""Whether the values an agent gave have a source: amounts, links and tracking numbers; `times` has the rest.

A source is a tool result, the policy or a line of the customer, up to the words in question.
"""

import re
from collections.abc import Callable, Iterator
from datetime import date

from supportagentbench.score.evidence import Evidence, claimed, holds_any, smooth
from supportagentbench.score.times import NUMBERS, ungrounded_dates, ungrounded_durations
from supportagentbench.transcript import Run, Transcript
from supportagentbench.verdict import Finding

MONEY_SIGN = re.compile(r"[$€£¥円%]|USD|EUR|GBP|CAD|ollar|euro|pounds|bucks|per ?cent|ólares")
"""Without one of these there is no talk of money."""

ANY_LANGUAGE = ("ungrounded_amount", "ungrounded_link", "ungrounded_tracking")
"""What can be read without knowing the language."""

LINK_SIGNS = ("://", ".com", ".net", ".org", ".io", ".example", ".shop", ".store", ".app", ".help", ".co.")
"""Without one of these there is no link."""

TRACKING_DIGITS = 8
"""A longer word with fewer digits than this is no tracking number."""

_MONEY = re.compile(
    r"(?:US\$|USD ?|CAD ?|GBP ?|EUR ?|[$£€¥]) ?(\d[\d.,]*\d|\d)|(?<![\w.,#-])(\d[\d.,]*\d|\d) ?"
    r"(?:[$£€円]|USD\b|EUR\b|GBP\b|CAD\b|[dD]ollars?\b|bucks\b|pounds\b|euros?\b|dólares\b)"
)
_WORDED_MONEY = re.compile(rf"(?i)\b({'|'.join(NUMBERS)}) (?:dollars|bucks|pounds|euros)\b")
_PLAIN_MONEY = re.compile(
    r"(?<![\w.,#-])(\d+\.\d\d)(?![\d.])|(?i:paid|cost|charged|price of) (?:me )?(\d{1,6})\b"
)
_PERCENT = re.compile(r'(\d{1,3}) ?(?:%|per ?cent)|"percent": ?(\d{1,3})')
_WORDED_PERCENT = re.compile(rf"(?i)\b({'|'.join(NUMBERS)}) per ?cent")
_OFF = re.compile(r"(?i)\b(?:off|discount|credit|voucher|coupon|refund|code|back)")

_TAIL = r"[^\s<>\"'()\[\]{}|\\]"
_SITE = (
    r"[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){0,4}\.(?:com|net|org|io|example|shop|store|app|help|co\.uk)"
)
_URL = re.compile(rf"https?://{_TAIL}+|(?<![@\w.-]){_SITE}\b(?:/{_TAIL}*)?")
_TRACKING = re.compile(r"(?<![\w/.@=-])[A-Za-z0-9]{10,40}(?![\w@])|(?<![\w-])\d{4}(?: \d{4}){2,4}(?![\w-])")
_TRACKING_SOURCE = re.compile(r"(?<![A-Za-z0-9])[A-Za-z0-9]{10,40}(?![A-Za-z0-9])")


def read_values(transcript: Transcript, run: Run) -> Iterator[Finding]:
    """One finding for each kind of value."""
    english = transcript.language == "en"
    checks = {name: check for name, check in CHECKS.items() if english or name in ANY_LANGUAGE}
    evidence = Evidence(run)
    faults: dict[str, Finding] = {}
    for index, turn in enumerate(transcript.turns):
        evidence.hear(turn)
        if turn.party == "agent":
            text = smooth(turn.text)
            for name in [name for name in checks if name not in faults]:
                words = next(iter(checks[name](text, evidence)), None)
                if words is not None:
                    reason = f"no source so far for “{words.strip()[:120]}”"
                    faults[name] = Finding(name, True, reason, (index,))
    for name in CHECKS:
        clean = "every one has a source" if name in checks else f"not checked in {transcript.language}"
        yield faults.get(name) or Finding(name, False, clean)


def ungrounded_amounts(text: str, evidence: Evidence) -> Iterator[str]:
    """Money that nothing supports, neither as it stands nor as the sum or difference of two amounts."""
    if not MONEY_SIGN.search(text):
        return
    for match in [*_MONEY.finditer(text), *_WORDED_MONEY.finditer(text)]:
        cents = _cents(next(filter(None, match.groups())))
        if claimed(text, *match.span()) and not _known_amount(cents, evidence):
            yield match[0]
    for match in [*_PERCENT.finditer(text), *_WORDED_PERCENT.finditer(text)]:
        clause = claimed(text, *match.span())
        share = percents_in(match[0], evidence.today)
        if clause and _OFF.search(" ".join(clause)) and not share <= evidence.known(percents_in):
            yield match[0]


def _cents(digits: str) -> int:
    """Whole cents, whichever of comma and point parts the thousands."""
    if (number := NUMBERS.get(digits.casefold())) is not None:
        return number * 100
    whole, part = (digits[:-3], digits[-2:]) if digits[-3:-2] in (".", ",") else (digits, "00")
    return int((re.sub(r"\D", "", whole)[:15] or "0") + part)


def amounts_in(text: str, today: date) -> frozenset[int]:
    """Every amount in a text, in cents."""
    found = [next(filter(None, one.groups())) for one in _MONEY.finditer(text)]
    found += [one[1] or one[2] for one in _PLAIN_MONEY.finditer(text)]
    found += [one[1] for one in _WORDED_MONEY.finditer(text)]
    return frozenset(map(_cents, found))


def percents_in(text: str, today: date) -> frozenset[int]:
    """Every percentage in a text."""
    worded = {NUMBERS[one[1].casefold()] for one in _WORDED_PERCENT.finditer(text)}
    return frozenset(worded | {int(one[1] or one[2]) for one in _PERCENT.finditer(text)})


def _known_amount(cents: int, evidence: Evidence) -> bool:
    known = evidence.known(amounts_in)
    if cents == 0 or cents in known:
        return True
    parts = {round(one * share / 100) for one in known for share in evidence.known(percents_in)}
    return cents in parts or any(cents - one in known or cents + one in known for one in known | parts)


def ungrounded_links(text: str, evidence: Evidence) -> Iterator[str]:
    """Addresses on the web that nobody gave."""
    for match in _links_of(text):
        link = _plain_link(match[0])
        known = evidence.known(links_in)
        whole_site = "/" not in link and any(one.split("/")[0].endswith(link) for one in known)
        if link not in known and not whole_site:
            yield match[0]


def links_in(text: str, today: date) -> frozenset[str]:
    """Every address in a text, without what makes no difference."""
    return frozenset(_plain_link(one[0]) for one in _links_of(text))


def _links_of(text: str) -> Iterator[re.Match[str]]:
    return _URL.finditer(text) if holds_any(text, LINK_SIGNS) else iter(())


def _plain_link(link: str) -> str:
    link = link.rstrip(".,;:!?/").casefold()
    return link.removeprefix("https://").removeprefix("http://").removeprefix("www.")


def ungrounded_trackings(text: str, evidence: Evidence) -> Iterator[str]:
    """What looks like a tracking number and stands nowhere."""
    for match in _TRACKING.finditer(text):
        if sum(map(str.isdigit, match[0])) >= TRACKING_DIGITS:
            number = match[0].replace(" ", "").casefold()
            if number not in evidence.known(trackings_in):
                yield match[0]


def trackings_in(text: str, today: date) -> frozenset[str]:
    """Everything in a text that may be a tracking number."""
    return frozenset(one.casefold() for one in _TRACKING_SOURCE.findall(text))


CHECKS: dict[str, Callable[[str, Evidence], Iterator[str]]] = {
    "ungrounded_date": ungrounded_dates,
    "ungrounded_duration": ungrounded_durations,
    "ungrounded_amount": ungrounded_amounts,
    "ungrounded_link": ungrounded_links,
    "ungrounded_tracking": ungrounded_trackings,
}
