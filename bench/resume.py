"""What a killed run loses: `kill -9` in mid-run, the same command again, several times over.

A conversation in flight at a kill restarts; its answers are in the answer cache or, with `--record`, in the
recording, so only the requests under way at that moment are paid for again.
"""

import os
import subprocess
import sys
import tempfile
import time
from math import inf
from pathlib import Path

from served import Served

from supportagentbench.storage.archive import find_runs
from supportagentbench.storage.transcripts import Filed, read_transcripts

KILLS, RUNS, CONCURRENCY = 5, 3, 50
PLANNED = 162 * RUNS
STEP = 600
"""Requests from one kill to the next; all conversations together need about 3,460."""

Finished = dict[str, Filed]
"""Finished conversations by run and case."""


def finished(out: Path) -> Finished:
    """What is finished; a duplicate line would be refused."""
    folders = find_runs([out]) if any(out.glob("*/run.json")) else []
    return {
        f"{folder.name} {filed.transcript.case}": filed
        for folder in folders
        for filed in read_transcripts(folder)
    }


def calls_of(filed: Filed) -> int:
    """Recorded requests of this conversation."""
    return sum(usage.attempts for turn in filed.transcript.turns for usage in turn.usage)


def run(served: Served, folder: Path, record: bool, kill_at: float) -> Finished:
    """Run the command; kill it once the provider has had `kill_at` requests."""
    recording = ["--record", str(folder / "recording.jsonl")] if record else []
    command = [sys.executable, "-c", "from supportagentbench.cli.main import main; main()"]
    command += [
        "run",
        f"openai:gpt-4o,base_url={served.url}/v1",
        "--set",
        "core",
        "--runs",
        str(RUNS),
        "--customer",
        "scripted",
    ]
    command += ["--concurrency", str(CONCURRENCY), "--out", str(folder / "runs"), "--yes", *recording]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    while process.poll() is None and served.counts().total.requests < kill_at:
        time.sleep(0.02)
    process.kill()
    if process.wait() > 0:
        raise RuntimeError(f"sab run ended with {process.returncode}")
    return finished(folder / "runs")


def survives(record: bool) -> bool:
    """Kill and resume; print what was lost, and return whether it is within the target."""
    harmed, stored = 0, Finished()
    with Served("latency=0.1,jitter=0.5") as served, tempfile.TemporaryDirectory() as folder:
        for kill_at in (*range(STEP, (KILLS + 1) * STEP, STEP), inf):
            before, stored = stored, run(served, Path(folder), record, kill_at)
            harmed += sum(stored.get(name) != filed for name, filed in before.items())
            requests = served.counts().total.requests
            end = "end " if kill_at == inf else "kill"
            print(f"  {end}: {len(stored):3} of {PLANNED} conversations stored, {requests:4} requests")
    again = requests - sum(map(calls_of, stored.values()))
    print(f"  finished ones lost or run again: {harmed}")
    print(f"  requests paid for again: {again}, {again / KILLS:.0f} per kill (limit: {CONCURRENCY})")
    return len(stored) == PLANNED and not harmed and again <= KILLS * CONCURRENCY


def main() -> None:
    """Print what five kills cost, without and with a recording; exit 1 if it is more than was in flight."""
    os.environ["OPENAI_API_KEY"] = "loopback"
    passed = True
    for record in (False, True):
        print(f"{'with' if record else 'without'} --record, {CONCURRENCY} conversations in flight")
        passed &= survives(record)
    sys.exit(not passed)


if __name__ == "__main__":
    main()
