"""Shadow: real tickets are resumed, and the acts of agents and people are printed side by side."""

import asyncio
from collections import Counter
from pathlib import Path
from typing import get_args

from rich.console import Console
from rich.table import Table
from rich.text import Text

from supportagentbench.jobs.cost_estimate import plan_costs
from supportagentbench.jobs.job import Job, open_job
from supportagentbench.jobs.replay import notes_on, planned_openings
from supportagentbench.jobs.run import JobResult
from supportagentbench.jobs.settle import settle
from supportagentbench.jobs.spec import JobSpec
from supportagentbench.jobs.tickets import shadow_week
from supportagentbench.models.cost_plan import CostPlan
from supportagentbench.records.counts import counted
from supportagentbench.records.record import to_json
from supportagentbench.records.shadow import Difference, ShadowWeek
from supportagentbench.shadow.imported_cases import ImportedCases
from supportagentbench.shadow.opening_cases import OpeningCases
from supportagentbench.storage.file import make_folder, write_whole
from supportagentbench.terminal.cost_plan import agree_to_spend, print_customer
from supportagentbench.terminal.escape import visible
from supportagentbench.terminal.run import Showing, say_to, show_job

WEEK, RUNS = "week.json", "runs"
"""In the folder of a shadow week: the record, and the runs that it is made of."""


def start_tickets(asked: JobSpec, out: Path, showing: Showing, console: Console, yes: bool) -> int:
    """Resume the tickets with every agent, beside what the people did; returns the exit code."""
    job, plans = planned_tickets(asked, out, showing, console, yes)

    def report(console: Console, runs: Path, done: JobResult) -> None:
        console.print(*week_tables(stored_week(job.spec, job, out)), sep="\n")

    code = show_job(job, plans, showing, console, report)
    if code == 0:
        stored_week(job.spec, job, out)
    return code


def planned_tickets(
    asked: JobSpec, out: Path, showing: Showing, console: Console, yes: bool
) -> tuple[Job, list[CostPlan]]:
    """The job that plays the tickets, once it is said what is left out and the user agrees to its costs."""
    settled = settle(asked.with_(out=out / RUNS), is_live=showing.is_live)
    job = open_job(settled.spec)
    _make_private(out)
    assert isinstance(job.cases, ImportedCases)
    for reason, count in job.cases.left_out.most_common():
        say_to(console, f"left out, {count} ×: {reason}.")
    if isinstance(job.cases, OpeningCases):
        for note in notes_on(job.cases, planned_openings(job)):
            say_to(console, note)
    if settled.customer:
        print_customer(console, settled.customer)
    plans = asyncio.run(plan_costs(job))
    agree_to_spend(plans, job.spec.budget, console, yes)
    return job, plans


def _make_private(out: Path) -> None:
    """Make the folder, if there is none, for this user alone: the runs in it have what customers wrote."""
    if not out.exists():
        make_folder(out)
        out.chmod(0o700)


def stored_week(spec: JobSpec, job: Job, out: Path) -> ShadowWeek:
    """The week as far as it is, in its file."""
    week = shadow_week(spec, job)
    write_whole(out / WEEK, to_json(week) + b"\n")
    return week


def week_tables(week: ShadowWeek) -> list[Table | Text]:
    """What each agent did, in counts."""
    table = Table(box=None)
    for title in ("", "same", "more generous", "stricter", "handed over", "taken on", "other"):
        table.add_column(title, justify="left" if not title else "right")
    agents = dict.fromkeys(one.agent for ticket in week.resumed for one in ticket.tries)
    for agent in agents:
        tries = [one for ticket in week.resumed for one in ticket.tries if one.agent == agent]
        counts = Counter(one.difference for one in tries)
        table.add_row(Text(visible(agent)), *(str(counts[kind]) for kind in get_args(Difference)))
    total = f"{counted(len(week.resumed), 'ticket')} of {week.tickets} resumed"
    unread = (
        f"{week.unapproved} of them not approved: nobody was shown their doubtful words, the agents included"
    )
    notes = (*week.notes, *([unread] if week.unapproved else []))
    return [table, *(Text(line) for line in (total, *notes))]
