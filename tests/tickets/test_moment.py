"""Moment: every date has a time zone, and one that could be two days is not read."""

from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from supportagentbench.tickets.moment import BadMoment, from_seconds, moment

NINE = datetime(2026, 3, 2, 9, tzinfo=UTC)


@pytest.mark.parametrize(
    "words",
    [
        "2026-03-02T09:00:00Z",
        "2026-03-02T09:00:00+00:00",
        "2026-03-02T11:00:00+02:00",
        "2026-03-02T04:00-0500",
        "2026-03-02 09:00:00 UTC",
        "2026-03-02 09:00:00 +0000",
        "2026-03-02T09:00:00.000+0000",
        "2026-03-02T09:00:00,000Z",
        "2026-03-02T09:00:00",
        "1772442000",
        "1772442000.0",
        "1772442000000",
        "  2026-03-02T09:00Z ",
    ],
)
def test_ways_to_write_one_moment(words: str) -> None:
    assert moment(words) == NINE


def test_a_date_without_a_zone_is_in_the_one_given() -> None:
    assert moment("2026-03-02T10:00", ZoneInfo("Europe/Berlin")) == NINE
    assert moment("02.03.2026 10:00", ZoneInfo("Europe/Berlin"), "%d.%m.%Y %H:%M") == NINE
    assert moment("") is None
    assert from_seconds(0) is from_seconds(None) is None


@pytest.mark.parametrize(
    ("words", "dates", "why"),
    [
        ("03/04/2026", "", "say how it is written"),
        ("yesterday", "", "say how it is written"),
        ("2026-03-02" + " " * 40 + "x", "", "say how it is written"),
        ("2026-02-30T10:00Z", "", "does not exist"),
        ("1900-01-01T10:00Z", "", "not between 1990 and 2100"),
        ("9999-12-31T23:59-12:00", "", "not between 1990 and 2100"),
        ("2026-03-02", "%d.%m.%Y", "not written as"),
        ("2026-03-02", "%Y-%m-%d%Z%%%", "not written as"),
    ],
)
def test_what_is_not_read_says_what_to_do(words: str, dates: str, why: str) -> None:
    with pytest.raises(BadMoment, match=why):
        moment(words, UTC, dates)


def test_a_zone_that_is_not_said_is_asked_for() -> None:
    with pytest.raises(BadMoment, match="no time zone"):
        moment("2026-03-02T09:00", None)


@pytest.mark.parametrize("seconds", [float("inf"), float("nan"), -1.0, 1e18])
def test_seconds_that_are_no_moment(seconds: float) -> None:
    with pytest.raises(BadMoment):
        from_seconds(seconds)


@given(st.datetimes(datetime(1991, 1, 1), datetime(2099, 1, 1)), st.integers(-12 * 60, 12 * 60))
def test_what_is_written_as_iso_comes_back(at: datetime, minutes: int) -> None:
    there = at.replace(tzinfo=timezone(timedelta(minutes=minutes)))
    assert moment(there.isoformat()) == there


@given(st.text(max_size=30))
def test_any_text_is_a_moment_or_a_reason(words: str) -> None:
    try:
        found = moment(words)
    except BadMoment:
        return
    assert found is None or found.tzinfo is UTC
