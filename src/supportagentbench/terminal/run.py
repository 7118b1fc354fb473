"""Run: a job is shown while it runs and summarized when it ends."""

import asyncio
import os
import shlex
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack, redirect_stdout
from functools import partial
from pathlib import Path
from typing import NamedTuple

from rich.console import Console
from rich.text import Text

from supportagentbench.concurrency.event_loop import drive
from supportagentbench.concurrency.interrupt import Interrupt
from supportagentbench.jobs.aftermath import aftermath
from supportagentbench.jobs.cost_estimate import plan_costs
from supportagentbench.jobs.fork import fork_job, restored
from supportagentbench.jobs.job import Job, open_job
from supportagentbench.jobs.judge import JudgeJob, JudgePlan
from supportagentbench.jobs.run import EXIT_CODES, JobOutcome, JobResult, run_job
from supportagentbench.jobs.settle import find_code_here, settle, settle_forks
from supportagentbench.jobs.spec import JobSpec
from supportagentbench.live.journal import Journal, refuse_foreign_live
from supportagentbench.models.cost_plan import CostPlan, cost_range
from supportagentbench.models.provider import keep_known_keys
from supportagentbench.records.agent_error import AgentError
from supportagentbench.records.board import Board
from supportagentbench.records.counts import counted
from supportagentbench.records.problem import Problem
from supportagentbench.records.run import Run
from supportagentbench.records.usage_total import added
from supportagentbench.runner.observer import RunObserver
from supportagentbench.stats.forks import CLEAN
from supportagentbench.storage.archive import ERRORS, HEADER, folder_name
from supportagentbench.storage.kept_file import is_changed
from supportagentbench.storage.mirror import bring
from supportagentbench.storage.place import check_folder
from supportagentbench.terminal.console import EscapingConsole
from supportagentbench.terminal.cost_plan import agree_to_spend, print_customer, print_desk
from supportagentbench.terminal.display import Display, choose_display, displayed, progress_bar
from supportagentbench.terminal.escape import on_one_line, visible
from supportagentbench.terminal.fork_board import print_forks
from supportagentbench.terminal.job_summary import print_job_summary, print_judge_summary

MOST_PAIRS = 5
"""Pairs of agents that are named; further ones are only counted."""


DISPLAY_FAILED = 1
"""The exit code if all conversations finished, but part of the display failed."""


class FirstErrors:
    """Prints the first error of each agent; all errors are stored."""

    def __init__(self, console: Console, out: Path) -> None:
        self._console = console
        self._out = out
        self._shown: set[str] = set()

    def show(self, header: Run, error: AgentError) -> None:
        """Print this error if it is the agent's first."""
        if header.agent in self._shown:
            return
        self._shown.add(header.agent)
        head = f"sab: {header.agent} broke in {error.case}, run {header.run} ({error.cause}): {error.detail}"
        for line in (head, *error.traceback.splitlines()):
            self._console.print(Text(visible(line)), soft_wrap=True)
        file = self._out / folder_name(header) / ERRORS
        self._console.print(Text(visible(f"sab: further errors are only counted; all are in {file}.")))


class Showing(NamedTuple):
    """How a job is shown."""

    display: Display
    is_live: bool = False
    """Whether a live page is served as well."""
    port: int = 7321

    @classmethod
    def chosen(cls, display: str, is_live: bool, port: int) -> tuple["Showing", Console]:
        """The requested display, and the console to show it on."""
        console = EscapingConsole(stderr=True)
        return cls(choose_display(display, console), is_live, port), console


class WatchedJob(NamedTuple):
    """A job that was shown while it ran."""

    done: JobResult | None
    """None: it was interrupted."""
    how: JobOutcome
    has_failed_display: bool


def start_job(asked: JobSpec, showing: Showing, console: Console, yes: bool) -> int:
    """Fill in what the command left open, ask before spending money, and run it; returns the exit code."""
    if asked.bucket:
        bring(asked.bucket, partial(say_to, console))
        say_to(console, f"the runs are in {asked.out}; their files are sent to {asked.bucket} as they grow.")
    settled = settle(asked, is_live=showing.is_live)
    spec, job = settled.spec, open_job(settled.spec)
    if settled.customer:
        print_customer(console, settled.customer)
    if spec.desk != "prompt":
        job.cases.world.opened_handbook()
        print_desk(console, spec.desk)
    if settled.limited:
        say_to(console, settled.limited)
    for agent in spec.agent_specs():
        for doubt in agent.doubts():
            say_to(console, f"{agent.shown}: {doubt}.")
    plans = [] if spec.replay else asyncio.run(plan_costs(job))
    say_own_costs(job, console)
    agree_to_spend(plans, spec.budget, console, yes)
    return show_job(job, plans, showing, console)


def say_own_costs(job: Job, console: Console) -> None:
    """How many conversations agents have that may call models at their own expense, which nothing limits."""
    count = len(job.spec.chosen or job.cases.names(job.spec.set_name)) * job.times
    for agent in job.spec.agent_specs():
        if agent.prices and not agent.model:
            say_to(
                console,
                f"{agent.shown}: {counted(count, 'conversation')}; its own model calls are in no budget.",
            )


def start_forks(asked: JobSpec, showing: Showing, console: Console, yes: bool) -> int:
    """The same for forks; every prefix is restored first."""
    keep_known_keys()
    check_folder(asked.out)
    find_code_here(asked)
    plan, job = fork_job(asked)
    with aftermath(job.spec), redirect_stdout(sys.stderr):  # Keep the agent's output apart from ours.
        plan.check_agents(job.spec.agents, asked.wall, asked.turn_timeout)
    say_to(console, asyncio.run(restored(plan, job)))
    spec, limited = settle_forks(job.spec, is_live=showing.is_live)
    if limited:
        say_to(console, limited)
    if spec.runs < CLEAN:
        say_to(console, f"too few replays for a fork to hold, which takes {CLEAN}: --replays {CLEAN}.")
    job = job._replace(spec=spec)
    costs = asyncio.run(plan_costs(job))  # The maximum cost of the replays.
    agree_to_spend(costs, spec.budget, console, yes)
    return show_job(job, costs, showing, console, print_forks)


def say_to(console: Console, words: str) -> None:
    """Print one of our sentences, without markup."""
    console.print(Text(on_one_line(f"sab: {words}")), soft_wrap=True)


def show_job(
    job: Job,
    plans: list[CostPlan],
    showing: Showing,
    console: Console,
    report: Callable[[Console, Path, JobResult], None] | None = None,
) -> int:
    """Run a job, show its progress and its results; returns the exit code."""
    out = job.spec.out
    done, how, has_failed = watch_job(job, plans, showing, console)
    if done:
        print_job_summary(console, out, done)
        if how != "interrupted" and not job.spec.shard and showing.display in ("full", "plain"):
            (report or print_results)(console, out, done)
    if how == "interrupted":
        console.print("sab: stopped. Run the same command to resume:")
    if how not in ("complete", "errors"):
        console.print(Text(f"  {command_line(sys.argv)}"), soft_wrap=True)
    return EXIT_CODES[how] or (DISPLAY_FAILED if has_failed else 0)


def watch_job(
    job: Job,
    plans: list[CostPlan],
    showing: Showing,
    console: Console,
    observers: Sequence[RunObserver] = (),
    is_decided: Callable[[], bool] = lambda: False,
) -> WatchedJob:
    """Run a job with a journal, a display and any further observers."""
    out = job.spec.out
    if showing.is_live:
        refuse_foreign_live(out)
    low, high = cost_range(plans)
    on_error = FirstErrors(console, out).show
    journal = Journal(
        out, low=low, high=high, cap=job.spec.budget, wants_turns=showing.is_live, on_error=on_error
    )

    def say(words: str) -> None:
        journal.stopping()
        if showing.display != "full":
            console.print(f"sab: {words}")

    interrupt, done = Interrupt(say), None
    how: JobOutcome = "partial"
    with ExitStack() as open_things:
        link = _serve(out, journal, showing, console, open_things) if showing.is_live else ""
        open_things.enter_context(displayed(showing.display, journal, console, link))
        work = run_job(
            job, [journal, *observers], interrupt, is_decided=is_decided, say=partial(say_to, console)
        )
        try:
            with redirect_stdout(sys.stderr):  # Keep the agent's output apart from ours.
                done = drive(work)
            how = "interrupted" if interrupt.is_requested else done.outcome
        except asyncio.CancelledError:
            how = "interrupted"
        finally:
            journal.ended(how)
    for words in dict.fromkeys(journal.failed):
        say_to(console, f"part of the display failed ({words}). The runs are not affected.")
    return WatchedJob(done, how, bool(journal.failed))


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
    begun = [folder for folder in folders if (folder / HEADER).exists() and not is_changed(folder)]
    results = [load_run(folder) for folder in begun]
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
    reports_own = any(header.isolation for header in done.headers)
    for bill in found:
        source = ", by the agents' own reports" if reports_own and bill.role == "agent" else ""
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


def show_judge_job(plan: JudgePlan, costs: list[CostPlan], console: Console) -> int:
    """Run a judge job and print its summary; returns the exit code."""
    interrupt = Interrupt(lambda words: console.print(f"sab: {words}"))
    with progress_bar(console) as bar:
        job = JudgeJob(plan, interrupt, bar.start("judging", sum(cost.conversations for cost in costs)))
        try:
            print_judge_summary(console, drive(job.run()))
        except asyncio.CancelledError:
            interrupt.is_requested = True
    if interrupt.is_requested:
        console.print("sab: stopped. Run the same command to resume.")
        return EXIT_CODES["interrupted"]
    return EXIT_CODES[job.outcome]
