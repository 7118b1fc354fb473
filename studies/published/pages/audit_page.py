"""Audit page: the page on which statements of a printed board its own figures support."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from studies.published.audit import Audit
from studies.published.audit.examined import Examined, Outcome
from studies.published.audit.standing import Standing
from supportagentbench.site.pages.page_context import Headed, PageContext


class StatementWords(NamedTuple):
    """How a test of a printed statement ended, in words, and with a sign that is not only a colour."""

    sign: str
    heading: str
    means: str


OUTCOMES: dict[Outcome, StatementWords] = {
    "contradicted": StatementWords("✕", "contradicted", "The printed figures deny it."),
    "undecided": StatementWords("?", "undecided", "The figures neither deny it nor bear it out."),
    "survives": StatementWords("✓", "supported", "The figures bear it out, or the sum is right."),
}


class Mismatch(NamedTuple):
    """Something in the source that does not fit together."""

    says: str
    reason: str


@dataclass(frozen=True)
class AuditContext(PageContext):
    """What an audit of the printed board found."""

    TEMPLATES: ClassVar = ("audit.html",)

    audit: Audit
    hrefs: Mapping[str, str]
    """The reports on models."""
    outcome_words: ClassVar = OUTCOMES

    @property
    def headed(self) -> Headed:
        counts = {end: len(some) for end, some in self.outcomes_of.items()}
        total = len(self.audit.claims)
        if not total:
            return Headed(
                "The file lists no statements to test", "What the printed figures of a board can show."
            )
        return Headed(
            f"The pages make {total} statements: the figures support {counts['survives']}, contradict "
            f"{counts['contradicted']} and leave {counts['undecided']} undecided",
            f"{self.audit.source}: every statement tested on the figures that are printed beside it.",
        )

    @property
    def outcomes_of(self) -> dict[Outcome, list[Examined]]:
        """The printed statements, by how their test ended."""
        return {end: [one for one in self.audit.claims if one.outcome == end] for end in OUTCOMES}

    @property
    def agreeing(self) -> tuple[int, int]:
        """How many figures agree with what other pages print about their runs, and of how many."""
        right = sum(one.outcome != "contradicted" for one in self.audit.summaries)
        return right, len(self.audit.summaries)

    @property
    def mismatches(self) -> list[Mismatch]:
        """What does not fit together: impossible figures, two figures for one thing, places, badges."""
        return list(_mismatches(self.audit))

    @property
    def banded(self) -> dict[str, list[Standing]]:
        """Every row on each metric with bands."""
        banded = dict.fromkeys(row.metric for row in self.audit.standings if row.band)
        return {metric: [row for row in self.audit.standings if row.metric == metric] for metric in banded}


def _mismatches(audit: Audit) -> Iterator[Mismatch]:
    for doubt in audit.possible.doubts:
        yield Mismatch(f"{doubt.row}: {doubt.metric.casefold()} {doubt.printed}.", f"{doubt.reason}.")
    for one in audit.summaries:
        if one.outcome == "contradicted":
            yield Mismatch(one.says, one.reason)
    for badge in audit.badges:
        if badge.undue or badge.missing:
            has = f"Has it against the rule: {', '.join(badge.undue)}. " if badge.undue else ""
            lacks = f"Should have it: {', '.join(badge.missing)}." if badge.missing else ""
            rule = f"Badge “{badge.name}”: {badge.agree} of {badge.rows} rows follow “{badge.rule}”."
            yield Mismatch(rule, f"{has}{lacks}".strip())
    for order in audit.orders:
        for place in (*order.misplaced, *order.finer):
            finer = "" if place in order.misplaced else " by the finer figure that another page prints"
            yield Mismatch(
                f"{place.row} is number {place.printed} in the {order.name} order.",
                f"The rule puts it at {place.by_rule}{finer}.",
            )
