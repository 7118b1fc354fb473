"""Judge run: a judge job from its first request to its summary, with a progress bar."""

import asyncio

from rich.console import Console

from supportagentbench.concurrency.event_loop import drive
from supportagentbench.concurrency.interrupt import Interrupt
from supportagentbench.jobs.judge import JudgeJob, JudgePlan
from supportagentbench.jobs.run import EXIT_CODES
from supportagentbench.models.cost_plan import CostPlan
from supportagentbench.terminal.job_summary import print_judge_summary
from supportagentbench.terminal.progress import progress_bar


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
