"""Views: where this world's look-ups show what checks read: Northline's, plus sender and shipped lines."""

from msgspec.structs import replace

from supportagentbench.world.kit import Views
from supportagentbench.worlds.northline.views import VIEWS as NORTHLINE


def _views() -> Views:
    record = NORTHLINE.record
    assert record and record.parcels
    parcels = replace(record.parcels, lines="lines")
    return replace(NORTHLINE, record=replace(record, parcels=parcels, writer="ticket_from"))


VIEWS = _views()
