"""Audit: which orders, figures, differences and claims of a published board its own figures bear out.

The pages print no case of any conversation, so rows are compared unpaired. Two rows that cannot be told
apart here might be with transcripts, where each case is its own control.
"""

from supportagentbench.records.record import Record
from supportagentbench.studies.published import Published
from supportagentbench.studies.published.audit.badge import BadgeCheck, check_badge
from supportagentbench.studies.published.audit.claims import put_to_test
from supportagentbench.studies.published.audit.examined import Examined
from supportagentbench.studies.published.audit.order import Reproduced, Trivial, place_trivial, reproduce
from supportagentbench.studies.published.audit.possible import Possible, possible
from supportagentbench.studies.published.audit.sheet import Sheet
from supportagentbench.studies.published.audit.standing import Separability, Standing, separability, standings
from supportagentbench.studies.published.audit.summary import hold_together


class Audit(Record, tag_field="record", tag="audit/1"):
    """What an audit found."""

    source: str
    rows: int
    runs: int
    """What a printed figure is the median of."""
    orders: tuple[Reproduced, ...]
    trivial: tuple[Trivial, ...]
    possible: Possible
    separability: tuple[Separability, ...]
    standings: tuple[Standing, ...]
    """Every row on every metric that counts cases."""
    badges: tuple[BadgeCheck, ...]
    summaries: tuple[Examined, ...]
    """Figures of rows against what other pages print of their runs."""
    claims: tuple[Examined, ...]


def audit(published: Published) -> Audit:
    """Test everything that the printed figures let be tested."""
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
        summaries=tuple(hold_together(sheet)),
        claims=tuple(put_to_test(sheet, claim) for claim in published.claims),
    )
