"""Progress: one bar per run."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from supportagentbench.terminal.escape import on_one_line


class Bar:
    """Progress of several runs, one bar each."""

    def __init__(self, progress: Progress) -> None:
        self.progress = progress

    def start(self, title: str, total: int) -> Callable[[int], None]:
        """Add a bar; call the returned function with the number done."""
        task = self.progress.add_task(on_one_line(title), total=total)
        return lambda done: self.progress.update(task, completed=done)


@contextmanager
def progress_bar(console: Console) -> Iterator[Bar]:
    """Bars with counts and the time left; nothing if the output is not a terminal."""
    columns = (
        TextColumn("{task.description:<24}", markup=False),
        BarColumn(style="dim", complete_style="white", finished_style="dim"),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, disable=not console.is_terminal) as progress:
        yield Bar(progress)
