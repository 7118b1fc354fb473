"""Ticket mix: the case types of an import as a table, with counts and intervals."""

from pathlib import Path

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from supportagentbench.records.counts import counted
from supportagentbench.shadow.ticket_mix import ImportMix
from supportagentbench.stats.rates import wilson


def mix_report(found: ImportMix, path: Path) -> RenderableType:
    """Every part with its share of the tickets that have a case type, and what has none."""
    table = Table(box=None)
    for title in ("case types", "tickets", "share", "95%"):
        table.add_column(title, justify="left" if title == "case types" else "right")
    for part in found.parts:
        share = part.tickets / found.counted
        low, high = wilson(share, found.counted)
        table.add_row(
            Text(" or ".join(one.title for one in part.types)),
            str(part.tickets),
            f"{share:.0%}",
            f"{low:.0%}\u2013{high:.0%}",
        )
    without = [Text(f"no case type, {count} ×: {why}") for why, count in found.without.most_common()]
    use = (
        f"{path}: use it with `sab site build RUNS --at-desk mix={path}`, or as `mix` of [desk] in sab.toml."
    )
    whole = f"{counted(found.counted, 'ticket')} with a case type; several in one row share it equally."
    refused = found.mix().shares.get("adversarial", 0)
    traps = (
        f"In {refused:.0f}% something is at stake that a rule refuses. The cost pages count them as traps; "
        "whether a customer cheats, no ticket says."
    )
    return Group(table, *without, Text(whole), *([Text(traps)] if refused else []), Text(use))
