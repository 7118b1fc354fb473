"""What a killed run loses: `kill -9` in mid-run, the same command again, several times over.

A conversation in flight at a kill begins anew; its answers are on file, as receipts or with `--record` on
recording, so only the requests under way at that moment are paid again.
"""

import os
import subprocess
import sys
import tempfile
import time
from math import inf
from pathlib import Path

from served import Served

from supportagentbench.storage.archive import Filed, find_runs, read_transcripts

KILLS, RUNS, CONCURRENCY = 5, 3, 50
PLANNED = 162 * RUNS
STEP = 600
"""Requests from one kill to the next; all conversations together need about 3,460."""

Shelf = dict[str, Filed]
"""Finished conversations by run and case."""


def on_file(out: Path) -> Shelf:
    """What is finished; a line that is there twice would be refused."""
    folders = find_runs([out]) if any(out.glob("*/run.json")) else []
    return {
        f"{folder.name} {filed.transcript.case}": filed
        for folder in folders
        for filed in read_transcripts(folder)
    }


def calls_of(filed: Filed) -> int:
    """Requests that this conversation has on record."""
    return sum(usage.attempts for turn in filed.transcript.turns for usage in turn.usage)


def run(served: Served, folder: Path, record: bool, kill_at: float) -> Shelf:
    """Run the command; kill it without a word once the provider has had so many requests."""
    recording = ["--record", str(folder / "recording.jsonl")] if record else []
    command = [sys.executable, "-c", "from supportagentbench.cli.main import main; main()"]
    command += ["run", f"openai:gpt-4o,base_url={served.url}/v1", "--set", "core", "--runs", str(RUNS)]
    command += ["--concurrency", str(CONCURRENCY), "--out", str(folder / "runs"), "--yes", *recording]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    while process.poll() is None and served.counts().total.requests < kill_at:
        time.sleep(0.02)
    process.kill()
    if process.wait() > 0:
        raise RuntimeError(f"sab run ended with {process.returncode}")
    return on_file(folder / "runs")


def survives(record: bool) -> bool:
    """Kill and resume; print what was lost, and tell whether it is within the figure."""
    harmed, held = 0, Shelf()
    with Served("latency=0.1,jitter=0.5") as served, tempfile.TemporaryDirectory() as folder:
        for kill_at in (*range(STEP, (KILLS + 1) * STEP, STEP), inf):
            before, held = held, run(served, Path(folder), record, kill_at)
            harmed += sum(held.get(name) != filed for name, filed in before.items())
            requests = served.counts().total.requests
            end = "end " if kill_at == inf else "kill"
            print(f"  {end}: {len(held):3} of {PLANNED} conversations on file, {requests:4} requests")
    again = requests - sum(map(calls_of, held.values()))
    print(f"  finished ones lost or held again: {harmed}")
    print(f"  requests paid again: {again}, that is {again / KILLS:.0f} a kill (at most: {CONCURRENCY})")
    return len(held) == PLANNED and not harmed and again <= KILLS * CONCURRENCY


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
