"""Correction: what a rate would be if a fallible reader were not. No word of ours in here."""

from collections.abc import Sequence
from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from supportagentbench.stats.rates import Z, student

Floats = NDArray[np.float64]

LEAST_LABELS = 30
LEAST_SKILL = 0.2
"""Sensitivity and specificity less one, below which a reading carries too little to be corrected."""


class Corrected(NamedTuple):
    """A corrected rate and its interval, the error of the calibration inside it."""

    rate: float
    low: float
    high: float


class CorrectionStratum(NamedTuple):
    """Items of one kind: the reader's answers where nothing else is known, and both where a label is."""

    read: ArrayLike
    labelled_read: ArrayLike
    labels: ArrayLike


def rogan_gladen(
    read: tuple[float, float], yes_found: tuple[float, float], no_found: tuple[float, float]
) -> Corrected | None:
    """The rate behind a reader's yeses (hits, trials), given how many true yeses and noes it finds.

    The interval is Lang and Reiczigel's. None where labels are few or the reader hardly beats a coin.
    """
    (k, n), (a, m), (b, o) = read, yes_found, no_found
    if min(m, o) < LEAST_LABELS or a / m + b / o - 1 < LEAST_SKILL:
        return None
    rate = (k / n + b / o - 1) / (a / m + b / o - 1)
    n, m, o, raw = n + Z * Z, m + 2, o + 2, (k + Z * Z / 2) / (n + Z * Z)
    found, spared = (a + 1) / m, (b + 1) / o
    skill = found + spared - 1
    middle = (raw + spared - 1) / skill
    of_yes, of_no = found * (1 - found) / m, spared * (1 - spared) / o
    half = Z / skill * sqrt(raw * (1 - raw) / n + middle**2 * of_yes + (1 - middle) ** 2 * of_no)
    middle += 2 * Z * Z * (middle * of_yes - (1 - middle) * of_no)
    return Corrected(*(min(max(value, 0.0), 1.0) for value in (rate, middle - half, middle + half)))


def powered(strata: Sequence[CorrectionStratum]) -> Corrected | None:
    """A mean of labels, most items having only a reader's answer: stratified prediction-powered inference.

    The reader's mean, plus what the labels say it is off by; right whatever the reader's errors are. None
    where a stratum has too few labels.
    """
    if min(np.size(stratum.labels) for stratum in strata) < LEAST_LABELS:
        return None
    total = sum(np.size(stratum.read) + np.size(stratum.labels) for stratum in strata)
    rate = variance = squares = 0.0
    for stratum in strata:
        read, known, labels = (np.asarray(part, float) for part in stratum)
        share = (len(read) + len(labels)) / total
        trust = _trust(read, known, labels)
        off = labels - trust * known
        # Two imaginary labels, half off one each way: no error among thirty is not a reader without error.
        error = (float(((off - off.mean()) ** 2).sum()) + 0.5) / (len(off) - 1) / len(off)
        rate += share * (trust * float(read.mean()) + float(off.mean()))
        part = share**2 * (trust**2 * float(read.var(ddof=1)) / len(read) + error)
        variance += part
        squares += part**2 / (len(off) - 1)
    half = student(variance**2 / squares) * sqrt(variance)
    return Corrected(*(min(max(value, 0.0), 1.0) for value in (rate, rate - half, rate + half)))


def _trust(read: Floats, known: Floats, labels: Floats) -> float:
    """How far to lean on the reader: not at all if it says nothing of the labels, fully at most."""
    spread = float(known.var())
    if not spread:
        return 0.0
    slope = float(np.cov(known, labels, ddof=0)[0, 1]) / spread
    return min(max(slope / (1 + len(labels) / len(read)), 0.0), 1.0)
