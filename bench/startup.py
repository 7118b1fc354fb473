"""What the command costs before it does anything: CPU of `sab --help`, compared with a bare Python."""

import resource
import statistics
import subprocess
import sys
from collections.abc import Sequence

ROUNDS = 7


def cpu_seconds(command: Sequence[str]) -> float:
    """User and system time of one run."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def main() -> None:
    """Print medians and their ratio; exit 1 above the target."""
    help_command = [sys.executable, "-c", "from supportagentbench.cli.main import main; main()", "--help"]
    bare = statistics.median(cpu_seconds([sys.executable, "-c", "pass"]) for _ in range(ROUNDS))
    ours = statistics.median(cpu_seconds(help_command) for _ in range(ROUNDS))
    print(f"bare python {bare:.3f} s, sab --help {ours:.3f} s CPU (target: 0.250), ratio {ours / bare:.1f}")
    sys.exit(ours > 0.25)


if __name__ == "__main__":
    main()
