"""Console: prints in colours. No control characters reach the terminal, except for our own styles."""

from collections.abc import Iterable
from typing import IO, Any

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from supportagentbench.terminal.escape import visible


class EscapingConsole(Console):
    """A console for untrusted text: neither markup nor control characters in it have any effect.

    Escaping is the last step, so that no table or panel can bypass it. Text that is escaped earlier
    (`escape.py`) is laid out better.
    """

    def __init__(self, **settings: Any) -> None:
        super().__init__(markup=False, emoji=False, **settings)

    @property
    def file(self) -> IO[str]:
        """The stream behind the escaping one, which would escape our styles, too."""
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
