"""Summaries of a job and of judging, printed when they end."""

from pathlib import Path

from rich.console import Console
from rich.text import Text

from supportagentbench.judges.job import JudgeSummary
from supportagentbench.language.counts import counted
from supportagentbench.records.transcript import EXTERNAL_CAUSES
from supportagentbench.runner.job import JobResult
from supportagentbench.terminal.escape import visible


def print_job_summary(console: Console, out: Path, done: JobResult) -> None:
    """How a job ended: every planned conversation by its ending, and the cost."""
    for line in (*done.repaired, *(f"sab: {words}" for words in done.paused)):
        console.print(Text(visible(line)), soft_wrap=True)
    runs = counted(len(done.headers), "run")
    planned = counted(sum(len(header.cases) for header in done.headers), "conversation")
    ends = ", ".join(f"{count} {name.replace('_', ' ')}" for name, count in done.endings.most_common())
    _print(console, f"{runs}, {planned}: {ends}.")
    _print_cost(console, done.spent, done.unpriced)
    unfinished = sum(done.endings[cause] for cause in (*EXTERNAL_CAUSES, "missing"))
    if unfinished:
        are = "is" if unfinished == 1 else "are"
        words = f"{counted(unfinished, 'conversation')} {are} unfinished."
        _print(console, f"{words} Run the same command to resume.")
    _print(console, f"See `sab board {out}`.")


def print_judge_summary(console: Console, summary: JudgeSummary) -> None:
    """How many conversations were judged, what failed, and the cost."""
    _print(console, f"{counted(summary.judged, 'judgement')}.")
    if summary.failed:
        _print(console, f"{summary.failed} failed ({summary.words}). Run the same command to retry.")
    elif summary.outcome != "complete":
        _print(console, "Some conversations are not judged yet. Run the same command to resume.")
    _print_cost(console, summary.spent, summary.unpriced)


def _print_cost(console: Console, spent: float, unpriced: int) -> None:
    if spent or unpriced:
        have = "has" if unpriced == 1 else "have"
        unknown = f"; {counted(unpriced, 'call')} {have} no known price" if unpriced else ""
        _print(console, f"Spent: ${spent:,.4f}{unknown}.")


def _print(console: Console, words: str) -> None:
    """Text without markup, whoever wrote it."""
    console.print(Text(visible(words)))
