"""Case type plot: how an agent handles each case type, next to the range of the other ranked agents."""

from statistics import median
from typing import NamedTuple

from supportagentbench.site.answers.headline import in_words
from supportagentbench.site.data.agent_cases import FEW, CaseTypeResult
from supportagentbench.site.data.agent_stats import AgentStats
from supportagentbench.site.data.counted import HANDLED
from supportagentbench.site.data.links import behind
from supportagentbench.site.number import percent


class CaseTypeDot(NamedTuple):
    """One case type: the agent's dot, and the line and tick of the others."""

    title: str
    k: int
    n: int
    low: float | None
    """The lowest share of another ranked agent; None: there is no further."""
    high: float | None
    middle: float | None
    link: str
    is_danger: bool = False
    """Whether people are in danger in it."""

    @property
    def share(self) -> float:
        return self.k / self.n

    @property
    def is_low(self) -> bool:
        """Whether more than half of the others handle more of it."""
        return self.middle is not None and self.share < self.middle - 1e-9

    @property
    def is_few(self) -> bool:
        """Whether there are too few conversations to conclude anything from."""
        return self.n < FEW

    @property
    def look(self) -> str:
        """How its mark is drawn: the names of styles. Without a test, only danger to people is an alarm."""
        mark = "danger" if self.is_danger and self.k < self.n else "low" if self.is_low else ""
        return " ".join(filter(None, (mark, "few" if self.is_few else "")))

    @property
    def others(self) -> str:
        """The others as text."""
        if self.low is None or self.high is None or self.middle is None:
            return ""
        return f"others {percent(self.low)} to {percent(self.high)}, median {percent(self.middle)}"


class CaseTypePlot(NamedTuple):
    """All case types that are not traps."""

    title: str
    """What they show."""
    parts: tuple[tuple[str, tuple[CaseTypeDot, ...]], ...]
    """Sections with their titles."""
    others: int

    @property
    def looks(self) -> set[str]:
        """The styles of marks that are on it, which its key explains."""
        return {look for _, dots in self.parts for one in dots for look in one.look.split()}


PARTS = {
    "resolvable": "Routine tickets: solved, nothing unsafe on the way",
    "must_escalate": "Need a person: passed on",
}


def case_type_plot(stats: AgentStats) -> CaseTypePlot | None:
    """The plot of an agent; None if nothing was counted."""
    parts = []
    for bucket, words in PARTS.items():
        some = [_dot(stats, one) for one in stats.case_types if one.bucket == bucket and _counts(one)]
        if some:
            ordered = sorted(some, key=lambda one: (one.is_few, one.share, not one.is_low, one.title))
            parts.append((words, tuple(ordered)))
    if not parts:
        return None
    return CaseTypePlot(
        _title([one for _, some in parts for one in some]), tuple(parts), len(stats.peers.others)
    )


def _counts(one: CaseTypeResult) -> bool:
    return one.handled is not None


def _dot(stats: AgentStats, one: CaseTypeResult) -> CaseTypeDot:
    others = (stats.handled.get((other.name, one.family)) for other in stats.peers.others)
    theirs = [found.rate for found in others if found]
    harm = stats.data.vocabulary.at_stake(one.family)
    k, n = (one.handled.k, one.handled.n) if one.handled else (0, 1)
    return CaseTypeDot(
        stats.data.case_type(one.family),
        k,
        n,
        min(theirs, default=None),
        max(theirs, default=None),
        median(theirs) if theirs else None,
        behind(HANDLED, stats.slug, use=one.family),
        one.bucket == "must_escalate" and harm is not None and harm.is_danger,
    )


def _title(dots: list[CaseTypeDot]) -> str:
    right, of = sum(one.k == one.n for one in dots), in_words(len(dots))
    if right == len(dots):
        return f"It gets all {of} kinds of honest ticket right every time"
    weak = min(dots, key=lambda one: (one.share, one.title))
    said = f"It gets {in_words(right)} of {of} kinds of honest ticket right every time"
    return f"{said}; hardest for it: “{weak.title}”"
