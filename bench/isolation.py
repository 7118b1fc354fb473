"""What the wall costs: the same conversations of one agent in the benchmark's process and in processes of its own.

Each round runs both, so that the ratio does not depend on what else the machine does. The agent looks an order
up, reads the policy and answers; it thinks about nothing, so that all time is the harness's.
"""

import asyncio
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import NamedTuple

from supportagentbench.agents.isolation.process import AgentProcesses, Isolation
from supportagentbench.concurrency.event_loop import drive
from supportagentbench.records.transcript import Turn
from supportagentbench.runner.job import Job, run_job
from supportagentbench.storage.archive import find_runs
from supportagentbench.storage.transcripts import read_transcripts
from supportagentbench.world.desk import Desk
from supportagentbench.world.folder import read_world
from supportagentbench.world.generate import CaseSet, generate

ROUNDS = 5
CONCURRENCY = 8


class Reads:
    """Makes two calls per turn."""

    def __init__(self, seed: int) -> None: ...

    async def reply(self, turns: Sequence[Turn], desk: Desk) -> str:
        desk.call("find_order", {"order": "#1"})
        desk.call("read_policy", {})
        return "Could you tell me more?"


class Measured(NamedTuple):
    """One job."""

    seconds: float
    turns: int


def measure(cases: CaseSet, isolation: Isolation | None) -> Measured:
    """Run all cases once."""
    with tempfile.TemporaryDirectory() as out:
        name = f"{Path(__file__).resolve()}:Reads"
        job = Job(cases, "all", [name], 1, out=Path(out), concurrency=CONCURRENCY, isolation=isolation)
        clock = time.perf_counter()
        done = drive(run_job(job))
        seconds = time.perf_counter() - clock
        assert not done.unfinished and not done.endings["agent_error"], done
        turns = sum(
            turn.party == "agent"
            for folder in find_runs([Path(out)])
            for filed in read_transcripts(folder)
            for turn in filed.transcript.turns
        )
    return Measured(seconds, turns)


async def start_up() -> float:
    """Seconds until a process has loaded the agent."""
    processes = AgentProcesses(f"{Path(__file__).resolve()}:Reads", Isolation())
    clock = time.perf_counter()
    await processes.take()
    seconds = time.perf_counter() - clock
    await processes.close()
    return seconds


def main() -> None:
    """Print milliseconds per turn for both, and their ratio."""
    cases = generate(read_world("northline"))
    measure(cases, None)  # The cases are drawn by whoever comes first.
    rounds = [(measure(cases, None), measure(cases, Isolation())) for _ in range(ROUNDS)]
    for title, side in (("in the same process", 0), ("in processes of its own", 1)):
        each = sorted(1000 * one[side].seconds / one[side].turns for one in rounds)
        print(f"{title:24} {median(each):6.2f} ms per turn ({each[0]:.2f}–{each[-1]:.2f})")
    ratios = sorted(far.seconds / near.seconds for near, far in rounds)
    print(f"{'ratio':24} {median(ratios):6.2f} ({ratios[0]:.2f}–{ratios[-1]:.2f})")
    starts = sorted(asyncio.run(start_up()) for _ in range(ROUNDS))
    print(f"{'a process starts in':24} {median(starts):6.2f} s")
    print(
        f"{rounds[0][0].turns} turns with two calls each, {CONCURRENCY} in flight, Python {sys.version.split()[0]}"
    )


if __name__ == "__main__":
    main()
