"""Circuit breaker: stops work that a provider keeps refusing."""


class CircuitBreaker:
    """Opens after the same error five times in a row: continuing would not help."""

    THRESHOLD = 5

    def __init__(self) -> None:
        self.error = ""
        """The last error."""
        self._in_a_row = 0

    @property
    def is_open(self) -> bool:
        return self._in_a_row >= self.THRESHOLD

    def record(self, error: str) -> None:
        """Count one more piece of work; an empty error means success. Once open, it stays open."""
        if self.is_open:
            return
        repeated = error and error == self.error
        self._in_a_row = self._in_a_row + 1 if repeated else int(bool(error))
        self.error = error
