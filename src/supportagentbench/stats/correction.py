"""Correction: the rate behind the answers of a rater who makes mistakes."""

from collections.abc import Sequence
from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from supportagentbench.stats.rates import Z, student

Floats = NDArray[np.float64]

LEAST_LABELS = 30
LEAST_SKILL = 0.2
"""Sensitivity plus specificity minus one, below which a rater is too weak to be corrected."""


class Corrected(NamedTuple):
    """A corrected rate; its interval includes the error of the calibration."""

    rate: float
    low: float
    high: float


class CorrectionStratum(NamedTuple):
    """Items of one kind: the rater's answers without labels, and answers and labels where both exist."""

    read: ArrayLike
    labelled_read: ArrayLike
    labels: ArrayLike


def rogan_gladen(
    read: tuple[float, float], yes_found: tuple[float, float], no_found: tuple[float, float]
) -> Corrected | None:
    """The rate behind a rater's yeses (hits, trials), given how many true yeses and noes it finds.

    The interval is Lang and Reiczigel's. None with too few labels or a rater close to guessing.
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
    """The mean label if most items have only a rater's answer: stratified prediction-powered inference.

    It is the rater's mean plus the error that the labels show, and valid whatever errors the rater makes.
    None if a stratum has too few labels.
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
        # Two imaginary labels, half an error each way: no error in thirty does not prove a perfect rater.
        error = (float(((off - off.mean()) ** 2).sum()) + 0.5) / (len(off) - 1) / len(off)
        rate += share * (trust * float(read.mean()) + float(off.mean()))
        part = share**2 * (trust**2 * float(read.var(ddof=1)) / len(read) + error)
        variance += part
        squares += part**2 / (len(off) - 1)
    half = student(variance**2 / squares) * sqrt(variance)
    return Corrected(*(min(max(value, 0.0), 1.0) for value in (rate, rate - half, rate + half)))


def _trust(read: Floats, known: Floats, labels: Floats) -> float:
    """How much weight the rater gets: from 0 if it does not predict the labels up to 1."""
    spread = float(known.var())
    if not spread:
        return 0.0
    slope = float(np.cov(known, labels, ddof=0)[0, 1]) / spread
    return min(max(slope / (1 + len(labels) / len(read)), 0.0), 1.0)
