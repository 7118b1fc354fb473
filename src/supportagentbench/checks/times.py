"""Times: dates and durations that an agent gave without a source.

The same time may be worded differently: "27 June", "last Saturday" and "two days ago"; "a month" and 30 days.
"""

import re
from collections.abc import Collection, Iterator
from datetime import date, timedelta
from itertools import islice
from typing import NamedTuple

from supportagentbench.checks.evidence import REACH, KnownFacts, Words, claimed, holds_any, of_policy

MONTHS = ["January", "February", "March", "April", "May", "June", "July", "August", "September"]
MONTHS += ["October", "November", "December"]
SHORT_MONTHS = {**{name[:3]: number for number, name in enumerate(MONTHS, 1)}, "Sept": 9}
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
UNIT_DAYS = {"hour": 1 / 24, "hr": 1 / 24, "h": 1 / 24, "day": 1.0, "week": 7.0, "fortnight": 14.0}
UNIT_DAYS |= {"month": 30.0, "year": 365.0}
ROUNDING = {"week": (3, 6), "fortnight": (3, 6), "month": (12, 20), "year": (60, 200)}
"""How many days a rounded duration in the past may be off, below and above."""

SMALL = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
NUMBERS = {word: number for number, word in enumerate(SMALL, 1)}
NUMBERS |= {f"{word}teen": 10 + NUMBERS[word] for word in ("four", "six", "seven", "nine")}
NUMBERS |= {
    "thirteen": 13,
    "fifteen": 15,
    "eighteen": 18,
    "twenty": 20,
    "thirty": 30,
    "forty": 40,
    "fifty": 50,
}
NUMBERS |= {"sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90, "hundred": 100, "a": 1, "an": 1}
MOST = 1000
"""Durations that are checked in one reply; only a reply made to waste time has more."""

TIME_SIGNS = ("day", "hour", "week", "month", "year", "hr", "0h", "4h", "8h", "2h", "fortnight")
MONTH_SIGNS = tuple(name[:3].lower() for name in MONTHS)
DAY_SIGNS = ("day", "tomorrow", "week", "month")
RELATIVE_SIGNS = ("yesterday", "tomorrow", *(day.lower() for day in WEEKDAYS))
RELATIVE_SIGNS += tuple(
    f"{one} {period}" for one in ("next", "this", "coming", "the") for period in ("week", "month")
)
"""A text without these signs has no duration, no month or no day relative to today, respectively."""
VAGUE = ("couple", "few", "several")
TOPICS = {
    "refund": re.compile(r"(?i)\b(?:refund|reimburse|money|credited|paid back|payment)"),
    "return": re.compile(r"(?i)\breturn|\b(?:send|sent) (?:it |them )?back"),
    "arrival": re.compile(
        r"(?i)(?:\bwill|'ll|\bshould|\bexpected to|\busually|\btypically|\btakes?) (?:\w+ ){0,3}(?:arrive|"
        r"be delivered|reach you|be with you|get to you|be there|land|have it|have your|receive (?:it|your))"
        r"|\b(?:arrives?|delivered|delivery|shipping|with you) (?:takes?|within|in)\b"
        r"|\bexpect (?:it|delivery)"
    ),
    "contact": re.compile(
        r"(?i)\b(?:back to you|write to you|contact you|repl(?:y|ies)|respon[ds]|in touch|hear)"
    ),
}
"""What a duration may be promised for; such a promise needs a source on the same topic."""

_FUTURE = re.compile(
    r"(?i)\b(?:will|should|takes?|expect|usually|typically|allow|going to|arrives|within(?! the last))\b"
    r"|'ll\b"
)
_EVENT = re.compile(
    r"(?i)\b(?:arriv|deliver|ship|dispatch|leav|reach|refund|money|receiv|with you|be there|sen[dt]"
    r"|go(?:es)? out|land|get|hear|contact|write|reply|process|collect|picked|scan|place|order|by\b)"
)
_ALL_MONTHS = "|".join([*MONTHS, *(m.lower() for m in MONTHS if m not in ("May", "March")), *SHORT_MONTHS])
_TH = r"(?:st|nd|rd|th)?"
_ISO = re.compile(r"(?<!\d)(20\d\d)-(\d\d)-(\d\d)(?!\d)")
_MONTH_DAY = re.compile(
    rf"\b({_ALL_MONTHS})\.? (?:the )?(\d{{1,2}}){_TH}(?![\d%:])"
    rf"(?:(?: ?- ?| to | and | or )(\d{{1,2}}){_TH}\b(?! ?\w*[ -]?days))?(?:,? (20\d\d))?"
)
_DAY_MONTH = re.compile(
    rf"(?<![\w#$.])(\d{{1,2}}){_TH}(?: of)? ({_ALL_MONTHS})\b(?! (?:I|we|you|be)\b)\.?(?:,? (20\d\d))?"
)
_NUMERIC = re.compile(r"(\d(?<![\d/.]\d)\d?)([/.])(\d{1,2})\2(20\d\d|\d\d)(?!\d)")
_SLASHED = re.compile(r"\b(?:on|by|before|until|since|from) (\d{1,2})/(\d{1,2})(?![\d/])")
_THE_NTH = re.compile(
    r"\b(?:on|by|before|until|since|from|around) the (\d{1,2})(?:st|nd|rd|th)\b(?! of| \w+day)"
)
_IN_MONTH = re.compile(
    rf"\b(?:in|by|during|early|mid|late|end of|until)[ -]({_ALL_MONTHS})\b(?!\.? (?:the )?\d)"
)
_RELATIVE = re.compile(
    r"(?i)\b(?:((?:day (?:before|after) )?(?:tomorrow|yesterday))"
    r"|(?:by |before )?(?:the )?(next|this|coming|end of the|end of this) "
    r"(week|weekend|month)|(?:(last|past|next|coming|this|by|before|until|on|since) )?"
    rf"({'|'.join(WEEKDAYS)}))\b(?! (?:to|through)\b|-|,? (?:the )?\d|, [A-Z]|,? \("
    rf"|(?-i: (?:{_ALL_MONTHS})\b))"
)
_MONTH = re.compile(rf"(?:{_ALL_MONTHS})\b")
_WEEKDAY_BEFORE = re.compile(rf"\b({'|'.join(WEEKDAYS)})(?:,? the|,)? $")
LONGEST_WEEKDAY = len("Wednesday, the ") + 1
_WEEKDAY_AFTER = re.compile(
    rf",? \(?(?:(?:which )?(?:is|was|falls on|fell on|being) )?(?:an? )?({'|'.join(WEEKDAYS)})"
    r"(?=[).,;:!?\n]|$)"
)
_THE_NUMBER = re.compile(r" the \d")
_UNIT = re.compile(r"[\d -](?:h|hrs?|hours?|days?|weeks?|fortnights?|months?|years?)\b")
_NO_DAY = re.compile(r"(?i)\b(?:(?:happy|nice|good|great|lovely)\s(?:\w+\s)?|\w+day (?:to|through) )$")
_NUMBER = r"\d{1,4}|half a|a couple of|a few|several|(?:an? |one )?hundred|" + "|".join(NUMBERS)
_DURATION = re.compile(
    rf"(?i)(?<![\w.$#/-])({_NUMBER})(?:(?: ?- ?| to | or | and )({_NUMBER}))?[ -]?"
    r"((?:(?:more|full|whole|further|calendar|business|working|consecutive)[ -]){0,2})"
    r"(hour|(?-i:hr|h)|day|week|fortnight|month|year)s?\b(?: or (two|three|so))?"
)
_MEASURED = re.compile(
    r"(?i)\b(?:within|in|about|after|than|over|for|takes?|to|least|almost|nearly|under)\s$"
)
_ELAPSED = re.compile(
    r"(?i)\b(?:ago|since|been|was|were|had|passed|elapsed|old|later|earlier|after|before|between|took|already|"
    r"past|only|for|over|in transit|until|days away)\b"
)
_LEFT = re.compile(r"(?i)\b(?:left|leaves|remain\w*|still have|more|to go|from (?:today|now))\b")
_AWAY = re.compile(r"(?i)(?:\bis|\bare|'s) (?:only |just )?in\b")
_AGO = re.compile(r"(?i)\b(?:ago|since|been|was|were|had|already)\b")
_SENTENCE_END = re.compile(r"[.!?] |\n")
_LAST_DAY = re.compile(r"(?i)\breturn|\bback\b|\buntil\b|\blast day\b|\bdeadline\b|\bin time\b")
"""Words that mark a day as the end of a period."""
DEADLINE = range(28, 367)
"""Lengths in days of known periods that, counted from a known day, give another known day."""


class DayRange(NamedTuple):
    """A duration in days, from low to high, and its topics."""

    low: float
    high: float
    unit: str
    business: bool = False
    topics: frozenset[str] = frozenset()


class Day(NamedTuple):
    """A calendar date in a text; the year is optional."""

    words: str
    start: int
    month: int
    day: int
    year: int | None = None


def ungrounded_dates(words: Words, evidence: KnownFacts) -> Iterator[str]:
    """Calendar dates, weekdays and other days without a source."""
    text, low = words.text, words.low
    for day in _days_in(text, low) if words.digits else ():
        clause = claimed(text, day.start, day.start + len(day.words))
        if clause is None:
            continue
        named = _on_another_weekday(day, text, evidence.today)
        if not _known_day(day, _known_days(_sentence(text, day.start), evidence)):
            yield day.words
        elif named and not evidence.said(named):
            yield named
    for match in _THE_NTH.finditer(text) if words.digits and _THE_NUMBER.search(text) else ():
        known = {one.day for one in evidence.known(dates_in)}
        if int(match[1]) not in known and claimed(text, *match.span()):
            yield match[0]
    if _names_month(text, low):
        yield from _unknown_months(text, evidence)
    if holds_any(low, DAY_SIGNS) and holds_any(low, RELATIVE_SIGNS):
        yield from _unknown_relatives(text, evidence)


def _on_another_weekday(day: Day, text: str, today: date) -> str:
    """The date with the weekday next to it, if it falls on another weekday."""
    end = day.start + len(day.words)
    before = _WEEKDAY_BEFORE.search(text, max(0, day.start - LONGEST_WEEKDAY), day.start)
    named = before or _WEEKDAY_AFTER.match(text, end)
    falls_on = {WEEKDAYS[one.weekday()] for one in dates_in(day.words, today)}
    if not named or not falls_on or named[1] in falls_on:
        return ""
    return text[min(day.start, named.start()) : max(end, named.end())]


def _dated_weekdays(text: str) -> set[int]:
    """The positions of weekdays that belong to the date before them."""
    days = _named_days_in(text) if _MONTH.search(text) else ()
    found = (_WEEKDAY_AFTER.match(text, day.start + len(day.words)) for day in days)
    return {match.start(1) for match in found if match}


def _unknown_months(text: str, evidence: KnownFacts) -> Iterator[str]:
    for match in _IN_MONTH.finditer(text):
        clause = claimed(text, *match.span())
        if clause is None or evidence.said(match[1]):
            continue
        if all(one.month != _month(match[1]) for one in _known_days(" ".join(clause), evidence)):
            yield match[0]


def _unknown_relatives(text: str, evidence: KnownFacts) -> Iterator[str]:
    dated = _dated_weekdays(text)
    for match in _RELATIVE.finditer(text):
        clause = claimed(text, *match.span())
        if (
            clause
            and match.start(5) not in dated
            and not _NO_DAY.search(clause[0])
            and not _known_relative(match, clause, evidence)
        ):
            yield match[0]


def _days_in(text: str, low: str) -> Iterator[Day]:
    for found in _ISO.finditer(text) if "20" in text else ():
        yield Day(found[0], found.start(), int(found[2]), int(found[3]), int(found[1]))
    for found in _NUMERIC.finditer(text):
        day, month = sorted((int(found[1]), int(found[3])), reverse=True)
        yield Day(found[0], found.start(), month, day, _year(found[4]))
    for found in _SLASHED.finditer(text) if "/" in text else ():
        day, month = sorted((int(found[1]), int(found[2])), reverse=True)
        yield Day(found[0], found.start(), month, day)
    if _names_month(text, low):
        yield from _named_days_in(text)


def _names_month(text: str, low: str) -> bool:
    return holds_any(low, MONTH_SIGNS) and _MONTH.search(text) is not None


def _named_days_in(text: str) -> Iterator[Day]:
    for found in _MONTH_DAY.finditer(text):
        for day in filter(None, (found[2], found[3])):
            yield Day(found[0], found.start(), _month(found[1]), int(day), _year(found[4]))
    for found in _DAY_MONTH.finditer(text):
        if int(found[1]) <= 31:
            yield Day(found[0], found.start(), _month(found[2]), int(found[1]), _year(found[3]))


def _month(name: str) -> int:
    return SHORT_MONTHS[name[:3].title()]


def _year(digits: str | None) -> int | None:
    return int(digits) % 100 + 2000 if digits else None


def dates_in(text: str, today: date) -> frozenset[date]:
    """Every date in a text; without a year, the one closest to today."""
    found = set()
    for day in _days_in(text, text.lower()):
        years = [day.year] if day.year else [today.year - 1, today.year, today.year + 1]
        real = [one for year in years if (one := _date(year, day.month, day.day))]
        if real:
            found.add(min(real, key=lambda one: abs((one - today).days)))
    return frozenset(found)


def other_days(text: str, known: Collection[date]) -> list[str]:
    """The dates in a text that are not among these."""
    return [day.words for day in _days_in(text, text.lower()) if not _known_day(day, known)]


def _date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _sentence(text: str, at: int) -> str:
    """The sentence or line around a position, within the reach of a clause."""
    before, after = text[max(0, at - REACH) : at], text[at : at + REACH]
    return _SENTENCE_END.split(before)[-1] + _SENTENCE_END.split(after, maxsplit=1)[0]


def _known_days(sentence: str, evidence: KnownFacts) -> set[date]:
    """Every day on record; in a sentence about deadlines, also the ends of long periods from such a day."""
    days = evidence.known(dates_in)
    if not _LAST_DAY.search(sentence) or TOPICS["arrival"].search(sentence):
        return days
    spans = {int(span.high) for span in evidence.known(spans_in) if span.high in DEADLINE}
    return days | {day + timedelta(span) for day in days for span in spans if day.year < date.max.year}


def _known_day(day: Day, known: Collection[date]) -> bool:
    pairs = {(day.month, day.day)}
    if "/" in day.words or day.words.count(".") == 2:
        pairs.add((day.day, day.month))
    return any((one.month, one.day) in pairs and day.year in (None, one.year) for one in known)


def _known_relative(match: re.Match[str], clause: tuple[str, str], evidence: KnownFacts) -> bool:
    """Whether a day relative to today falls on a day on record; without an event, no record is needed."""
    name, which, period, lead, weekday = match.groups()
    words = " ".join(clause)
    if evidence.said(name or weekday or f"{which} {period}"):
        return True
    if not weekday and not _EVENT.search(words):
        return True
    today = evidence.today
    if name:
        day = (2 if " " in name else 1) * (1 if name.casefold().endswith("tomorrow") else -1)
        offsets = range(day, day + 1)
    elif period:
        began = today.day - 1 if period.casefold() == "month" else today.weekday()
        past = which.casefold() == "this" and not _FUTURE.search(words)
        offsets = range(-began, 0) if past else range(0)
    else:
        offsets = _weekday_offsets((lead or "").casefold(), words)
    days = {today + timedelta(offset) for offset in offsets}
    if weekday:
        days = {day for day in days if WEEKDAYS[day.weekday()] == weekday.title()}
    return bool(days & evidence.known(dates_in))


def _weekday_offsets(lead: str, words: str) -> range:
    if lead in ("last", "past", "since"):
        return range(-13, 0)
    if lead in ("next", "coming", "by", "before", "until", "this") or _FUTURE.search(words):
        return range(1, 15 if lead == "next" else 8)
    return range(-7, 8)


def ungrounded_durations(words: Words, evidence: KnownFacts) -> Iterator[str]:
    """Durations without a source, or with a source that is about something else."""
    for match in islice(_durations_in(words.text, words.low), MOST):
        clause = claimed(words.text, *match.span())
        if clause is None:
            continue
        said = f"{clause[0]}{match[0]}{clause[1]}"
        topics = {topic for topic, pattern in TOPICS.items() if pattern.search(said)}
        if any(word in match[1].casefold() for word in VAGUE):
            if topics and not _ELAPSED.search(said) and not evidence.said(match[0]):
                yield match[0]
            continue
        span = _span(match, words.text)
        if span is None or _lies_between(span, _sentence(words.text, match.start()), evidence.today):
            continue
        if not _known_span(span, topics, said, evidence):
            yield match[0]


def _durations_in(text: str, low: str) -> Iterator[re.Match[str]]:
    return _DURATION.finditer(text) if holds_any(low, TIME_SIGNS) and _UNIT.search(low) else iter(())


def _span(match: re.Match[str], text: str) -> DayRange | None:
    low, high, kind, unit, spare = match.groups()
    if (
        low.casefold() in ("a", "an")
        and not spare
        and not _MEASURED.search(text[max(0, match.start() - 9) : match.start()])
    ):
        return None
    if _count(low) is None:
        return None
    first = _count(low) or 0
    last = _count(high) if high else NUMBERS.get((spare or "").casefold(), first)
    size = UNIT_DAYS[unit.casefold()]
    business = "business" in kind.casefold() or "working" in kind.casefold()
    return DayRange(first * size, (last or first) * size, unit.casefold(), business)


def _count(word: str) -> float | None:
    word = word.casefold()
    if word.isdecimal():
        return int(word)
    if word == "half a":
        return 0.5
    return NUMBERS.get(word.split()[-1])


def spans_in(text: str, today: date) -> frozenset[DayRange]:
    """Every duration in a text, with the topics of its sentence."""
    found = set()
    for match in _durations_in(text, text.lower()):
        if (span := _span(match, text)) is not None:
            sentence = text[max(0, match.start() - REACH) : match.start()].split(". ")[-1]
            sentence += match[0] + text[match.end() : match.end() + REACH].split(". ")[0]
            topics = frozenset(topic for topic, pattern in TOPICS.items() if pattern.search(sentence))
            found.add(span._replace(topics=topics))
    return frozenset(found)


def _known_span(span: DayRange, topics: set[str], words: str, evidence: KnownFacts) -> bool:
    rules = of_policy(spans_in, evidence.policy, evidence.today)
    if any(_same(span, rule) for rule in rules if topics <= rule.topics):
        return True
    if any(_same(span, source) for source in evidence.known(spans_in) - rules):
        return True
    if topics & {"arrival", "contact"} or _FUTURE.search(words):
        return False
    if "refund" in topics and not _AGO.search(words):
        return False
    away = not topics and _AWAY.search(words)
    counted = away or _ELAPSED.search(words) or _LEFT.search(words)
    return bool(counted) and _has_passed(span, words, evidence)


def _same(said: DayRange, source: DayRange) -> bool:
    if said.business > source.business or (source.business and said.unit in ("hour", "hr", "h")):
        return False
    rough = {said.unit, source.unit} & {"month", "year"}
    slack = 0.03 * source.high if rough else 0.01
    ends = [source.low, source.high]
    if said.low == said.high:
        return any(abs(said.low - end) <= slack for end in ends)
    return abs(said.low - source.low) <= slack and abs(said.high - source.high) <= slack


def _lies_between(span: DayRange, sentence: str, today: date) -> bool:
    """Whether the sentence names two days that are this far apart."""
    days = dates_in(sentence, today)
    return not _FUTURE.search(sentence) and span.low in {
        abs((one - other).days) for one in days for other in days
    }


def _has_passed(span: DayRange, words: str, evidence: KnownFacts) -> bool:
    """Whether this is the time between two known days, or what it leaves of a known period."""
    known = evidence.known(dates_in) | {evidence.today}
    passed = {abs((one - other).days) for one in known for other in known}
    if _LEFT.search(words):
        passed |= {int(source.high) - days for source in evidence.known(spans_in) for days in passed}
    below, above = ROUNDING.get(span.unit, (0, 0))
    return any(span.low - below <= days <= span.high + above for days in passed)
