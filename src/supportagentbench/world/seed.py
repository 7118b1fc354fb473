"""Seed: what draws a set of cases. Numbers are open to all; a private one is known by its commitment only.

Publish the commitment before a run and the secret after it: anybody can then draw the same cases and see
that they were fixed beforehand.
"""

import hashlib
from typing import NamedTuple

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
    """The seed that anybody can use; 0 is the public set."""
    return Seed(str(number), str(number))


def private(secret: str) -> Seed:
    """A seed from a secret; what is written down is its commitment."""
    return Seed(f"{_PRIVATE}{secret}", f"private:{commitment(secret)}")


def commitment(secret: str) -> str:
    """The SHA-256 that can be published before the secret is."""
    return hashlib.sha256(f"supportagentbench private seed\n{secret}".encode()).hexdigest()


PUBLIC = numbered(0)
