"""Known words: words that are names and words that are not, by the evidence of all tickets of an import."""

from typing import NamedTuple

from supportagentbench.tickets.word_lists import common_words


class KnownWords(NamedTuple):
    """Words of an import, besides the common ones."""

    names: frozenset[str] = frozenset()
    """Folded words that are names somewhere in the import."""

    def is_common(self, word: str) -> bool:
        """Whether a folded word is one of the common ones; that many tickets have a word proves nothing."""
        return word in common_words()


ONLY_COMMON = KnownWords()
"""Only the common words."""
