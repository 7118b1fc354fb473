"""A fuse blows at the fifth equal complaint in a row, and stays blown."""

from supportagentbench.runner.circuit_breaker import CircuitBreaker


def after(*complaints: str) -> CircuitBreaker:
    fuse = CircuitBreaker()
    for complaint in complaints:
        fuse.note(complaint)
    return fuse


def test_it_takes_five_alike_in_a_row() -> None:
    assert not after(*["401: no"] * 4).is_blown
    assert after(*["401: no"] * 5).is_blown


def test_another_complaint_or_a_success_starts_the_count_anew() -> None:
    assert not after(*["401: no"] * 4, "", *["401: no"] * 4).is_blown
    assert not after(*["401: no"] * 4, "429: slow", *["401: no"] * 4).is_blown
    assert after("429: slow", *["401: no"] * 5).is_blown


def test_once_blown_it_keeps_its_words() -> None:
    fuse = after(*["401: no"] * 5, "", "something else")
    assert fuse.is_blown
    assert fuse.words == "401: no"
