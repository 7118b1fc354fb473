"""Stream: the standard streams while a command runs. No output can control the terminal."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO, cast

from supportagentbench.terminal.escape import visible

HIDDEN = ("buffer", "detach")
"""Attributes that would bypass the escaping; this stream hides them."""


class EscapingStream:
    """Escapes control characters. An `EscapingConsole` escapes its own and writes to the stream behind."""

    def __init__(self, behind: TextIO) -> None:
        self.behind = behind

    def write(self, words: str) -> int:
        self.behind.write(visible(words))
        return len(words)

    def writelines(self, lines: list[str]) -> None:
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        if name in HIDDEN:
            raise AttributeError(name)
        return getattr(self.behind, name)


@contextmanager
def escaping_streams() -> Iterator[None]:
    """Escape everything printed inside the block, including what the stream cannot encode."""
    before = sys.stdout, sys.stderr
    for stream in before:
        if reconfigure := getattr(stream, "reconfigure", None):
            reconfigure(errors="backslashreplace")
    sys.stdout, sys.stderr = (cast(TextIO, EscapingStream(stream)) for stream in before)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before
