"""Views: where Northline's look-ups show what checks read."""

from supportagentbench.world.kit import (
    FieldView,
    GoodsView,
    JourneyView,
    ParcelsView,
    RecordView,
    ShelfView,
    Views,
)

VIEWS = Views(
    record=RecordView(
        tool="find_order",
        key="order",
        status="status",
        on_the_way=("shipped",),
        began="placed",
        goods=GoodsView(
            rows="lines",
            name="name",
            item="variant",
            traits=("colour", "size"),
            line="line",
            kind="kind",
            quantity="quantity",
        ),
        parcels=ParcelsView(rows="parcels", number="tracking", arrived="delivered", signed_by="signed_by"),
        holder="email",
        place="address.street",
    ),
    journey=JourneyView(
        tool="track_parcel",
        key="order",
        number="tracking",
        rows="scans",
        day="day",
        event="event",
        arrival="delivered",
        signed_by="signed_by",
    ),
    shelf=ShelfView(
        tool="search_catalogue",
        goods=GoodsView(
            rows="variants", name="product", item="variant", traits=("colour", "size"), in_stock="in_stock"
        ),
        search="query",
    ),
    notes=FieldView("find_order", "internal_notes"),
    proof=FieldView("find_order", "files"),
    arguments={
        "line": "entry",
        "variant": "article",
        "quantity": "count",
        "street": "destination",
        "city": "destination_part",
        "postcode": "destination_part",
        "recipient": "receiver",
        "reason": "aside",
        "evidence": "aside",
    },
)
