"""Tally: how often each of several things happened, as numbers in a row and as parts of one bar."""

from typing import Literal, NamedTuple

from supportagentbench.site.data.opened_set import OpenedSet

WIDTH = 1000
"""Of the bar, in its own units."""

TallyLook = Literal["plain", "harm", "cool", "pale", "warm", "grey", "open"]
"""Names of colours; `open` is only outlined."""


class TallyCount(NamedTuple):
    """One thing that is counted."""

    look: TallyLook
    title: str
    opened: OpenedSet
    note: str = ""
    """What else is known of these, such as their dollars."""


class BarPart(NamedTuple):
    """One part of the bar, from left to right."""

    look: TallyLook
    x: int
    width: int


class Tally(NamedTuple):
    """One row."""

    name: str
    counts: tuple[TallyCount, ...]

    @property
    def parts(self) -> list[BarPart]:
        """The bar; without what did not happen."""
        total, found, before = sum(one.opened.size for one in self.counts), list[BarPart](), 0
        for one in self.counts:
            after = before + one.opened.size
            if after > before:
                start, end = (round(WIDTH * count / total) for count in (before, after))
                found.append(BarPart(one.look, start, end - start))
            before = after
        return found

    @property
    def said(self) -> str:
        """The bar for readers without the picture."""
        return ", ".join(f"{one.opened.size} {one.title.lower()}" for one in self.counts if one.opened.size)
