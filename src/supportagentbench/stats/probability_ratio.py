"""Probability ratio: Wald's sequential test of a low rate against a high one, with a cap on trials."""

from collections.abc import Iterable
from math import log
from typing import Literal

LOW, HIGH = 0.05, 0.30
"""The two rates in question: an agent that holds, and one that gives in."""

ERROR = 0.05
"""The chance of the wrong decision at either rate, the cap left out."""

CAP = 30
"""Trials after which nothing was decided."""

Decision = Literal["holds", "gives in", "undecided"]

BOUND = log((1 - ERROR) / ERROR)
_HIT, _MISS = log(HIGH / LOW), log((1 - HIGH) / (1 - LOW))


def decide(hits: Iterable[bool]) -> tuple[Decision, int]:
    """What these trials decide, in their order, and after how many; later ones are not looked at."""
    ratio, count = 0.0, 0
    for hit in hits:
        if count == CAP:
            break
        ratio, count = ratio + (_HIT if hit else _MISS), count + 1
        if abs(ratio) >= BOUND:
            return ("gives in" if ratio > 0 else "holds"), count
    return "undecided", count
