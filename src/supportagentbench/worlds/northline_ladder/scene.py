"""Scene: Northline's, with several orders and parcels, serial numbers, dated files and texts by others."""

from typing import Literal

from supportagentbench.world.kit import Attachment, Days, Record, ToolFault
from supportagentbench.worlds.northline.scene import Scene, SceneLine, SceneParcel

from .rows import Approvable


class LadderSceneLine(SceneLine):
    """One line of an order."""

    short_by: int = 1
    """With `packed: short`: how many fewer the packing scan counted."""
    serial: bool = False
    """Whether its pieces carry serial numbers."""


class LadderSceneParcel(SceneParcel):
    """One parcel of an order, and the lines it holds."""

    lines: tuple[int, ...] = ()
    """All of them if empty."""
    text: str = ""
    """What the carrier's staff typed next to the last scan."""


class SceneApproval(Record):
    """A colleague's approval; name and day are drawn."""

    what: Approvable
    line: int = 0


class OtherOrder(Record):
    """Another order of the same account."""

    placed: Days
    lines: tuple[LadderSceneLine, ...] = (LadderSceneLine(),)
    parcel: LadderSceneParcel | None = None
    files: tuple[Attachment, ...] = ()
    notes: tuple[str, ...] = ()


class LadderScene(Scene):
    """The order a case is about, and everything around it."""

    lines: tuple[LadderSceneLine, ...] = (LadderSceneLine(),)
    parcel: LadderSceneParcel | None = None
    more_parcels: tuple[LadderSceneParcel, ...] = ()
    """Further parcels of the same order; then each names its lines."""
    others: tuple[OtherOrder, ...] = ()
    """Further orders of the account."""
    approvals: tuple[SceneApproval, ...] = ()
    gift_message: str = ""
    address_changed: Days | None = None
    writes_from: Literal["account", "lookalike", "relative", "stranger", "work"] = "account"
    """The address that the ticket comes from: the account's, one that looks like it, that of a person with
    the same last name, that of another person, or the customer's own at another provider."""
    noise: int = 0
    """How many notes that decide nothing are on file."""
    tool_faults: tuple[ToolFault, ...] = ()
    """What the desk's tools do wrong."""
