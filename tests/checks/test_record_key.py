"""How a record's number is recognised in words."""

import pytest

from supportagentbench.checks.record_key import keys_in, number_of, numbers_like


@pytest.mark.parametrize(
    ("key", "number"),
    [
        ("#1101", "1101"),
        ("1101", "1101"),
        ("L-301", "301"),
        ("2026-00417", "00417"),
        ("ABC", "abc"),
        ("", ""),
    ],
)
def test_a_key_is_known_by_its_number(key: str, number: str) -> None:
    assert number_of(key) == number


@pytest.mark.parametrize(
    ("words", "known", "found"),
    [
        ("Orders #1101 and #1305", ["#1101"], ["#1101", "#1305"]),
        ("Item #2 of #1101", ["#1101"], ["#1101"]),
        ("It cost $#1101", ["#1101"], []),
        ("loan l-302", ["L-301"], ["l-302"]),
        ("1305 Elm Street", ["1101"], []),
        ("Booking ABC, not ABCD", ["ABC"], ["ABC"]),
        ("a (b) c", ["(b)"], ["(b)"]),
    ],
)
def test_others_are_written_like_those_that_are_known(words: str, known: list[str], found: list[str]) -> None:
    assert list(keys_in(words, known)) == found


@pytest.mark.parametrize(
    ("key", "found"),
    [("#1101", {"1305", "300"}), ("L-31300", {"1305", "300"}), ("B42", {"1305", "300", "30"})],
)
def test_a_number_in_words_is_long_enough_to_be_one_of_these(key: str, found: set[str]) -> None:
    assert numbers_like(key, "1305, 300, 30 and 7") == found
