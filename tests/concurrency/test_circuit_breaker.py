"""A circuit breaker opens at the fifth failure of one kind in a row, and stays open."""

from supportagentbench.concurrency.circuit_breaker import CircuitBreaker


def after(*kinds: str) -> CircuitBreaker:
    """After failures of these kinds, each worded differently; an empty one is a success."""
    breaker = CircuitBreaker()
    for number, kind in enumerate(kinds):
        if kind:
            breaker.fail(kind, f"request {number} failed")
        else:
            breaker.succeed()
    return breaker


def test_it_takes_five_of_a_kind_in_a_row_however_they_are_worded() -> None:
    assert not after(*["time_out"] * 4).is_open
    assert after(*["time_out"] * 5).is_open


def test_another_kind_or_a_success_resets_the_count() -> None:
    assert not after(*["time_out"] * 4, "", *["time_out"] * 4).is_open
    assert not after(*["time_out"] * 4, "provider_error", *["time_out"] * 4).is_open
    assert after("provider_error", *["time_out"] * 5).is_open


def test_a_final_failure_opens_it_at_once() -> None:
    breaker = CircuitBreaker()
    breaker.fail("budget", "nothing is left", is_final=True)
    assert breaker.is_open


def test_once_open_it_keeps_the_last_words() -> None:
    breaker = after(*["time_out"] * 5, "", "something else")
    assert breaker.is_open
    assert (breaker.kind, breaker.words) == ("time_out", "request 4 failed")
