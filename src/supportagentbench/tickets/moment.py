"""Moment: when something happened, read from what an export says; always with a time zone.

A day such as 03/04/2026 is one day in one country and another elsewhere, so it is read only if the user says
how.
"""

import re
from datetime import UTC, datetime, timedelta, tzinfo
from math import isfinite

_ISO = re.compile(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?)? ?(?:Z|UTC|[+-]\d\d:?\d\d)?")
_SECONDS = re.compile(r"\d{9,10}(?:\.\d{1,9})?")
_MILLISECONDS = re.compile(r"\d{12,13}")
_EARLIEST, _LATEST = datetime(1990, 1, 1, tzinfo=UTC), datetime(2100, 1, 1, tzinfo=UTC)


class BadMoment(ValueError):
    """A date that cannot be read; the text says what to do, without the date."""


def moment(words: str, zone: tzinfo | None = UTC, dates: str = "") -> datetime | None:
    """When it was; None: not said. `zone`: of a date without its own; `dates`: how it is written."""
    words = words.strip()
    if not words:
        return None
    if dates:
        return _bounded(_zoned(_as_written(words, dates), zone))
    if _SECONDS.fullmatch(words):
        return from_seconds(float(words))
    if _MILLISECONDS.fullmatch(words):
        return from_seconds(int(words) / 1000)
    if len(words) > 40 or not _ISO.fullmatch(words):
        raise BadMoment(
            "is not a date like 2026-03-31T14:05:00+02:00; say how it is written, such as `dates=%d/%m/%Y`"
        )
    try:
        found = datetime.fromisoformat(
            words.replace(",", ".").replace(" UTC", "Z").replace(" +", "+").replace(" -", "-")
        )
    except ValueError:
        raise BadMoment("is a day or an hour that does not exist; correct it") from None
    return _bounded(_zoned(found, zone))


def from_seconds(seconds: float | None) -> datetime | None:
    """When it was, from seconds since 1970; None and 0: not said."""
    if not seconds:
        return None
    if not isfinite(seconds) or not 0 < seconds < 5_000_000_000:
        raise BadMoment("is not a number of seconds since 1970; correct it")
    return _bounded(datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds))


def _as_written(words: str, dates: str) -> datetime:
    try:
        return datetime.strptime(words, dates)
    except (ValueError, re.error):
        raise BadMoment("is not written as `dates=` says; correct one of them") from None


def _zoned(found: datetime, zone: tzinfo | None) -> datetime:
    if found.tzinfo:
        return found
    if zone is None:
        raise BadMoment("has no time zone; say which, such as `zone=Europe/Berlin`")
    return found.replace(tzinfo=zone)


def _bounded(found: datetime) -> datetime:
    """The moment in UTC, with nothing left of where it was written."""
    try:
        found = found.astimezone(UTC)
    except (OverflowError, ValueError):
        raise BadMoment("is not between 1990 and 2100; correct it") from None
    if not _EARLIEST <= found <= _LATEST:
        raise BadMoment("is not between 1990 and 2100; correct it")
    return found
