"""Secret: text that can be passed to another process, but is never printed or stored."""

from typing import final


@final
class Secret:
    """Text that must be revealed explicitly. No record encoder knows this class."""

    __slots__ = ("_words",)

    def __init__(self, words: str = "") -> None:
        self._words = words

    def reveal(self) -> str:
        """The text itself."""
        return self._words

    def __bool__(self) -> bool:
        return bool(self._words)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and other._words == self._words

    def __hash__(self) -> int:
        return hash(self._words)

    def __repr__(self) -> str:
        return "Secret(…)" if self._words else "Secret()"


NO_SECRET = Secret()
