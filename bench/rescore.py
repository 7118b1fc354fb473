"""How fast stored transcripts are scored again: conversations per second of CPU, read from disk and judged.

Without folders it makes a run of every reference agent first.
"""

import asyncio
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

from supportagentbench.agents.shipped import REFERENCE, shipped_agent
from supportagentbench.checks import score
from supportagentbench.customer.voice import ScriptedVoice
from supportagentbench.runner.run import header_of, run_agent
from supportagentbench.storage.archive import find_runs, read_header
from supportagentbench.storage.transcripts import read_transcripts
from supportagentbench.world.drawn_cases import generate
from supportagentbench.world.folder import read_world

FIGURE = 2000
ROUNDS = 5


def make_runs(out: Path) -> None:
    """One run of every reference agent over all cases."""
    cases, voice = generate(read_world("northline")), ScriptedVoice()
    for name in REFERENCE:
        make = shipped_agent(name)
        header = header_of(cases, "all", name, voice, 1, 0)
        asyncio.run(run_agent(cases, header, partial(make, cases.world), voice, out, concurrency=8))


def seconds(folder: Path) -> tuple[float, float, int]:
    """CPU seconds to read a run and to judge it, and how many conversations it has."""
    start = time.process_time()
    header, filed = read_header(folder), list(read_transcripts(folder))
    read = time.process_time()
    for one in filed:
        score(one, header)
    return read - start, time.process_time() - read, len(filed)


def main(folders: list[Path]) -> None:
    """Print microseconds per transcript for each run and the total rate; exit 1 below the target."""
    spent, held = 0.0, 0
    for folder in find_runs(folders):
        rounds = [seconds(folder) for _ in range(ROUNDS)]
        read, judged = min(one[0] for one in rounds), min(one[1] for one in rounds)
        count = rounds[0][2]
        print(f"{folder.name:24} read {read / count * 1e6:6.0f} us, judge {judged / count * 1e6:6.0f} us")
        spent, held = spent + read + judged, held + count
    print(f"{held} transcripts, {held / spent:.0f} a second of CPU (figure: {FIGURE})")
    sys.exit(held / spent < FIGURE)


if __name__ == "__main__":
    if sys.argv[1:]:
        main([Path(argument) for argument in sys.argv[1:]])
    with tempfile.TemporaryDirectory() as made:
        make_runs(Path(made))
        main([Path(made)])
