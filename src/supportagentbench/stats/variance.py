"""Variance: what nested levels each add to the variance of single trials."""

from collections.abc import Hashable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]


def nested_shares(values: ArrayLike, *levels: Sequence[Hashable]) -> list[float | None] | None:
    """The share of each level, widest first, and of the rest within the narrowest one.

    Each level is a label per value, and is nested in the levels before it. From the mean squares (Henderson's
    first method); estimates below zero count as zero. A level whose groups never split has no separate share:
    None, and the level above it includes it. None at all if nothing varies.
    """
    x = np.asarray(values, float)
    groups = _nested(levels, len(x))
    sums = [np.bincount(group, x) ** 2 / np.bincount(group) for group in groups]
    squares = np.diff([float(each.sum()) for each in sums])
    counts = [int(group.max()) + 1 for group in groups]
    freedom = np.diff(counts)
    found: list[float | None] = [None] * len(freedom)
    for level in reversed(range(len(freedom))):
        if freedom[level]:
            left = squares[level]
            for below in range(level + 1, len(freedom)):
                if (part := found[below]) is not None:
                    left -= part * _weight(groups, level, below)
            found[level] = max(0.0, float(left / _weight(groups, level, level)))
    total = sum(part for part in found if part is not None)
    return [None if part is None else part / total for part in found] if total > 0 else None


def _nested(levels: Sequence[Sequence[Hashable]], count: int) -> list[NDArray[np.int64]]:
    """The number of each value's group: all in one, then by each level, then each by itself."""
    paths: list[tuple[Hashable, ...]] = [()] * count
    found = [np.zeros(count, np.int64)]
    for level in (*levels, range(count)):
        paths = [(*path, label) for path, label in zip(paths, level, strict=True)]
        numbers = {path: number for number, path in enumerate(dict.fromkeys(paths))}
        found.append(np.array([numbers[path] for path in paths]))
    return found


def _weight(groups: list[NDArray[np.int64]], level: int, below: int) -> float:
    """How often the variance of one level is in the expected sum of squares of another."""
    inner = groups[below + 1]
    sizes = np.bincount(inner)
    outer = np.empty(len(sizes), np.int64)

    def within(which: NDArray[np.int64]) -> float:
        outer[inner] = which
        return float((np.bincount(outer, sizes.astype(float) ** 2) / np.bincount(which)).sum())

    return within(groups[level + 1]) - within(groups[level])
