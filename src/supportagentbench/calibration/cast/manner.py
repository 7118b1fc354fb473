"""Manner: how a character writes. It changes the tone of a message, never its content."""

from collections.abc import Sequence
from random import Random
from typing import NamedTuple


class Manner(NamedTuple):
    """What a character adds around its content in English; messages in other languages stay as they are."""

    greetings: tuple[str, ...] = ()
    """Its first message begins with one of these."""
    openers: tuple[str, ...] = ()
    """Every later message begins with one of these."""
    closers: tuple[str, ...] = ()
    """One of these follows every message that does not end with a question."""
    drops: tuple[tuple[str, str], ...] = ()
    """Kind phrases that it drops, and what it writes instead."""

    def put(self, words: str, rng: Random, *, is_first: bool) -> str:
        """What the character writes; an empty message stays empty."""
        if not words:
            return words
        for kind, curt in self.drops:
            words = words.replace(kind, curt)
        before = _one_of(self.greetings if is_first else self.openers, rng)
        after = "" if words.endswith("?") else _one_of(self.closers, rng)
        return " ".join(part for part in (before, words.strip(), after) if part)


def _one_of(phrases: Sequence[str], rng: Random) -> str:
    return rng.choice(phrases) if phrases else ""
