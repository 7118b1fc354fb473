"""Job summary: printed when a job or judging ends."""

import shlex
from pathlib import Path

from rich.console import Console
from rich.text import Text

from supportagentbench.jobs.judge import JudgeSummary
from supportagentbench.jobs.run import JobResult
from supportagentbench.records.counts import counted
from supportagentbench.terminal.escape import for_log, on_one_line


def print_job_summary(console: Console, out: Path, done: JobResult) -> None:
    """How a job ended: every planned conversation by its ending, and the cost."""
    for line in (*done.moved, *done.repaired, *(f"sab: {words}" for words in done.paused)):
        console.print(Text(for_log(on_one_line(line))), soft_wrap=True)
    runs = counted(len(done.headers), "run")
    planned = counted(sum(len(header.cases) for header in done.headers), "conversation")
    ends = ", ".join(f"{count} {name.replace('_', ' ')}" for name, count in done.endings.most_common())
    _print(console, f"{runs}, {planned}: {ends}.")
    _print_cost(console, done)
    if unfinished := done.unfinished:
        are = "is" if unfinished == 1 else "are"
        words = f"{counted(unfinished, 'conversation')} {are} unfinished."
        _print(console, words if done.faulty else f"{words} Run the same command to resume.")
    if done.first_failure and not done.paused:  # For a paused agent, the failure is printed above.
        _print(console, f"First failure: {done.first_failure}")
    if done.faulty:
        faulty, where = ", ".join(done.faulty), "the tracebacks are in errors.jsonl next to its conversations"
        _print(console, f"Errors in the code of {faulty}: {where}.")
    if shard := next((header.shard for header in done.headers if header.shard), None):
        where = shlex.quote(str(out))
        _print(console, f"{where}: {shard.shown}. With all of them: `sab merge {where} … -o runs`.")
        return
    if any(header.unlabelled for header in done.headers):
        return
    command = "forks" if any(header.forks for header in done.headers) else "board"
    _print(console, f"See `sab {command} {shlex.quote(str(out))}`.")


def print_judge_summary(console: Console, summary: JudgeSummary) -> None:
    """How many conversations were judged, what failed, and the cost."""
    _print(console, f"{counted(summary.judged, 'judgement')}.")
    if summary.failed:
        _print(console, f"{summary.failed} failed ({summary.words}). Run the same command to retry.")
    elif summary.outcome != "complete" and not summary.is_paused:
        _print(console, "Some conversations are not judged yet. Run the same command to resume.")
    if summary.is_paused:
        _print(
            console, f"sab: judging is paused: {summary.words}. Fix it, then run the same command to resume."
        )
    _print_cost(console, summary)


def _print_cost(console: Console, done: JobResult | JudgeSummary) -> None:
    if done.spent or done.unpriced:
        have = "has" if done.unpriced == 1 else "have"
        unknown = f"; {counted(done.unpriced, 'call')} {have} no known price" if done.unpriced else ""
        _print(console, f"Spent: ${done.spent:,.4f}{unknown}.")
    if done.at_risk:
        _print(console, f"Requests without a known cost may add up to ${done.at_risk:,.4f} to the bill.")
    if done.overshoot:
        _print(console, f"The budget was exceeded by ${done.overshoot:,.4f}.")


def _print(console: Console, words: str) -> None:
    """Print a sentence, of which nothing is markup, a control character or a command of a build log."""
    console.print(Text(for_log(on_one_line(words))))
