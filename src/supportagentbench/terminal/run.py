"""A job: shown while it runs, summarized when it ends."""

import asyncio
import os
import shlex
import sys
from collections.abc import Callable
from contextlib import ExitStack, redirect_stdout
from pathlib import Path
from typing import NamedTuple

from rich.console import Console
from rich.text import Text

from supportagentbench.concurrency.event_loop import drive
from supportagentbench.concurrency.interrupt import Interrupt
from supportagentbench.language.counts import counted
from supportagentbench.live.journal import Journal, refuse_foreign_live
from supportagentbench.models.cost_plan import CostPlan, cost_range
from supportagentbench.records.board import Board
from supportagentbench.records.problem import Problem
from supportagentbench.records.usage_total import added
from supportagentbench.runner.job import EXIT_CODES, Job, JobOutcome, JobResult, run_job
from supportagentbench.storage.archive import folder_name
from supportagentbench.terminal.agent_error import FirstErrors
from supportagentbench.terminal.display import Display, displayed
from supportagentbench.terminal.escape import visible
from supportagentbench.terminal.job_summary import print_job_summary

MOST_PAIRS = 5
"""Pairs of agents that are named; further ones are only counted."""


DISPLAY_FAILED = 1
"""The exit code if all conversations are finished, but part of what shows them failed."""


class Showing(NamedTuple):
    """How a job is shown."""

    display: Display
    is_live: bool = False
    """Whether a live page is served as well."""
    port: int = 7321


def show_job(
    job: Job,
    plans: list[CostPlan],
    showing: Showing,
    console: Console,
    report: Callable[[Console, Path, JobResult], None] | None = None,
) -> int:
    """Run a job, show its progress and its results; returns the exit code."""
    if showing.is_live:
        refuse_foreign_live(job.out)
    low, high = cost_range(plans)
    journal = Journal(
        job.out,
        low=low,
        high=high,
        cap=job.budget,
        hears=showing.is_live,
        on_error=FirstErrors(console, job.out).show,
    )

    def say(words: str) -> None:
        journal.stopping()
        if showing.display != "full":
            console.print(f"sab: {words}")

    interrupt, done = Interrupt(say), None
    how: JobOutcome = "partial"
    with ExitStack() as open_things:
        link = _serve(job.out, journal, showing, console, open_things) if showing.is_live else ""
        open_things.enter_context(displayed(showing.display, journal, console, link))
        try:
            with redirect_stdout(sys.stderr):  # What an agent prints is none of our output.
                done = drive(run_job(job, journal, interrupt))
            how = "interrupted" if interrupt.is_requested else done.outcome
        except asyncio.CancelledError:
            how = "interrupted"
        finally:
            journal.ended(how)
    for words in dict.fromkeys(journal.failed):
        console.print(Text(visible(f"sab: part of the display failed ({words}). The runs are not affected.")))
    if done:
        print_job_summary(console, job.out, done)
        if how != "interrupted" and showing.display in ("full", "plain"):
            (report or print_results)(console, job.out, done)
    if how == "interrupted":
        console.print("sab: stopped. Run the same command to resume:")
    if how not in ("complete", "errors"):
        console.print(Text(f"  {command_line(sys.argv)}"), soft_wrap=True)
    return EXIT_CODES[how] or (DISPLAY_FAILED if journal.failed else 0)


def command_line(words: list[str]) -> str:
    """The command as it was typed, with a private seed masked."""
    shown = ["sab", *words[1:]]
    for at, word in enumerate(shown):
        if word == "--private-seed" and at + 1 < len(shown):
            shown[at + 1] = "…"
        elif word.startswith("--private-seed="):
            shown[at] = "--private-seed=…"
    return shlex.join(shown).replace("'…'", "…")


def _undecided(board: Board) -> str:
    """The pairs of ranked agents without a significant difference."""
    from supportagentbench.board.standings import undecided_pairs

    pairs = undecided_pairs(board)
    if not pairs:
        return ""
    named = "; ".join(" and ".join(pair) for pair in pairs[:MOST_PAIRS])
    more = f"; and {counted(len(pairs) - MOST_PAIRS, 'more pair')}" if len(pairs) > MOST_PAIRS else ""
    return f"No significant difference: {named}{more}."


def print_results(console: Console, out: Path, done: JobResult) -> None:
    """The board of this job, what to read first, and the cost of each role."""
    from supportagentbench.board.standings import make_board
    from supportagentbench.board.worth_reading import worth_reading
    from supportagentbench.results.load import load_run
    from supportagentbench.terminal.board import board_table

    folders = [out / folder_name(header) for header in done.headers]
    results = [load_run(folder) for folder in folders if (folder / "run.json").exists()]
    results = [result for result in results if any(verdict.counts for verdict in result.verdicts)]
    if not results:
        return
    try:
        board = make_board(results)
        console.print("", board_table(board), Text(visible(_undecided(board)), style="dim"))
    except Problem as problem:
        console.print(Text(visible(f"sab: no board. {problem}")))
    readings = worth_reading(results)
    if readings:
        console.print(Text("\nRead first:", style="bold"))
    for one in readings:
        console.print(Text(visible(f"  {one.case}  {one.agent}  {one.why}")))
        console.print(Text(visible(f"    {one.command(out)}"), style="dim"), soft_wrap=True)
    found = added(bill for result in results for verdict in result.verdicts for bill in verdict.bills)
    source = "" if any(header.hosts for header in done.headers) else ", as the agents report it"
    for bill in found:
        cost = "price unknown" if bill.cost is None else f"${bill.cost:,.4f}{source}"
        console.print(Text(f"{bill.role.replace('_', ' ')}: {counted(bill.calls, 'call')}, {cost}"))
    console.print(
        Text(visible(f"\nSaved in {out}{os.sep}. Build the pages: sab site build {shlex.quote(str(out))}"))
    )


def _serve(root: Path, journal: Journal, showing: Showing, console: Console, open_things: ExitStack) -> str:
    from supportagentbench.live.server import serving

    link = open_things.enter_context(serving(root, journal.view, showing.port))
    console.print(Text(f"sab: live view {link}"))
    return link
