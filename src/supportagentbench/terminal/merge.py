"""Merge: what was put together, and what is missing."""

import shlex
from pathlib import Path

from rich.console import Console
from rich.text import Text

from supportagentbench.jobs.merge import Merged
from supportagentbench.records.counts import counted
from supportagentbench.storage.archive import folder_name
from supportagentbench.terminal.escape import on_one_line, visible

MOST_NAMED = 20
"""Missing conversations that are named; further ones are only counted."""


def print_merged(console: Console, merged: Merged, out: Path) -> None:
    """How many runs and conversations there are now, and the name of each that no part has."""
    where, missing = shlex.quote(str(out)), merged.missing
    planned = f"{merged.stored:,} of {counted(merged.planned, 'conversation')}"
    _print(console, f"{counted(len(merged.runs), 'run')}, {planned} in {where}.")
    for part in merged.empty:
        _print(console, f"sab: there is no run in {part}.")
    if merged.missing_parts:
        numbers = ", ".join(map(str, merged.missing_parts))
        _print(console, f"sab: there is no run of part {numbers} of {merged.shards[0].of}.")
    for header, case in missing[:MOST_NAMED]:
        _print(console, f"sab: missing: {folder_name(header)} {case}")
    if len(missing) > MOST_NAMED:
        _print(console, f"sab: and {len(missing) - MOST_NAMED:,} more.")
    if unseen := merged.planned - merged.stored - len(missing):
        _print(console, f"sab: missing: {counted(unseen, 'conversation')} of runs of which no part is named.")
    if merged.stored < merged.planned:
        _print(
            console,
            "sab: finish the parts and merge again, or play what is missing here: the same `sab run` "
            f"command without --shard, with -o {where}.",
        )
    _print(console, f"See `sab board {where}`.")


def _print(console: Console, words: str) -> None:
    console.print(Text(visible(on_one_line(words))), soft_wrap=True)
