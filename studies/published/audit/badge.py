"""Badge: whether the badges next to the rows follow a rule that can be computed."""

from studies.published import PublishedBadge, PublishedRow, Reaches
from studies.published.audit.sheet import Sheet
from supportagentbench.records.record import Record


class BadgeCheck(Record):
    """A badge compared with the rule it might follow."""

    name: str
    means: str
    rule: str
    rows: int
    agree: int
    undue: tuple[str, ...] = ()
    """Rows that have it against the rule, with their figure or the row that dominates them."""
    missing: tuple[str, ...] = ()
    """Rows that should have it by the rule and do not."""
    another: str = ""
    """Whether any cutoff gives exactly these badges."""


def check_badge(sheet: Sheet, badge: PublishedBadge) -> BadgeCheck:
    """Assign the badge by its rule and compare."""
    has = {row.name for row in sheet.rows if badge.name in row.badges}
    rule = badge.follows
    due = {row.name: why for row in sheet.rows if (why := _due(sheet, row, badge)) is not None}
    undue = tuple(
        f"{row.name} ({_against(sheet, row, badge)})" for row in sheet.rows if row.name in has - set(due)
    )
    missing = tuple(f"{name} ({why})" if why else name for name, why in due.items() if name not in has)
    return BadgeCheck(
        name=badge.name,
        means=badge.means,
        rule=_rule(sheet, badge),
        rows=len(sheet.rows),
        agree=len(sheet.rows) - len(undue) - len(missing),
        undue=undue,
        missing=missing,
        another=_cut_off(sheet, rule, has) if isinstance(rule, Reaches) else "",
    )


def _rule(sheet: Sheet, badge: PublishedBadge) -> str:
    rule = badge.follows
    if isinstance(rule, Reaches):
        metric = sheet.published.metric(rule.metric)
        band = next(band for band in metric.bands if band.name == rule.band)
        return f"{metric.title.casefold()} {band.low} to {band.high} ({band.name})"
    return "no row in its tier or a lower one is at least as good on every metric of the default order"


def _due(sheet: Sheet, row: PublishedRow, badge: PublishedBadge) -> str | None:
    """The figure by which a row has the badge, or None."""
    rule = badge.follows
    if isinstance(rule, Reaches):
        count = sheet.counts[rule.metric].get(row.name)
        metric = sheet.published.metric(rule.metric)
        if count is None or metric.band_of(count.one_run[0]) != rule.band:
            return None
        return row.figures[rule.metric]
    return None if _dominators(sheet, row) else ""


def _against(sheet: Sheet, row: PublishedRow, badge: PublishedBadge) -> str:
    rule = badge.follows
    if isinstance(rule, Reaches):
        return row.figures.get(rule.metric, "no figure")
    return f"dominated by {' and '.join(_dominators(sheet, row))}"


def _dominators(sheet: Sheet, row: PublishedRow) -> list[str]:
    return [other.name for other in sheet.rows if other is not row and sheet.dominates(other, row)]


def _cut_off(sheet: Sheet, rule: Reaches, has: set[str]) -> str:
    hits = {name: count.one_run[0] for name, count in sheet.counts[rule.metric].items()}
    title = sheet.published.metric(rule.metric).title.casefold()
    for cut in sorted(set(hits.values())):
        if {name for name, count in hits.items() if count >= cut} == has:
            return f"{cut} or more {title} gives exactly these badges"
        if {name for name, count in hits.items() if count <= cut} == has:
            return f"{cut} or fewer {title} gives exactly these badges"
    return f"No cutoff on {title} gives these badges"
