"""Audit: the same checks as for Northline's books, for all orders of an account."""

from collections.abc import Iterator

from supportagentbench.world.kit import Case, Shop
from supportagentbench.worlds.northline.audit import audit as northline_audit

from .draw import unshipped
from .rows import LadderBooks, PartParcel


def audit(shop: Shop, books: LadderBooks, case: Case, text: str) -> Iterator[str]:
    """Everything that does not add up in a case's books, or that its texts mention and the books lack."""
    order = books.orders[case.subject]
    others = [row for row in books.orders.own.values() if row.email == order.email]
    known = {row.number for row in others} | {tracking for row in others for tracking in row.parcels}
    parcels = [one for one in books.parcels.own.values() if isinstance(one, PartParcel)]
    in_part = unshipped(order, [one for one in parcels if one.order == order.number])
    for words in northline_audit(shop, books, case, text):
        if words.split()[0] not in known and not (in_part and "parcels belie" in words):
            yield words
