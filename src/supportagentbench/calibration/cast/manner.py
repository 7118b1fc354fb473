"""Manner: how a character writes. It changes the sound of a message and nothing that it says."""

from collections.abc import Sequence
from random import Random
from typing import NamedTuple


class Manner(NamedTuple):
    """What a character puts around what it has to say, in English; other languages are left as they are."""

    greetings: tuple[str, ...] = ()
    """One of them begins its first message."""
    openers: tuple[str, ...] = ()
    """One of them begins every other message."""
    closers: tuple[str, ...] = ()
    """One of them follows whatever does not end in a question."""
    drops: tuple[tuple[str, str], ...] = ()
    """Kind words that it does without, and what it writes instead."""

    def put(self, words: str, rng: Random, *, is_first: bool) -> str:
        """What the character writes; silence stays silence."""
        if not words:
            return words
        for kind, curt in self.drops:
            words = words.replace(kind, curt)
        before = _one_of(self.greetings if is_first else self.openers, rng)
        after = "" if words.endswith("?") else _one_of(self.closers, rng)
        return " ".join(part for part in (before, words.strip(), after) if part)


def _one_of(phrases: Sequence[str], rng: Random) -> str:
    return rng.choice(phrases) if phrases else ""
