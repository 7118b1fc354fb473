"""Choice: the limits and the desk by which an agent is recommended, as far as they are not the usual ones."""

from supportagentbench.records.record import Record
from supportagentbench.records.vocabulary import TicketMix


class Choice(Record):
    """What a reader sets, in `sab.toml` or by options."""

    limits: dict[str, float] = {}
    """By metric, the most mistakes in percent."""
    desk: dict[str, float | str] = {}
    """`tickets` per month, `cheats` in percent, `goods` and `person` in dollars, the name of a `mix` or of a
    file with one, and prices by mistake."""
    mixes: tuple[TicketMix, ...] = ()
    """Mixes that were read from files; a desk has them besides those of the shop."""
