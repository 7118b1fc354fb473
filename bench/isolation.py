"""What the wall costs: the same conversations of one agent in the benchmark's process and in its own.

Each round runs both, so that the ratio does not depend on what else the machine does. The agent makes two
calls per turn and thinks about nothing, so that all time is the harness's. Starting processes is included.
"""

import asyncio
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import NamedTuple

from supportagentbench.concurrency.event_loop import drive
from supportagentbench.desk.doors.process import Isolation, ProcessDoor
from supportagentbench.jobs.job import Job
from supportagentbench.jobs.run import run_job
from supportagentbench.jobs.spec import JobSpec
from supportagentbench.storage.archive import find_runs
from supportagentbench.storage.transcripts import read_transcripts
from supportagentbench.world.drawn_cases import DrawnCases, generate
from supportagentbench.world.folder import read_world

ROUNDS, RUNS, CONCURRENCY = 5, 3, 8

AGENT = """
class Reads:
    def __init__(self, seed): ...

    async def reply(self, turns, desk):
        desk.call("find_order", {"order": "#1"})
        desk.call("read_policy", {})
        return "Could you tell me more?"
"""


class Measured(NamedTuple):
    """One job."""

    seconds: float
    turns: int

    @property
    def each(self) -> float:
        """Milliseconds per turn."""
        return 1000 * self.seconds / self.turns


def measure(cases: DrawnCases, agent: str, isolation: Isolation | None) -> Measured:
    """Run all cases."""
    with tempfile.TemporaryDirectory() as out:
        spec = JobSpec(
            "northline", (agent,), runs=RUNS, out=Path(out), concurrency=CONCURRENCY, isolation=isolation
        )
        job = Job(spec, {cases.seed.name: cases})
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


async def start_up(agent: str) -> float:
    """Seconds until a process has loaded the agent."""
    door = ProcessDoor(agent, Isolation())
    clock = time.perf_counter()
    await door.take()
    seconds = time.perf_counter() - clock
    await door.aclose()
    return seconds


def main() -> None:
    """Print milliseconds per turn for both, and their ratio."""
    cases = generate(read_world("northline"))
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "reads.py"
        file.write_text(AGENT)
        agent = f"{file}:Reads"
        measure(cases, agent, None)  # The cases are drawn by whoever comes first.
        rounds = [(measure(cases, agent, None), measure(cases, agent, Isolation())) for _ in range(ROUNDS)]
        starts = [asyncio.run(start_up(agent)) for _ in range(ROUNDS)]
    for title, side in (("in the same process", 0), ("in processes of its own", 1)):
        each = sorted(one[side].each for one in rounds)
        print(f"{title:24} {median(each):5.2f} ms per turn ({each[0]:.2f}–{each[-1]:.2f})")
    ratios = sorted(far.each / near.each for near, far in rounds)
    more = median(far.each - near.each for near, far in rounds)
    print(
        f"{'ratio':24} {median(ratios):5.2f} ({ratios[0]:.2f}–{ratios[-1]:.2f}), {more:.2f} ms more per turn"
    )
    print(f"{'a process starts in':24} {median(starts):5.2f} s")
    print(f"{rounds[0][0].turns} turns with two calls each, {CONCURRENCY} in flight, {ROUNDS} rounds")


if __name__ == "__main__":
    main()
