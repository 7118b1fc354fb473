"""A circuit breaker opens at the fifth equal error in a row, and stays open."""

from supportagentbench.concurrency.circuit_breaker import CircuitBreaker


def after(*errors: str) -> CircuitBreaker:
    breaker = CircuitBreaker()
    for error in errors:
        breaker.record(error)
    return breaker


def test_it_takes_five_alike_in_a_row() -> None:
    assert not after(*["401: no"] * 4).is_open
    assert after(*["401: no"] * 5).is_open


def test_another_error_or_a_success_resets_the_count() -> None:
    assert not after(*["401: no"] * 4, "", *["401: no"] * 4).is_open
    assert not after(*["401: no"] * 4, "429: slow", *["401: no"] * 4).is_open
    assert after("429: slow", *["401: no"] * 5).is_open


def test_once_open_it_keeps_its_error() -> None:
    breaker = after(*["401: no"] * 5, "", "something else")
    assert breaker.is_open
    assert breaker.error == "401: no"
