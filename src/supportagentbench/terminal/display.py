"""Display: a running job as a table for people, lines for logs, events for programs, or nothing."""

import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Literal, TextIO

from rich.console import Console
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from supportagentbench.live.journal import Journal
from supportagentbench.live.view import View
from supportagentbench.records.event import Event
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import to_json
from supportagentbench.terminal.escape import on_one_line
from supportagentbench.terminal.live_table import ASCII, UNICODE, Marks, live_table, plain_line

Display = Literal["full", "plain", "json", "none"]
DISPLAYS: tuple[Display, ...] = ("full", "plain", "json", "none")

FRAME = 0.25
"""Seconds between two frames."""

QUIET = 30.0
"""Maximum seconds between two log lines."""

STEPS = 20
"""Log lines per job, one after each equal part."""


def choose_display(asked: str, console: Console) -> Display:
    """The requested display; by default a table on an interactive terminal and lines elsewhere."""
    if asked and asked not in DISPLAYS:
        raise Problem(f"there is no display called {asked!r}. Choose one of {', '.join(DISPLAYS)}.")
    for one in DISPLAYS:
        if one == asked:
            return one
    moves = console.is_terminal and not console.is_dumb_terminal
    return "full" if moves and not os.environ.keys() & {"NO_COLOR", "CI"} else "plain"


@contextmanager
def displayed(display: Display, journal: Journal, console: Console, link: str = "") -> Iterator[None]:
    """Show the job of this journal while it runs."""
    if display == "json":
        journal.listen(partial(_print_event, sys.stdout))
    if display == "full":
        with _table(journal, console, link):
            yield
    elif display == "plain":
        lines = Lines(lambda words: console.out(words, highlight=False))
        with _often(lambda: lines.see(journal.view()) if journal.has_begun else None, 1.0):
            yield
        if journal.has_begun:
            lines.see(journal.view(), is_last=True)
    else:
        yield


class Lines:
    """Decides when a log line is due."""

    def __init__(self, write: Callable[[str], None]) -> None:
        self.write = write
        self.at = 0.0
        self.steps = 0
        self.line = ""

    def see(self, view: View, *, is_last: bool = False) -> None:
        """Write a line if one is due."""
        steps = view.done * STEPS // view.total if view.total else 0
        is_time = view.elapsed - self.at >= QUIET or steps > self.steps
        line = plain_line(view)
        if view.total and (is_time or (is_last and line != self.line)):
            self.at, self.steps, self.line = view.elapsed, steps, line
            self.write(line)


@contextmanager
def _table(journal: Journal, console: Console, link: str) -> Iterator[None]:
    marks = marks_for(console)
    with Live(console=console, auto_refresh=False, transient=True, vertical_overflow="crop") as live:

        def draw() -> None:
            view, (width, height) = journal.view(), console.size
            live.update(live_table(view, width, height, marks, link), refresh=True)

        with _often(draw, FRAME):
            yield


@contextmanager
def _often(do: Callable[[], None], every: float) -> Iterator[None]:
    """Call a function repeatedly in a separate thread."""
    over = threading.Event()

    def work() -> None:
        while not over.wait(every):
            do()

    thread = threading.Thread(target=work, name="display", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def marks_for(console: Console) -> Marks:
    """Symbols that this terminal can print."""
    return UNICODE if console.encoding.lower().startswith("utf") else ASCII


def _print_event(out: TextIO, event: Event) -> None:
    out.write(to_json(event).decode() + "\n")
    out.flush()


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
