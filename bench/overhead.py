"""Overhead: function calls per model call, of this harness and of aiohttp alone, in one run.

CPU time on a shared machine doubles from one minute to the next, for the harness more than for aiohttp alone.
How many functions run, Python's and C's, hardly changes: so this is what `make check` holds to a limit, and
`bench/calls.py` prints the milliseconds. A call that has become slower by itself shows only there, and
reading a sentence for the first time shows little: the fake provider repeats itself, and the ear remembers.
"""

import cProfile
import os
import sys
import tempfile
from pathlib import Path

import bare_post
import own_run
from served import Served, counts_at
from side import Work

from supportagentbench.world.drawn_cases import generate
from supportagentbench.world.folder import read_world

MOST = 2.6
"""Times the function calls of aiohttp alone: 2.3 when this was set, 3.1 when the slip was found."""


def main() -> None:
    """Print both and their ratio; exit 1 above the limit."""
    os.environ["OPENAI_API_KEY"] = "loopback"
    cases = generate(read_world("northline"))
    found: dict[str, float] = {}
    with Served() as served, tempfile.TemporaryDirectory() as out:
        for name, run_work in (("aiohttp alone", bare_post.run_work), ("this harness", own_run.run_work)):
            run_work(Work(cases, "core", 1, served.url, 50, Path(out, name, "warm")))
            before = counts_at(served.url).total.requests
            profile = cProfile.Profile()
            profile.runcall(run_work, Work(cases, "core", 1, served.url, 50, Path(out, name, "counted")))
            requests = counts_at(served.url).total.requests - before
            found[name] = sum(entry.callcount for entry in profile.getstats()) / requests
            print(f"{name}: {found[name]:.0f} function calls per model call")
    ratio = found["this harness"] / found["aiohttp alone"]
    print(f"{ratio:.2f} times as many (limit: {MOST})")
    sys.exit(ratio > MOST)


if __name__ == "__main__":
    main()
