"""Shadow: real tickets are resumed, and the acts of agents and people are printed side by side."""

import asyncio
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from supportagentbench.jobs.cost_estimate import plan_costs
from supportagentbench.jobs.job import Job, open_job
from supportagentbench.jobs.replay import notes_on, planned_openings
from supportagentbench.jobs.run import EXIT_CODES, JobResult
from supportagentbench.jobs.settle import settle
from supportagentbench.jobs.spec import JobSpec
from supportagentbench.jobs.tickets import runs_by_tickets, shadow_week
from supportagentbench.models.cost_plan import CostPlan
from supportagentbench.records.counts import counted
from supportagentbench.records.record import to_json
from supportagentbench.records.secrets import sealed_json
from supportagentbench.records.shadow import ShadowWeek
from supportagentbench.shadow.imported_cases import ImportedCases
from supportagentbench.shadow.opening_cases import OpeningCases
from supportagentbench.shadow.ticket_cases import TicketCases
from supportagentbench.site.answers.shadow_differences import TITLES
from supportagentbench.storage.file import make_folder, write_whole
from supportagentbench.terminal.cost_plan import agree_to_spend, print_customer
from supportagentbench.terminal.escape import visible
from supportagentbench.terminal.run import Showing, say_to, show_job
from supportagentbench.terminal.ticket_pages import WEEK, page_name, write_page

RUNS, TICKETS = "runs", "tickets"
"""In the folder of a shadow week: the runs that it is made of, and the import, if it was made with it."""


def start_tickets(asked: JobSpec, out: Path, showing: Showing, console: Console, yes: bool) -> int:
    """Resume the tickets with every agent, compared with the people; returns the exit code."""
    job, plans = planned_tickets(asked, out, showing, console, yes)
    stored: list[ShadowWeek] = []

    def report(console: Console, runs: Path, done: JobResult) -> None:
        stored.append(stored_week(job.spec, job, out))
        console.print(*week_tables(stored[0]))
        for sentence in next_steps(stored[0], job, out):
            say_to(console, sentence)

    code = show_job(job, plans, showing, console, report)
    if not stored and code != EXIT_CODES["interrupted"]:
        stored_week(job.spec, job, out)
    return code


def planned_tickets(
    asked: JobSpec, out: Path, showing: Showing, console: Console, yes: bool
) -> tuple[Job, list[CostPlan]]:
    """The job that plays the tickets, once the user knows which are left out and agrees to its costs."""
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
    """The week as far as it is, in its file, with its page."""
    week = shadow_week(spec, job)
    write_whole(out / WEEK, sealed_json(week, to_json) + b"\n", mode=0o600)
    write_page(out / WEEK)
    return week


def next_steps(week: ShadowWeek, job: Job, out: Path) -> Iterator[str]:
    """Where the page is, what it leaves out, and what can be done about it."""
    yield f"the page is {out / page_name(WEEK)}; it opens by a double click."
    if left := sum(week.left_out.values()):
        yield f"{counted(left, 'ticket')} left out, for the reasons above."
    assert isinstance(job.cases, TicketCases) and job.spec.tickets
    if others := runs_by_tickets(job.spec.out, job.cases)[False]:
        named = ", ".join(folder.name for folder in others)
        yield f"not counted, because made with other tickets or another map: {named}."
    if week.unapproved:
        words = f"{counted(week.unapproved, 'ticket')} not approved, so doubtful words in them are hidden"
        review = f"sab import --review {job.spec.tickets.folder}"
        yield f"{words}; read them with `{review}`, then run the same command again."


def week_tables(week: ShadowWeek) -> list[Table | Text]:
    """What each agent did, in counts."""
    tries = [one for ticket in week.resumed for one in ticket.tries]
    kinds = [kind for kind in TITLES if kind != "unknown" or any(one.difference == kind for one in tries)]
    table = Table(box=None)
    table.add_column("")
    for kind in kinds:
        table.add_column(TITLES[kind].lower(), justify="right")
    for agent in dict.fromkeys(one.agent for one in tries):
        counts = Counter(one.difference for one in tries if one.agent == agent)
        table.add_row(Text(visible(agent)), *(str(counts[kind]) for kind in kinds))
    total = f"{counted(len(week.resumed), 'ticket')} of {week.tickets} resumed"
    return [table, Text(total)]
