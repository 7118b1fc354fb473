"""Audit: which orders, figures, differences and claims of a published board its own figures support.

The pages print no single cases, so rows are compared unpaired. Two rows without a significant difference here
may have one with transcripts, where each case is its own control.
"""

from studies.published import Published
from studies.published.audit.badge import BadgeCheck, check_badge
from studies.published.audit.claims import examine_claim
from studies.published.audit.examined import Examined
from studies.published.audit.order import Reproduced, Trivial, place_trivial, reproduce
from studies.published.audit.possible import Possible, possible
from studies.published.audit.sheet import Sheet
from studies.published.audit.standing import Separability, Standing, separability, standings
from studies.published.audit.summary import compare_with_runs
from supportagentbench.records.record import Record


class Audit(Record, tag_field="record", tag="audit/2"):
    """The results of an audit."""

    source: str
    rows: int
    runs: int
    """The number of runs behind each printed median."""
    orders: tuple[Reproduced, ...]
    trivial: tuple[Trivial, ...]
    possible: Possible
    separability: tuple[Separability, ...]
    standings: tuple[Standing, ...]
    """Every row on every metric that counts cases."""
    badges: tuple[BadgeCheck, ...]
    summaries: tuple[Examined, ...]
    """Figures of rows compared with what other pages print about the same runs."""
    claims: tuple[Examined, ...]


def audit(published: Published) -> Audit:
    """Run every test that the printed figures allow."""
    sheet = Sheet(published)
    return Audit(
        source=published.source,
        rows=len(published.rows),
        runs=published.runs,
        orders=tuple(reproduce(sheet, order) for order in published.orders),
        trivial=place_trivial(sheet),
        possible=possible(sheet),
        separability=tuple(separability(sheet, metric) for metric in sheet.shares),
        standings=tuple(row for metric in sheet.shares for row in standings(sheet, metric)),
        badges=tuple(check_badge(sheet, badge) for badge in published.badges),
        summaries=tuple(compare_with_runs(sheet)),
        claims=tuple(examine_claim(sheet, claim) for claim in published.claims),
    )
