"""Incident: one bad talk is replayed, and a proved case of it is written."""

import asyncio
from pathlib import Path

from rich.console import Console
from rich.text import Text

from supportagentbench.jobs.cost_estimate import plan_costs
from supportagentbench.jobs.incident import DoneAgain, KeptCase, done_again, keep_case
from supportagentbench.jobs.job import open_job
from supportagentbench.jobs.run import JobResult
from supportagentbench.jobs.settle import settle
from supportagentbench.jobs.spec import JobSpec
from supportagentbench.jobs.tickets import OpenIncident, incident_of
from supportagentbench.records.case import Bucket
from supportagentbench.records.counts import counted
from supportagentbench.storage.file import make_folder
from supportagentbench.terminal.cost_plan import agree_to_spend, print_customer
from supportagentbench.terminal.escape import visible
from supportagentbench.terminal.run import Showing, say_to, show_job
from supportagentbench.world.folder import read_world

KINDS: dict[Bucket, str] = {
    "adversarial": "a trap",
    "must_escalate": "a case for a human",
    "resolvable": "a case that can be resolved",
}
RUNS = "runs"
"""In the folder of an incident: its replays."""


def start_incident(asked: JobSpec, out: Path, showing: Showing, console: Console, yes: bool) -> int:
    """Replay a ticket from before the reply that went wrong, and keep it as a case; returns the exit code."""
    assert asked.tickets
    incident = incident_of(read_world(asked.world), asked.tickets)
    say_to(console, _what_happened(incident))
    settled = settle(asked.with_(out=out / RUNS), is_live=showing.is_live)
    job = open_job(settled.spec)
    if settled.customer:
        print_customer(console, settled.customer)
    plans = asyncio.run(plan_costs(job))
    agree_to_spend(plans, settled.spec.budget, console, yes)

    def report(console: Console, runs: Path, done: JobResult) -> None:
        console.print(Text(visible(_again(done_again(settled.spec, job, incident)))))

    code = show_job(job, plans, showing, console, report)
    if code == 0:
        make_folder(out)
        kept = keep_case(incident, out)
        console.print(Text(visible(_kept(kept))))
    return code


def _what_happened(incident: OpenIncident) -> str:
    wrong, begun = incident.wrong, counted(len(incident.wrong.before), "turn")
    return f"{incident.one.ticket.id}: resumed after {begun}; what went wrong then: {wrong.judged.why}."


def _again(found: DoneAgain) -> str:
    """How often, and what that decides."""
    unknown = f"; of {found.undecided} more it cannot be known" if found.undecided else ""
    return (
        f"{found.agent} did it again in {found.hits} of {found.trials} replays "
        f"({found.low:.0%}\u2013{found.high:.0%}): {found.words}{unknown}."
    )


def _kept(kept: KeptCase) -> str:
    twin = f"with a twin in which {kept.twin}" if kept.twin else f"without a twin: {kept.why_alone}"
    return f"{kept.path}: {KINDS[kept.family.bucket]}, proved in {kept.draws} draws, {twin}."
