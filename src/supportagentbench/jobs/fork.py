"""Fork job: agents make recorded decisions again, one run per replay."""

from supportagentbench.forks.decisions import Decisions
from supportagentbench.forks.fork_plan import ForkPlan
from supportagentbench.jobs.customer import known_customer
from supportagentbench.jobs.job import Job
from supportagentbench.jobs.spec import JobSpec
from supportagentbench.records.counts import counted
from supportagentbench.records.fork import RULES


def fork_job(spec: JobSpec) -> tuple[ForkPlan, Job]:
    """The job with the forks that a spec asks for; options left open are as in the recorded runs."""
    assert spec.forks
    plan = ForkPlan.of(spec.forks.sources, spec.forks.wishes, spec.world, spec.private_seed.reveal())
    settled = spec.with_(
        world=spec.world or plan.header.world,
        agents=tuple(plan.agents(spec.agents)),
        set_name=",".join(sorted({fork.point.case for fork in plan.forks.values()})),
        seed=spec.forks.wishes.seed,
        customer=spec.customer or known_customer(plan.header.customer, plan.origin),
        channel=plan.header.channel,
        desk=plan.header.desk,
    )
    points = tuple(fork.point for fork in plan.forks.values())
    decisions = _decisions(settled) if spec.forks.until_decided else None
    draws = {plan.cases.seed.name: plan.cases}
    return plan, Job(settled, draws, plan.play, points, decisions)


def _decisions(spec: JobSpec) -> Decisions:
    decisions = Decisions()
    if not spec.fresh:
        decisions.read(spec.out)
    return decisions


async def restored(plan: ForkPlan, job: Job) -> str:
    """Replay every prefix once; returns a summary, or raises a Problem if one differs from its record."""
    count = await plan.restore()
    rules = "; ".join(dict.fromkeys(RULES[point.rule] for point in job.forks))
    return f"{counted(count, 'fork')} ({rules}); every prefix is restored byte for byte."
