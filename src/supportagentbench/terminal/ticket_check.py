"""Ticket check: what the rules caught of planted people, as a table."""

from collections import Counter, defaultdict

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from supportagentbench.tickets.canaries import CheckFigures


def check_report(found: CheckFigures) -> RenderableType:
    """Recall by kind, with the locales in which anything got through, and false redactions."""
    table = Table(
        title="Planted people and identifiers: caught (replaced or hidden) of planted", title_justify="left"
    )
    for head in ("kind", "caught", "planted", "got through in"):
        table.add_column(head, justify="right" if head in ("caught", "planted") else "left")
    caught, planted, missed = Counter[str](), Counter[str](), defaultdict[str, list[str]](list)
    for recall in found.recalls:
        caught[recall.kind] += recall.caught
        planted[recall.kind] += recall.planted
        if recall.caught < recall.planted:
            missed[recall.kind].append(recall.locale)
    for kind in planted:
        table.add_row(kind, f"{caught[kind]}", f"{planted[kind]}", ", ".join(missed[kind]))
    words = (
        f"Of {found.clean_words} words without an identifier, {found.replaced} were replaced and "
        f"{found.hidden} hidden until a person has read the ticket."
    )
    verdict = f"Names in fields of people: {'all caught' if found.record_names_hold else 'some got through'}."
    return Group(table, Text(words), Text(verdict))


def leftover_report(left: list[tuple[str, str]]) -> RenderableType:
    """What is still in the stored tickets."""
    if not left:
        return Text("Stored tickets: no rule finds anything that is left.")
    kinds = Counter(kind for kind, _ in left)
    lines = (
        f"{count} × {kind}, first in {next(at for one, at in left if one == kind)}"
        for kind, count in kinds.items()
    )
    return Text(
        "Left in stored "
        "tickets: " + "; ".join(lines) + ". Leave these tickets out with `sab import --review`."
    )
