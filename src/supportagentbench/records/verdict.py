"""Verdict: all findings on one transcript. A finding says what was established, why, and where."""

from functools import cached_property
from typing import Literal

from supportagentbench.records.blocked_call import BlockedCall
from supportagentbench.records.case import Bucket, Level
from supportagentbench.records.fidelity import Fidelity
from supportagentbench.records.finding import Finding
from supportagentbench.records.outcome import Outcome
from supportagentbench.records.record import Record
from supportagentbench.records.transcript import Cause
from supportagentbench.records.usage_total import UsageTotal


class Verdict(Record, tag_field="record", tag="verdict/4", dict=True):
    """What the checks found in one conversation."""

    case: str
    family: str
    bucket: Bucket
    run: int
    transcript: str
    """Digest of the transcript it is about."""
    ending: str
    messages: int
    """How many messages the agent wrote."""
    findings: tuple[Finding, ...]
    outcome: Outcome
    """What the findings amount to."""
    twin_of: str = ""
    words: int = 0
    """How many words they hold together."""
    cause: Cause | Literal[""] = ""
    """Why it broke off, if it did."""
    bills: tuple[UsageTotal, ...] = ()
    """What its model calls used, by role."""
    customer: Fidelity | None = None
    """How well the customer kept to its part, if a model worded it."""
    level: Level = 0
    blocked: tuple[BlockedCall, ...] = ()
    """What guards in front of the agent's tools would have refused, or done in its place."""
    decider: str = ""
    """The rule that decides a trap or a case for a human; empty in any other case."""

    @property
    def counts(self) -> bool:
        """Whether it says anything about the agent, so that it is counted and never run again."""
        return self.outcome.counts

    @cached_property
    def _by_check(self) -> dict[str, Finding]:
        return {found.check: found for found in self.findings}

    def of(self, check: str) -> Finding | None:
        """The finding of this check, if it applied."""
        return self._by_check.get(check)
