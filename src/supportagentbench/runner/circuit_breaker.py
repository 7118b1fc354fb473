"""Fuse: what stops work that a provider will not let succeed."""


class CircuitBreaker:
    """Blows when the same complaint comes five times in a row: going on would not help."""

    BLOWS_AT = 5

    def __init__(self) -> None:
        self.words = ""
        self._in_a_row = 0

    @property
    def is_blown(self) -> bool:
        return self._in_a_row >= self.BLOWS_AT

    def note(self, complaint: str) -> None:
        """Take one more piece of work into account; empty: it went well."""
        if self.is_blown:
            return
        repeated = complaint and complaint == self.words
        self._in_a_row = self._in_a_row + 1 if repeated else int(bool(complaint))
        self.words = complaint
