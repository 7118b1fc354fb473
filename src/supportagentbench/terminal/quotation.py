"""Quotation: what an agent did and said, shortened to one line and safe to print."""

import re

from supportagentbench.terminal.escape import on_one_line

LONGEST = 300
"""Maximum characters of a quotation."""

_COMMANDS = re.compile(r":(?=:)|##(?=\[)")


def quoted(words: str) -> str:
    """Text for a terminal or a build log, which would run `::` and `##[` as commands."""
    found = on_one_line(words)
    found = found if len(found) <= LONGEST else f"{found[: LONGEST - 1]}…"
    return _COMMANDS.sub(lambda one: f"{one[0]} ", found)


def as_code(words: str) -> str:
    """Text for Markdown, also in tables: nothing in it becomes a link, a mention or a tag."""
    found = quoted(words).replace("|", "¦") or " "
    fence = "`" * (max((len(one) for one in re.findall("`+", found)), default=0) + 1)
    return f"{fence} {found} {fence}" if "`" in found else f"{fence}{found}{fence}"
