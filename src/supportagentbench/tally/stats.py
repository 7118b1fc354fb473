"""Statistics: numbers in, numbers out. No word of ours in here."""

from collections.abc import Sequence
from math import sqrt
from statistics import NormalDist

from scipy.stats import t as student_t

CONFIDENCE = 0.95


def wilson(rate: float, trials: float, quantile: float | None = None) -> tuple[float, float]:
    """Wilson's interval for a rate seen in so many independent trials."""
    z = quantile if quantile is not None else NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
    middle = (rate + z * z / (2 * trials)) / (1 + z * z / trials)
    half = z / (1 + z * z / trials) * sqrt(rate * (1 - rate) / trials + z * z / (4 * trials**2))
    return max(0.0, min(rate, middle - half)), min(1.0, max(rate, middle + half))


def clustered_wilson(rates: Sequence[float], clusters: Sequence[str]) -> tuple[float, float]:
    """Wilson's interval for the mean of rates that come in clusters.

    The number of trials is what independent ones would have to be for the clustered variance, never
    more than the rates themselves, and Student's t replaces z because clusters are few.
    """
    count, mean = len(rates), sum(rates) / len(rates)
    names = sorted(set(clusters))
    if len(names) < 2:
        return wilson(mean, 1)
    residuals = dict.fromkeys(names, 0.0)
    for rate, name in zip(rates, clusters, strict=True):
        residuals[name] += rate - mean
    groups = len(names)
    variance = groups / (groups - 1) * sum(sum_**2 for sum_ in residuals.values()) / count**2
    effective = min(count, mean * (1 - mean) / variance) if variance > 0 else float(count)
    quantile = float(student_t.ppf((1 + CONFIDENCE) / 2, groups - 1))
    return wilson(mean, max(effective, 1.0), quantile)
