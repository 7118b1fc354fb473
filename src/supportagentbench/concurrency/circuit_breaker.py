"""Circuit breaker: stops work that a provider keeps refusing."""


class CircuitBreaker:
    """Opens after five failures of one kind in a row, however they are worded: continuing would not help."""

    THRESHOLD = 5

    def __init__(self) -> None:
        self.kind = ""
        """The kind of the last failure."""
        self.words = ""
        """The last failure in the provider's own words."""
        self._in_a_row = 0

    @property
    def is_open(self) -> bool:
        return self._in_a_row >= self.THRESHOLD

    def succeed(self) -> None:
        """Count a piece of work that was done. Once open, it stays open."""
        if not self.is_open:
            self.kind = self.words = ""
            self._in_a_row = 0

    def fail(self, kind: str, words: str, *, is_final: bool = False) -> None:
        """Count a failure; a final one opens it at once. Once open, it stays open."""
        if self.is_open:
            return
        self._in_a_row = self._in_a_row + 1 if kind == self.kind else 1
        if is_final:
            self._in_a_row = self.THRESHOLD
        self.kind, self.words = kind, words
