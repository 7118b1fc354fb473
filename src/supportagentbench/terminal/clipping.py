"""Clipping: as much of a conversation as anybody reads on a terminal, and a count of the rest."""

from collections.abc import Sequence
from typing import TypeVar

from supportagentbench.records.counts import counted
from supportagentbench.records.secrets import without_secrets
from supportagentbench.terminal.escape import visible

LONGEST_TEXT = 20_000
"""Characters of one message, argument or result."""

MOST_TEXT = 200_000
"""Characters of all of them."""

MOST_PARTS = 2_000
"""Messages, tool calls, attachments, findings and opinions."""

Part = TypeVar("Part")


class Clipping:
    """Cuts what is printed of one conversation, and counts what it cuts."""

    def __init__(self) -> None:
        self._text, self._parts = MOST_TEXT, MOST_PARTS
        self._cut, self._left_out = 0, 0

    def text(self, words: str) -> str:
        """The text, safe to print. Secrets are taken out first, so that no cut leaves half of one."""
        whole = without_secrets(words)
        shown = whole[: min(LONGEST_TEXT, self._text)]
        cut = len(whole) - len(shown)
        self._text -= len(shown)
        self._cut += cut
        return visible(shown) + (f" [… {counted(cut, 'more character')}]" if cut else "")

    def parts(self, found: Sequence[Part]) -> Sequence[Part]:
        """Those that are printed."""
        shown = found[: self._parts]
        self._parts -= len(shown)
        self._left_out += len(found) - len(shown)
        return shown

    @property
    def note(self) -> str:
        """What was cut; empty if all is printed."""
        cut = counted(self._cut, "character") if self._cut else ""
        parts = counted(self._left_out, "message, call or finding", "messages, calls and findings")
        return " and ".join(filter(None, (cut, parts if self._left_out else "")))
