"""Figure: a number exactly as printed, with its precision."""

import re
from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple

_FIGURE = re.compile(r"(≈?)(?:(\d{1,7})/(\d{1,7})|(\d{1,7}(?:\.(\d{1,6}))?)(%?))", re.ASCII)

WRITTEN = "write it as printed: 93%, 12.5%, 3/18, or 0.97 for a score; ≈ may precede it"


class PrintedFigure(NamedTuple):
    """A printed number."""

    text: str
    value: Fraction
    """A share between 0 and 1, or a score as printed."""
    decimals: int
    """Digits after the point."""
    trials: int
    """The denominator of a printed count; 0 if there is none."""
    share: bool
    about: bool
    """Printed with ≈."""

    @property
    def half_step(self) -> Fraction:
        """The largest rounding error."""
        return Fraction(0) if self.trials else Fraction(1, 2 * 10**self.decimals * (100 if self.share else 1))

    def counts(self, trials: int) -> range:
        """The counts out of these trials that would be printed like this, halves rounded either way."""
        low, high = (self.value - self.half_step) * trials, (self.value + self.half_step) * trials
        return range(max(-(-low.numerator // low.denominator), 0), min(int(high), trials) + 1)

    def nearest(self, trials: int) -> int:
        """The nearest count out of these trials."""
        return int(self.value * trials + Fraction(1, 2))


def read_figure(text: str) -> PrintedFigure | None:
    """The figure of this text; None if it is not a possible figure."""
    found = _FIGURE.fullmatch(text)
    if not found:
        return None
    about, hits, trials, number, digits, percent = found.groups()
    if hits is not None:
        if not 0 <= int(hits) <= int(trials) or not int(trials):
            return None
        return PrintedFigure(text, Fraction(int(hits), int(trials)), 0, int(trials), True, bool(about))
    value = Fraction(Decimal(number)) / (100 if percent else 1)
    if percent and value > 1:
        return None
    return PrintedFigure(text, value, len(digits or ""), 0, bool(percent), bool(about))
