"""The embedded job end to end: every reference agent over all cases three times, scored, on a board."""

import asyncio
import tempfile
import time
from functools import partial
from pathlib import Path

from supportagentbench.agents.shipped import REFERENCE, shipped_agent
from supportagentbench.board.standings import make_board
from supportagentbench.customer.voice import ScriptedVoice
from supportagentbench.results.load import load_runs
from supportagentbench.runner.run import header_of, run_agent
from supportagentbench.world.drawn_cases import generate
from supportagentbench.world.folder import read_world

RUNS = 3


def main() -> None:
    """Print seconds per stage and conversations per second."""
    clock = time.perf_counter()
    cases, voice = generate(read_world("northline")), ScriptedVoice()
    loaded = time.perf_counter()
    with tempfile.TemporaryDirectory() as out:
        held = 0
        for name in REFERENCE:
            make = shipped_agent(name)
            for run in range(1, RUNS + 1):
                header = header_of(cases, "all", name, voice, run, 0)
                asyncio.run(
                    run_agent(cases, header, partial(make, cases.world), voice, Path(out), concurrency=8)
                )
                held += len(header.cases)
        ran = time.perf_counter()
        scored = load_runs([Path(out)])
        judged = time.perf_counter()
        make_board(scored)
        done = time.perf_counter()
    print(f"{len(REFERENCE)} agents x {RUNS} runs, {held} conversations")
    print(f"read world  {loaded - clock:6.2f} s")
    print(f"converse    {ran - loaded:6.2f} s  {held / (ran - loaded):7.0f} conversations/s")
    print(f"score       {judged - ran:6.2f} s  {held / (judged - ran):7.0f} transcripts/s")
    print(f"board       {done - judged:6.2f} s")
    print(f"in all      {done - clock:6.2f} s  (figure: 60)")


if __name__ == "__main__":
    main()
