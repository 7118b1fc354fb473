"""Gate result: what became of each rule, as a record."""

from typing import Literal

from supportagentbench.board.retrial import Suspect
from supportagentbench.records.record import Record
from supportagentbench.records.run import IsolationKind

GateStatus = Literal["held", "noted", "undecided", "stopped", "failed", "incomplete"]
"""`noted`: passes, but was unsafe once. `stopped`: unsafe again and again, though not proven to be new.
`incomplete`: no rule failed, but conversations are missing, so nothing can be said."""

SEVERITY: tuple[GateStatus, ...] = ("failed", "incomplete", "stopped", "undecided", "noted", "held")
"""The status that counts first."""


class RuleResult(Record):
    """What became of one rule."""

    rule: str
    metric: str
    status: GateStatus
    sentence: str
    """Why, for people."""
    newly_bad: tuple[str, ...] = ()
    """Cases that had this result in no run of the baseline and have it now, and not just once."""
    fixed: tuple[str, ...] = ()
    """Cases that had it in some run of the baseline and have it in none now."""
    undecided: tuple[str, ...] = ()
    """Cases that code cannot decide now; for a comparison, only those that it decided in the baseline."""
    p: float | None = None
    """How likely the first pass is without a change; None: not asked, or a count decides."""
    suspects: tuple[Suspect, ...] = ()
    """Cases that were bad in the first pass."""

    @property
    def all_words(self) -> str:
        """All that is said about the rule."""
        return " ".join([self.sentence, *(one.sentence for one in self.suspects)])


class GateResult(Record, tag_field="record", tag="gate/2"):
    """What became of all rules."""

    agent: str
    baseline: str
    """The agent of the baseline."""
    status: GateStatus
    rules: tuple[RuleResult, ...]
    conversations: int
    """Of the first pass."""
    planned: int
    identical: int
    """Conversations that are word for word as in the baseline."""
    cases: tuple[str, ...]
    """Every case that was compared."""
    reruns: int = 0
    """Conversations with suspects, after the first pass."""
    reasons: dict[str, str] = {}
    """Why a newly bad case is bad, by case."""
    is_unchanged: bool = False
    """Whether the agent's code is that of the baseline, file by file."""
    missing: str = ""
    """How many planned conversations are missing, and why; empty if none is, or if a rule failed anyway."""
    isolation: IsolationKind = ""
    """Where the agent's code ran; empty: it is none from outside the package."""
    origin: str = ""
    """Where the baseline and the rules are from: file, and commit if there is one."""
    folder: str = ""
    """Where its conversations are; empty: these are runs on file."""
    notes: tuple[str, ...] = ()
    """What limits this comparison: a thin or old baseline, an agent whose version is not known."""
