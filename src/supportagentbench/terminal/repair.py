"""Repair: what it saved, and what it could not."""

from collections.abc import Sequence

from rich.console import Group
from rich.table import Table
from rich.text import Text

from supportagentbench.records.counts import counted
from supportagentbench.storage.jsonl import damaged_path
from supportagentbench.storage.repair import RepairedFile
from supportagentbench.terminal.escape import on_one_line

MOST_LINES = 20
"""Lines named one by one; further ones are only counted."""


def repair_table(files: Sequence[RepairedFile]) -> Group:
    """A row per file, then what is wrong with each line that was moved aside."""
    table = Table(box=None, padding=(0, 0, 0, 2), header_style="bold", pad_edge=False)
    table.add_column("file", overflow="fold")
    for head in ("kept", "set aside"):
        table.add_column(head, justify="right", no_wrap=True)
    for one in files:
        name = Text(on_one_line(f"{one.path.parent.name}/{one.path.name}"))
        table.add_row(name, f"{one.kept:,}", f"{len(one.lost):,}")
    notes = [f"{one.path.parent.name}/{note}" for one in files for note in one.lost]
    lines = [on_one_line(note) for note in notes[:MOST_LINES]]
    if len(notes) > MOST_LINES:
        lines.append(f"… and {counted(len(notes) - MOST_LINES, 'more line')}.")
    return Group(table, *(Text(line) for line in (*lines, _summary(files))))


def _summary(files: Sequence[RepairedFile]) -> str:
    lost = sum(len(one.lost) for one in files)
    changed = [damaged_path(one.path).name for one in files if one.lost]
    if not changed:
        return "Everything can be read; nothing was changed."
    places = f"The originals are kept next to them in {', '.join(dict.fromkeys(changed))}."
    return f"{counted(lost, 'record')} could not be saved. {places}"
