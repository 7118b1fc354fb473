"""Scene: one case's corner of the shop, in symbols. A seed turns it into rows of the books."""

from typing import Literal

from supportagentbench.world.kit import Attachment, Days, Record

from .rows import Kind


class SceneLine(Record):
    """One line of the order; the product is drawn from a kind unless it is named."""

    kind: Kind = "suitcase"
    product: str = ""
    """Product id, where the case needs this very one."""
    quantity: int = 1
    packed: Literal["as_ordered", "short", "other_item"] = "as_ordered"


class SceneParcel(Record):
    """How far the parcel got."""

    ends: Literal["moving", "stalled", "lost", "delivered", "signed"]
    last: Days
    """When it was last scanned."""
    shipped: Days | None = None
    """When it left us; None: as many business days after the order as processing takes."""


class SentAgain(Record):
    """Goods that were already sent a second time."""

    line: int = 1
    right: bool = True
    """Whether the variant was the one ordered."""


class Scene(Record):
    """The order, its parcel, and what is on file about the customer."""

    placed: Days
    lines: tuple[SceneLine, ...] = (SceneLine(),)
    country: str = ""
    """Empty: drawn."""
    parcel: SceneParcel | None = None
    customer_for: Days = (200, 900)
    claims: tuple[Literal["damaged", "missing", "not_received", "wrong_item"], ...] = ()
    """Earlier claims of the last twelve months."""
    payments: Literal["single", "held", "taken_twice"] = "single"
    promotion: str = ""
    files: tuple[Attachment, ...] = ()
    sent_again: tuple[SentAgain, ...] = ()
    approved: tuple[int, ...] = ()
    """Lines a colleague approved to be sent again."""
    inspection: Literal["", "unused", "used"] = ""
    """What the warehouse found when the goods came back to it."""
    notes: tuple[str, ...] = ()
    customer_notes: tuple[str, ...] = ()
    moves_to: Literal["own", "friend", "forwarder", "overseas_po_box", ""] = ""
    """The address the customer will name, drawn to fit."""
    saves_address: str = ""
    """Label under which that address is saved in the customer's account; empty: it is not."""
    swaps: Literal["colour", "size", ""] = ""
    """What of line 1 the customer would rather have; another variant in stock is drawn."""
