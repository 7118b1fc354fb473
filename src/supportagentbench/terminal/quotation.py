"""Quotation: what an agent did and said, short, on one line, and harmless where it is printed."""

import re

from supportagentbench.terminal.escape import on_one_line

LONGEST = 300
"""Characters of a quotation."""

_COMMANDS = re.compile(r":(?=:)|##(?=\[)")


def quoted(words: str) -> str:
    """Words for a terminal or a build log, which would carry out `::` and `##[` as commands."""
    found = on_one_line(words)
    found = found if len(found) <= LONGEST else f"{found[: LONGEST - 1]}…"
    return _COMMANDS.sub(lambda one: f"{one[0]} ", found)


def as_code(words: str) -> str:
    """Words for Markdown, where nothing in them is a link, a mention or a tag; also in a table."""
    found = quoted(words).replace("|", "¦") or " "
    fence = "`" * (max((len(one) for one in re.findall("`+", found)), default=0) + 1)
    return f"{fence} {found} {fence}" if "`" in found else f"{fence}{found}{fence}"
