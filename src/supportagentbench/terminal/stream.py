"""Stream: the standard streams while a command runs. Nothing that is printed there controls a terminal."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO, cast

from supportagentbench.terminal.escape import visible

HIDDEN = ("buffer", "detach")
"""Ways past the escaping, which this stream does not have."""


class EscapingStream:
    """Escapes what a terminal would obey; an `EscapingConsole`, which does so itself, writes behind it."""

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
    """Escape everything that is printed meanwhile; what a stream cannot encode is spelt out, too."""
    before = sys.stdout, sys.stderr
    for stream in before:
        if reconfigure := getattr(stream, "reconfigure", None):
            reconfigure(errors="backslashreplace")
    sys.stdout, sys.stderr = (cast(TextIO, EscapingStream(stream)) for stream in before)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before
