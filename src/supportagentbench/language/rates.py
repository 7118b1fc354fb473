"""Rates as they are typed: `5%,15%` or `0.05,0.15`."""

import re

from supportagentbench.records.problem import Problem

_RATE = re.compile(r"(?a)\s*(\d{1,3}(?:\.\d{1,6})?)\s*(%?)\s*")


def two_rates(words: str) -> tuple[float, float]:
    """Two rates between 0 and 1, both excluded."""
    found = []
    for part in words.split(","):
        if match := _RATE.fullmatch(part):
            found.append(float(match[1]) / (100 if match[2] else 1))
    if len(found) != 2 or words.count(",") != 1 or not all(0 < rate < 1 for rate in found):
        raise Problem(f"{words[:40]!r} are not two rates between 0 and 100%; write them as 5%,15%.")
    return found[0], found[1]
