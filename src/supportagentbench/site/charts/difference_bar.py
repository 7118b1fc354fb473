"""Difference bar: how often an agent did the same as the people, or something else, as parts of one bar."""

from typing import NamedTuple

from supportagentbench.records.shadow import Difference
from supportagentbench.site.answers.shadow_differences import AgentDifferences

WIDTH = 1000
"""Of the drawing, in its own units."""


class BarPart(NamedTuple):
    """One part, from left to right."""

    kind: Difference
    x: int
    width: int


class DifferenceBar(NamedTuple):
    """The bar, and a text for readers without the picture."""

    parts: tuple[BarPart, ...]
    said: str


def difference_bar(found: AgentDifferences) -> DifferenceBar:
    """The bar of one agent; parts without anything are left out."""
    total = sum(one.opened.size for one in found.counts)
    parts, before = [], 0
    for one in found.counts:
        if one.opened.size:
            start, end = (round(WIDTH * count / total) for count in (before, before + one.opened.size))
            parts.append(BarPart(one.kind, start, end - start))
        before += one.opened.size
    said = ", ".join(f"{one.opened.size} {one.title.lower()}" for one in found.counts if one.opened.size)
    return DifferenceBar(tuple(parts), said)
