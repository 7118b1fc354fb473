"""Seed: what draws a set of cases. Numbers are open to all; a private one is known by its commitment only.

Publish the commitment before a run and the secret after it: anyone can then draw the same cases and see that
they were fixed in advance. A private seed is `salt-secret`. Its commitment shows the salt, and a hash of the
secret that takes long to compute, so that nobody finds it by trying.
"""

import hashlib
import re
import secrets
from functools import lru_cache
from hmac import compare_digest
from typing import NamedTuple

from supportagentbench.records.problem import Problem

MOST_DRAWS = 100
"""Draws that one command may name."""

_NUMBERS = re.compile(r"(?a)(\d{1,18})(?:-(\d{1,18}))?")
_PRIVATE = "private/"
_SALTED = re.compile(r"([0-9a-f]{16})-(.+)", re.DOTALL)

SHORTEST_SECRET = 16
"""Characters of a secret."""

LEAST_DIFFERENT = 8
"""Different characters of a secret."""

_COST, _BLOCK, _PARALLEL = 2**15, 8, 1
"""How long scrypt takes: about a tenth of a second and 32 MB for every guess."""


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


def new_private_seed(words: str = "") -> str:
    """A private seed that was never used: with 128 random bits, or with these words as its secret."""
    return f"{secrets.token_hex(8)}-{words or secrets.token_hex(16)}"


def is_salted(seed: str) -> bool:
    """Whether a private seed has a salt; those of earlier versions have none."""
    return _SALTED.fullmatch(seed) is not None


def refuse_guessable(seed: str) -> None:
    """Stop at a private seed that others could find by trying."""
    found = _SALTED.fullmatch(seed)
    secret = found[2] if found else seed
    if len(secret) < SHORTEST_SECRET or len({*secret}) < LEAST_DIFFERENT:
        raise Problem(
            f"the private seed can be guessed: its secret needs {SHORTEST_SECRET} characters, "
            f"{LEAST_DIFFERENT} of them different; `sab commit` makes one."
        )
    if not found:
        raise Problem(
            "the private seed has no salt; `sab commit SECRET` prints the seed to use, and its commitment."
        )


@lru_cache(maxsize=64)
def commitment(seed: str) -> str:
    """What can be published before the seed is; a seed without salt has that of earlier versions."""
    found = _SALTED.fullmatch(seed)
    if not found:
        return hashlib.sha256(f"supportagentbench private seed\n{seed}".encode()).hexdigest()
    salt, secret = found.groups()
    key = f"supportagentbench private seed\n{secret}".encode()
    hashed = hashlib.scrypt(key, salt=salt.encode(), n=_COST, r=_BLOCK, p=_PARALLEL, maxmem=2**26, dklen=32)
    return f"scrypt:{_COST}:{_BLOCK}:{_PARALLEL}:{salt}:{hashed.hex()}"


def is_name_of(seed: Seed, name: str) -> bool:
    """Whether a draw was written down under the name of this seed."""
    return compare_digest(seed.name.encode(), name.encode())


PUBLIC = numbered(0)
