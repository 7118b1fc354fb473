"""Whether memory stays flat: the peak of 540 conversations compared with that of 10,080, in one process each.

Once with the embedded oracle, once with a model behind the fake provider, 50 at a time. Arguments: other
numbers of runs over the 180 cases, a small and a large one.
"""

import os
import sys
import tempfile
from pathlib import Path

import own_run
from served import Served
from side import Work, embedded_run, in_new_process, peak_megabytes

from supportagentbench.world.drawn_cases import generate
from supportagentbench.world.folder import read_world

RUNS = (3, 56)
TARGET = 1.3


def peak(url: str, runs: int) -> float:
    """Peak memory in megabytes over this number of runs; without a URL, of the oracle."""
    os.environ["OPENAI_API_KEY"] = "loopback"
    cases = generate(read_world("northline"))
    with tempfile.TemporaryDirectory() as out:
        if url:
            own_run.run_work(Work(cases, "all", runs, url, 50, Path(out)))
        else:
            embedded_run(cases, "all", runs, Path(out))
    return peak_megabytes()


def main() -> None:
    """Print both peaks and their ratio; exit 1 above the target."""
    few, many = [int(argument) for argument in sys.argv[1:]] or RUNS
    worst = 0.0
    with Served() as served:
        for title, url in (("embedded oracle", ""), ("model, 50 in flight", served.url)):
            small, large = (in_new_process(peak, url, runs) for runs in (few, many))
            worst = max(worst, large / small)
            print(
                f"{title:20} {few * 180:6} conversations {small:6.1f} MB, {many * 180:6} {large:6.1f} MB, "
                f"ratio {large / small:.2f}"
            )
    print(f"figure: {TARGET}")
    sys.exit(worst > TARGET)


if __name__ == "__main__":
    main()
