"""Dates: every common way to write one is moved and written in the same way."""

import pytest

from supportagentbench.tickets.dates import dates_in


@pytest.mark.parametrize(
    ("text", "later"),
    [
        ("2024-03-05", "2024-03-12"),
        ("2024-12-31T10:00", "2025-01-07T10:00"),
        ("03/05/2024", "03/12/2024"),
        ("25/12/2024", "01/01/2025"),
        ("5.3.24", "12.3.24"),
        ("March 5, 2024", "March 12, 2024"),
        ("mar 28", "apr 4"),
        ("5th of March 2024", "12th of March 2024"),
        ("31 décembre 2023", "7 janvier 2024"),
        ("29. Februar 2024", "7. März 2024"),
        ("5 de mayo de 2024", "12 de mayo de 2024"),
        ("2024年3月5日", "2024年3月12日"),
    ],
)
def test_a_week_later(text: str, later: str) -> None:
    [found] = dates_in(text)
    assert found.moved(1) + text[found.end :] == later


def test_days_come_first_where_they_do() -> None:
    [found] = dates_in("03/05/2024", months_first=False)
    assert (found.day.month, found.moved(1)) == (5, "10/05/2024")


@pytest.mark.parametrize(
    "text", ["31/02/2024", "1.2.3.4", "12/2024", "may 5000 people come", "10/10", "99.99.99"]
)
def test_what_is_no_date(text: str) -> None:
    assert list(dates_in(text)) == []
