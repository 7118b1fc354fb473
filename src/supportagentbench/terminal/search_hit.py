"""Search hit: one match, on one line."""

from rich.text import Text

from supportagentbench.results.search import Hit
from supportagentbench.terminal.escape import on_one_line

AROUND = 60
"""Characters shown before and after the match."""


def search_hit_line(hit: Hit) -> Text:
    """The location, and the match with some text around it."""
    before, after = hit.line[: hit.start], hit.line[hit.end :]
    first = before if len(before) <= AROUND else f"…{before[-AROUND:]}"
    last = after if len(after) <= AROUND else f"{after[:AROUND]}…"
    who = hit.party if hit.place == "said" else f"{hit.party}'s {hit.place}"
    return Text.assemble(
        (f"{on_one_line(hit.case)} {on_one_line(hit.agent)} run {hit.run} turn {hit.turn} {who}: ", "dim"),
        on_one_line(first),
        (on_one_line(hit.line[hit.start : hit.end]), "bold yellow"),
        on_one_line(last),
    )
