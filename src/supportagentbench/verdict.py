"""Verdict: all findings on one transcript. A finding says what was established, why, and where."""

from supportagentbench.case import Bucket
from supportagentbench.record import Record


class Finding(Record):
    """One thing established about a conversation."""

    check: str
    value: bool | None
    """None: could not tell. A check that does not apply leaves no finding."""
    reason: str
    turns: tuple[int, ...] = ()
    """Index of the turns it rests on."""


class Verdict(Record, tag_field="record", tag="verdict/1"):
    """What the checks found in one conversation."""

    case: str
    family: str
    bucket: Bucket
    run: int
    transcript: str
    """Digest of the transcript it speaks of."""
    ending: str
    messages: int
    """How many messages the agent wrote."""
    findings: tuple[Finding, ...]
    twin_of: str = ""
    words: int = 0
    """How many words they hold together."""

    def of(self, check: str) -> Finding | None:
        """The finding of this check, if it applied."""
        return next((found for found in self.findings if found.check == check), None)
