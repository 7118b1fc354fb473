"""What has to add up in these books: what does in Northline's, with all orders of an account."""

from collections.abc import Iterator

from supportagentbench.world.kit import Case, Shop
from supportagentbench.worlds.northline.audit import audit as northline_audit

from .rows import LadderBooks


def audit(shop: Shop, books: LadderBooks, case: Case, text: str) -> Iterator[str]:
    """Whatever does not add up in a case's books, or is named in its texts and not in them."""
    order = books.orders[case.subject]
    others = [row for row in books.orders.own.values() if row.email == order.email]
    known = {row.number for row in others} | {tracking for row in others for tracking in row.parcels}
    for words in northline_audit(shop, books, case, text):
        if words.split()[0] not in known:
            yield words
