"""Settle: decides what a command left open before anything is opened or spent."""

import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import NamedTuple

from supportagentbench.agents.resolve import resolve
from supportagentbench.agents.shipped import named
from supportagentbench.concurrency.open_files import FileNeed
from supportagentbench.customer.choice import AUTO, CustomerChoice
from supportagentbench.jobs.aftermath import aftermath
from supportagentbench.jobs.cluster.engine import refuse_unfit
from supportagentbench.jobs.customer import customer_for
from supportagentbench.jobs.in_flight import within_limits
from supportagentbench.jobs.shard import its_limits
from supportagentbench.jobs.spec import JobSpec
from supportagentbench.models.provider import is_model, keep_known_keys
from supportagentbench.storage.place import check_folder


class Settled(NamedTuple):
    """A spec with nothing left open, and what to say about it."""

    spec: JobSpec
    customer: CustomerChoice | None
    """The chosen customer, if it matters and none was requested."""
    limited: str
    """Why the concurrency is lower than requested."""


def settle(asked: JobSpec, *, is_live: bool = False) -> Settled:
    """The spec of a run: agents that exist, a customer that suits them, and a concurrency that fits."""
    keep_known_keys()
    check_folder(asked.out)
    spec = its_limits(asked.with_(agents=tuple(named(list(asked.agents)))))
    find_code_here(spec)
    if spec.cluster:
        refuse_unfit(spec)
    agents = []
    for name in spec.agents:  # Report what does not exist before anything else.
        agents.append(resolve(name))
        with aftermath(spec), redirect_stdout(sys.stderr):  # Keep the agent's output apart from ours.
            agents[-1].check(spec.wall, spec.turn_timeout)
    chosen = customer_for(spec.customer, agents, spec.out)
    is_said = spec.customer == AUTO and not all(agent.has_known_words for agent in agents)
    need = FileNeed(len(agents), 1 + is_model(chosen.name) + is_live)
    concurrency, limited = within_limits(spec.concurrency, need)
    settled = spec.with_(customer=chosen.name, concurrency=concurrency)
    return Settled(settled, chosen if is_said else None, limited)


def settle_forks(spec: JobSpec, *, is_live: bool = False) -> tuple[JobSpec, str]:
    """The same for replays, whose agents and customer are known: only the concurrency is settled."""
    open_runs = spec.runs if spec.forks and spec.forks.until_decided else min(spec.runs, spec.concurrency + 1)
    each = 1 + is_model(spec.customer) + is_live
    need = FileNeed(len(spec.agents), each, fixed=4 + 3 * open_runs)
    concurrency, limited = within_limits(spec.concurrency, need)
    return spec.with_(concurrency=concurrency), limited


def find_code_here(spec: JobSpec) -> None:
    """Let code that was typed be a file in the current folder; it never hides a library.

    Without such code, or if it runs in processes of its own, the folder is not searched: a file there could
    be taken for an optional library.
    """
    here = str(Path.cwd())
    if spec.runs_code_here and here not in sys.path:
        sys.path.append(here)
