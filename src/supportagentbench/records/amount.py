"""Amount: how large numbers in records can be. Records check it whenever they are read.

Any number that a file may hold has to be one that pages and tables can work with.
"""

from typing import Annotated

from msgspec import Meta

Count = Annotated[int, Meta(ge=0, le=10**12)]
"""How many: tokens, attempts, calls."""

TurnNumber = Annotated[int, Meta(ge=0, le=100_000)]
"""The place of a turn in its conversation."""

Moment = Annotated[float, Meta(ge=0, le=100_000_000_000)]
"""Seconds since 1970, for some thousand years."""

Seconds = Annotated[float, Meta(ge=-(10**9), le=10**9)]
"""A duration, of some years at most; a clock that was set back makes it negative."""

Dollars = Annotated[float, Meta(ge=0, le=10**9)]

Weight = Annotated[float, Meta(ge=0, le=10**6)]
"""How much something counts next to others; weights are divided by their sum, unless all are zero."""
