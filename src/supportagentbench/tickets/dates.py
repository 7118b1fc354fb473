"""Dates: the common ways to write one, and moving all of a ticket by the same number of weeks.

Weekdays hold, and so do the days between two dates, on which rules for returns depend.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator
from datetime import date, timedelta
from typing import NamedTuple

_MONTHS = tuple(
    words.split()
    for words in (
        "january february march april may june july august september october november december",
        "jan feb mar apr may jun jul aug sep oct nov dec",
        "januar februar märz april mai juni juli august september oktober november dezember",
        "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
        "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
        "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
        "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
        "januari februari maart april mei juni juli augustus september oktober november december",
        "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
        "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia",
    )
)
"""By language, English and its short forms first."""
_NUMBER_OF = {word: place for words in _MONTHS for place, word in enumerate(words, start=1)} | {"sept": 9}
_NAME = "|".join(sorted(_NUMBER_OF, key=lambda word: -len(word)))
_DAY = r"(?P<d>[12]\d|3[01]|0?[1-9])"
_YEAR = r"(?P<y>(?:19|20)\d\d)"
_ORDINAL = r"(?:st|nd|rd|th|\.|er|º)?"
_PATTERNS = (
    re.compile(rf"(?<![\d-]){_YEAR}[-/.](?P<m>1[0-2]|0?[1-9])[-/.]{_DAY}(?=T\d|(?![\d-]))"),
    re.compile(r"(?<!\d)(?P<y>(?:19|20)\d\d)年(?P<m>1[0-2]|0?[1-9])月(?P<d>[12]\d|3[01]|0?[1-9])日"),
    re.compile(
        r"(?<![\d/.-])(?P<a>\d{1,2})(?P<s>[/.-])(?P<b>\d{1,2})(?P=s)(?P<y>(?:19|20)\d\d|\d\d)(?![\d/-]|\.\d)"
    ),
    re.compile(rf"(?<!\w)(?P<n>{_NAME})\.?\s+{_DAY}{_ORDINAL}(?!\d)(?:,?\s+{_YEAR}(?!\d))?", re.IGNORECASE),
    re.compile(
        rf"(?<![\w.]){_DAY}{_ORDINAL}\s+(?:of\s+|"
        rf"de\s+)?(?P<n>{_NAME})(?!\w)\.?(?:,?\s+(?:de\s+)?{_YEAR}(?!\d))?",
        re.IGNORECASE,
    ),
)


class WrittenDate(NamedTuple):
    """A date in a text, and how it is written there."""

    start: int
    end: int
    day: date
    found: re.Match[str]

    def moved(self, weeks: int) -> str:
        """The same some weeks later, written in the same way; a day without a year has none then, either."""
        return self.written(self.day + timedelta(weeks=weeks))

    def written(self, new: date) -> str:
        """Another day, written in the same way."""
        groups = {name: value for name, value in self.found.groupdict().items() if value}
        told = {"y": f"{new.year:04}", "m": new.month, "d": new.day}
        if "a" in groups:
            days_first = (int(groups["a"]), int(groups["b"])) == (self.day.day, self.day.month)
            told |= {"a": new.day, "b": new.month} if days_first else {"a": new.month, "b": new.day}
        parts, last = [], self.start
        numbers = [groups[name] for name in "madb" if name in groups]
        width = (
            2 if all(len(one) == 2 for one in numbers) and (len(numbers) > 1 or numbers[0][0] == "0") else 1
        )
        for name in sorted(groups.keys() - {"s"}, key=self.found.start):
            start, end = self.found.span(name)
            old = groups[name]
            value = _month(old, new.month) if name == "n" else str(told[name])
            if name == "y" and len(old) == 2:
                value = value[-2:]
            parts += [self.found.string[last:start], value.zfill(width)]
            last = end
        return "".join((*parts, self.found.string[last : self.end]))


def _month(old: str, number: int) -> str:
    """A month in the language of another."""
    words = next((words for words in _MONTHS if old.lower() in words), _MONTHS[1])
    new = words[number - 1]
    return new.capitalize() if old[0].isupper() else new


def dates_in(text: str, *, months_first: bool = True, year: int = 2024) -> Iterator[WrittenDate]:
    """Every date, the first reading of overlapping ones. `year`: of those that have none."""
    starts: list[int] = []
    ends: list[int] = []
    for pattern in _PATTERNS:
        for found in pattern.finditer(text):
            day = _day(found, months_first, year)
            place = bisect_left(starts, found.end())  # Those before it begin before this one ends.
            if day and not (place and ends[place - 1] > found.start()):
                starts.insert(place, found.start())
                ends.insert(place, found.end())
                yield WrittenDate(*found.span(), day, found)


def _day(found: re.Match[str], months_first: bool, year: int) -> date | None:
    """The day that is meant; None if there is no such day."""
    groups = found.groupdict()
    number = int(groups["y"]) if groups.get("y") else year
    number += 2000 if number < 50 else 1900 if number < 100 else 0
    if "a" in groups:
        first, second = int(groups["a"]), int(groups["b"])
        if groups["s"] == ".":
            months_first = False
        month, day = (first, second) if (months_first and first <= 12) or second > 12 else (second, first)
    else:
        month = _NUMBER_OF[groups["n"].lower()] if groups.get("n") else int(groups["m"])
        day = int(groups["d"])
    try:
        return date(number, month, day)
    except ValueError:
        return None
