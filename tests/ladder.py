"""The world of harder cases, drawn once for all tests that look at it."""

from typing import Any

import msgspec

from supportagentbench.world.drawn_cases import generate
from supportagentbench.world.folder import read_world
from supportagentbench.world.kit import DrawnScene, Seat
from supportagentbench.worlds.northline_ladder.draw import draw
from supportagentbench.worlds.northline_ladder.scene import LadderScene

LADDER = generate(read_world("northline_ladder"))
SEAT = Seat("test/ladder", 5000, "Amara", "Lindqvist", lowest=4900)


def drawn(seat: Seat = SEAT, **scene: Any) -> DrawnScene:
    """A scene of this world, in the seat of all tests unless another is given."""
    told = msgspec.convert({"placed": [40, 40], **scene}, LadderScene)
    return draw(LADDER.world.shop, told, seat)
