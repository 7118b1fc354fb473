"""Secret: words that another process may be given, and that nothing prints or writes down."""

from typing import final


@final
class Secret:
    """Words that are only had by asking for them. No encoder of records knows this class."""

    __slots__ = ("_words",)

    def __init__(self, words: str = "") -> None:
        self._words = words

    def reveal(self) -> str:
        """The words themselves."""
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
