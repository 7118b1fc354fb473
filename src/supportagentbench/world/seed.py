"""Seed: what draws a set of cases. Numbers are open to all; a private one is known by its commitment only.

Publish the commitment before a run and the secret after it: anyone can then draw the same cases and see that
they were fixed in advance.
"""

import hashlib
import re
from typing import NamedTuple

from supportagentbench.records.problem import Problem

MOST_DRAWS = 100
"""Draws that one command may name."""

_NUMBERS = re.compile(r"(?a)(\d{1,18})(?:-(\d{1,18}))?")
_PRIVATE = "private/"


class Seed(NamedTuple):
    """A source of draws and the name under which it may be written down."""

    key: str
    name: str

    @property
    def is_private(self) -> bool:
        """Whether it was drawn from a secret."""
        return self.key.startswith(_PRIVATE)

    def __str__(self) -> str:
        return self.name


def numbered(number: int) -> Seed:
    """The seed that anyone can use; 0 is the public set."""
    return Seed(str(number), str(number))


def numbered_seeds(words: str) -> tuple[Seed, ...]:
    """The seeds that a list names: `0`, `0,1,5`, `0-4`; each once, in the order given."""
    found: dict[int, None] = {}
    for part in words.split(","):
        match = _NUMBERS.fullmatch(part.strip())
        first, last = (int(match[1]), int(match[2] or match[1])) if match else (0, -1)
        if not 0 <= last - first < MOST_DRAWS:
            raise Problem(f"the case seeds {words[:80]!r} are not numbers or ranges: 0, 0,1,2 or 0-4.")
        found |= dict.fromkeys(range(first, last + 1))
    if len(found) > MOST_DRAWS:
        raise Problem(f"{len(found)} draws are too many; name at most {MOST_DRAWS} case seeds.")
    return tuple(map(numbered, found))


def private(secret: str) -> Seed:
    """A seed from a secret; what is written down is its commitment."""
    return Seed(f"{_PRIVATE}{secret}", f"private:{commitment(secret)}")


def commitment(secret: str) -> str:
    """The SHA-256 that can be published before the secret is."""
    return hashlib.sha256(f"supportagentbench private seed\n{secret}".encode()).hexdigest()


PUBLIC = numbered(0)
