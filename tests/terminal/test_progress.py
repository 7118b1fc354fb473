"""Progress: a line a run while somebody watches, and nothing at all when nobody does."""

import io
import re

from rich.console import Console

from supportagentbench.terminal.progress import progress_bar


def watched(title: str, *, terminal: bool = True) -> str:
    out = io.StringIO()
    with progress_bar(Console(width=80, file=out, force_terminal=terminal)) as bar:
        tell = bar.start(title, 4)
        tell(3)
    return out.getvalue()


def test_a_run_is_named_and_counted() -> None:
    text = re.sub(r"\x1b\[[\d;?]*\w", "", watched("oracle, run 1"))
    assert "oracle, run 1" in text and "3/4" in text


def test_nobody_watching_sees_nothing() -> None:
    assert watched("oracle, run 1", terminal=False).strip() == ""


def test_a_title_is_printed_as_it_is() -> None:
    text = watched("[red]x[/] {task} \x1b[31m\nb, run 1")
    assert "[red]x[/] {task} \\u001b[31m\\nb, run 1" in text
    assert "\x1b[31m" not in text
