"""Verification: whether an agent's results are verified, and every reason why they are not.

Verified means: anyone can derive its conversations again, and nobody could have known the cases, read them on
the benchmark's machine, replayed answers or left conversations out.
Isolation, replays and times are as the publisher states them.
"""

from supportagentbench.records.record import Record

VERIFIED = "verified"
NOT_VERIFIED = "not verified"


class Verification(Record):
    """The status of one agent's results."""

    doubts: tuple[str, ...] = ()
    """Why they are not verified, one clause each; empty: they are."""

    @property
    def is_verified(self) -> bool:
        return not self.doubts

    @property
    def title(self) -> str:
        """The mark on a row."""
        return VERIFIED if self.is_verified else NOT_VERIFIED

    def __str__(self) -> str:
        return f"{NOT_VERIFIED}: {'; '.join(self.doubts)}" if self.doubts else VERIFIED
