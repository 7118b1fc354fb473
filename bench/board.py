"""How long `sab board` takes over a full board: the first time, when runs are scored, and after that.

python bench/board.py              # 24 invented agents x 180 x 3, made first (about a minute)
python bench/board.py RUNS         # stored runs
"""

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from synthetic import write_archive

FIRST, LATER = 12.0, 2.0
"""Seconds by the clock, start-up included."""

ROUNDS = 3


class Timed(NamedTuple):
    """One command."""

    seconds: float
    cpu: float
    """Seconds of all its processes."""
    output: bytes


def board(runs: Path, cache: Path) -> Timed:
    """Run `sab board` with a cache of its own."""
    command = [
        sys.executable,
        "-c",
        "from supportagentbench.cli.main import main; main()",
        "board",
        str(runs),
    ]
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(
        command, capture_output=True, check=True, env={**os.environ, "XDG_CACHE_HOME": str(cache)}
    )
    seconds, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Timed(seconds, cpu, done.stdout)


def main() -> None:
    """Print both times and the most memory of any process; exit 1 beyond a limit."""
    with tempfile.TemporaryDirectory() as scratch:
        runs, cache = Path(scratch) / "runs", Path(scratch) / "cache"
        if len(sys.argv) > 1:
            runs = Path(sys.argv[1])
        else:
            write_archive(runs)
        first = board(runs, cache)
        later = min((board(runs, cache) for _ in range(ROUNDS)), key=lambda one: one.seconds)
        kept = sum(path.stat().st_size for path in cache.rglob("*") if path.is_file())
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1000
    print(f"first time  {first.seconds:6.1f} s ({first.cpu:.1f} s CPU), at most {FIRST:g}")
    print(f"after that  {later.seconds:6.1f} s ({later.cpu:.1f} s CPU), at most {LATER:g}")
    print(f"cache {kept / 1e6:.1f} MB, largest process {memory:.0f} MB")
    same = first.output == later.output
    print("both boards are the same" if same else "the boards DIFFER")
    sys.exit(not same or first.seconds > FIRST or later.seconds > LATER)


if __name__ == "__main__":
    main()
