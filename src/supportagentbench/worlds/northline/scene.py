"""Scene: one case's corner of the shop, in symbols. A seed turns it into rows of the books."""

from typing import Literal

from supportagentbench.world.kit import Attachment, Days, Record

from .rows import Kind


class SceneLine(Record):
    """One line of the order; the product is drawn from a kind unless it is named."""

    kind: Kind = "suitcase"
    product: str = ""
    """Product id, if the case needs this particular product."""
    quantity: int = 1
    packed: Literal["as_ordered", "short", "other_item"] = "as_ordered"


class SceneParcel(Record):
    """The progress of the parcel."""

    ends: Literal["moving", "stalled", "lost", "delivered", "signed"]
    last: Days
    """When it was last scanned."""
    shipped: Days | None = None
    """When it left the shop; None: as many business days after the order as processing takes."""


class SentAgain(Record):
    """Goods that were already sent a second time."""

    line: int = 1
    right: bool = True
    """Whether the variant was the one ordered."""


class Scene(Record):
    """The order, its parcel, and the file on the customer."""

    placed: Days
    lines: tuple[SceneLine, ...] = (SceneLine(),)
    country: str = ""
    """Drawn if empty."""
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
    """The kind of address that the customer will name; the address itself is drawn."""
    saves_address: str = ""
    """Label of that address in the customer's account; empty if it is not saved."""
    swaps: Literal["colour", "size", ""] = ""
    """The trait of line 1 that the customer would like changed; another variant in stock is drawn."""
