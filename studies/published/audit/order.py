"""Order: whether the printed rules reproduce the printed orders, and where trivial agents would be."""

from collections.abc import Iterator

from msgspec import structs

from studies.published import PublishedOrder
from studies.published.audit.sheet import Sheet
from supportagentbench.records.record import Record


class PlaceShift(Record):
    """A row that is not where the rule puts it."""

    row: str
    printed: int
    by_rule: int


class Reproduced(Record):
    """A printed order compared with its rule."""

    name: str
    rule: str
    rows: int
    agree: int
    """Rows that are where the rule puts them."""
    tied: int
    """Rows with the same key as another; the rule does not decide their order."""
    misplaced: tuple[PlaceShift, ...] = ()
    finer: tuple[PlaceShift, ...] = ()
    """Rows that a more precise figure, printed elsewhere, would move; the order uses rounded ones."""


class Trivial(Record):
    """The place of a trivial agent."""

    name: str
    figures: tuple[str, ...]
    """On the default order's metrics."""
    order: str
    place: int
    of: int


def reproduce(sheet: Sheet, order: PublishedOrder) -> Reproduced:
    """Sort the printed figures by the printed rule; rows with equal keys may be in any order."""
    keys = {row.name: sheet.key(row, order) for row in sheet.rows}
    printed = order.rows or tuple(keys)
    by_rule = sorted(keys.values())
    misplaced = tuple(
        PlaceShift(name, place + 1, by_rule.index(keys[name]) + 1)
        for place, name in enumerate(printed)
        if keys[name] != by_rule[place]
    )
    tied = sum(by_rule.count(key) > 1 for key in by_rule)
    return Reproduced(
        name=order.name,
        rule=_rule(sheet, order),
        rows=len(printed),
        agree=len(printed) - len(misplaced),
        tied=tied,
        misplaced=misplaced,
        finer=tuple(_finer(sheet, order)),
    )


def _finer(sheet: Sheet, order: PublishedOrder) -> Iterator[PlaceShift]:
    for row in sheet.rows:
        exact = structs.replace(row, figures={**row.figures, **row.again})
        others = [sheet.key(other, order) for other in sheet.rows if other is not row]
        printed, finer = sheet.key(row, order), sheet.key(exact, order)
        before, after = (1 + sum(other < key for other in others) for key in (printed, finer))
        if before != after:
            yield PlaceShift(row.name, before, after)


def _rule(sheet: Sheet, order: PublishedOrder) -> str:
    return ", then ".join(" + ".join(_key(sheet, name, len(key)) for name in key) for key in order.by)


def _key(sheet: Sheet, name: str, terms: int) -> str:
    metric = sheet.published.metric(name)
    title = metric.title.casefold()
    if metric.better == "lower":
        return title if terms > 1 else f"least {title}"
    return f"missing {title}" if terms > 1 else f"most {title}"


def place_trivial(sheet: Sheet) -> tuple[Trivial, ...]:
    """Each trivial agent in each printed order, first among equals."""
    return tuple(
        Trivial(
            name=agent.name,
            figures=tuple(agent.figures[name] for name in sheet.ranked_by),
            order=order.name,
            place=1 + sum(sheet.key(row, order) < sheet.key(agent, order) for row in sheet.rows),
            of=len(sheet.rows) + 1,
        )
        for agent in sheet.published.trivial
        for order in sheet.published.orders
    )
