"""Console: prints in colours. Nothing reaches a terminal that it would obey, except the styles of ours."""

from collections.abc import Iterable
from typing import IO, Any

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from supportagentbench.terminal.escape import visible


class EscapingConsole(Console):
    """A console for words of others: neither markup nor control characters in them have any effect.

    The escaping is done last, so that no table or panel can pass it. What is escaped before (`escape.py`)
    is laid out more neatly.
    """

    def __init__(self, **settings: Any) -> None:
        super().__init__(markup=False, emoji=False, **settings)

    @property
    def file(self) -> IO[str]:
        """The stream behind the escaping one, which would take styles for somebody's tricks."""
        found = super().file
        return getattr(found, "behind", found)

    @file.setter
    def file(self, new: IO[str]) -> None:
        self._file = new

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        for segment in super().render(renderable, options):
            text = segment.text
            seen = text if segment.control else visible(text)
            yield segment if seen is text else Segment(seen, segment.style)
