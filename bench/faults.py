"""Whether the accounts balance when a provider misbehaves: every conversation, request and token is counted.

The headline set three times in each dialect, while the fake provider answers 429 to 5% of the requests,
breaks the JSON of 2%, drops the connection of 1% and is down for ten seconds in the middle. Then once more in
each dialect, while one request in eight meets one of the ten worst behaviours we know of.
"""

import os
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from served import Served

from supportagentbench.concurrency.event_loop import drive
from supportagentbench.concurrency.interrupt import Interrupt
from supportagentbench.fake_provider.counts import RequestCounts
from supportagentbench.fake_provider.spoiling import UNREADABLE
from supportagentbench.jobs.job import Job
from supportagentbench.jobs.run import JobResult, run_job
from supportagentbench.jobs.spec import JobSpec
from supportagentbench.records.usage import Usage
from supportagentbench.storage.archive import find_runs
from supportagentbench.storage.transcripts import read_transcripts
from supportagentbench.world.drawn_cases import DrawnCases, generate
from supportagentbench.world.folder import read_world

RUNS = 3
FAULTS = (
    "rate_limited=0.05,broken_json=0.02,dropped=0.01,retry_after=0.2,latency=0.02,down_at=1500,down_for=10"
)
WORST = (
    *("error_in_200", "bad_utf8", "deep_json", "gzip_bomb", "bad_gzip"),
    *("huge_length", "html_page", "null_name", "odd_types", "padded"),
)
"""What each of them is, is told in `src/supportagentbench/fake_provider/faults.py`."""
WORST_FAULTS = ",".join(f"{fault}=0.0125" for fault in WORST)
MODELS = (
    "openai:gpt-4o",
    "openai:gpt-5.4,api=responses,effort=low",
    "anthropic:claude-sonnet-4-5,effort=low",
)
"""One per dialect; those that can, reason."""
BUCKETS = ("input", "cache_read", "cache_write", "output", "reasoning")
SPOILED = ("dropped", "truncated", "gone", *UNREADABLE)


class Entry(NamedTuple):
    """One thing counted twice: by us, and by the provider."""

    what: str
    ours: int
    theirs: int


def usages(folder: Path) -> list[Usage]:
    """Every recorded model call."""
    return [
        usage
        for run in find_runs([folder])
        for filed in read_transcripts(run)
        for turn in filed.transcript.turns
        for usage in turn.usage
    ]


def books(done: JobResult, spent: list[Usage], theirs: RequestCounts) -> Iterator[Entry]:
    """Our records next to the provider's counts."""
    planned = sum(len(header.cases) for header in done.headers)
    yield Entry("conversations planned, by ending", done.endings.total(), planned)
    yield Entry("requests", sum(usage.attempts for usage in spent), theirs.requests)
    spoiled = sum(theirs.outcomes.get(outcome, 0) for outcome in SPOILED)
    yield Entry("replies spoiled on the way", sum(usage.lost for usage in spent), spoiled)
    for bucket in BUCKETS:
        ours = sum(getattr(usage, bucket) for usage in spent)
        yield Entry(f"tokens, {bucket}", ours, getattr(theirs.whole, bucket))


def balance(cases: DrawnCases, model: str, faults: str, runs: int) -> bool:
    """Run the job and print both accounts; returns whether they balance."""
    with Served(faults) as served, tempfile.TemporaryDirectory() as out:
        agent = f"{model},base_url={served.url}/v1"
        spec = JobSpec("northline", (agent,), "core", runs, out=Path(out), concurrency=50)
        job = Job(spec, {cases.seed.name: cases})
        done = drive(run_job(job, (), Interrupt(print)))
        theirs = served.counts().total
        entries = list(books(done, usages(Path(out)), theirs))
    print(f"{model}: {counted(Counter(theirs.outcomes))}")
    print(f"{'':34}{'ours':>12}{'provider':>12}")
    for entry in entries:
        remark = "" if entry.ours == entry.theirs else f"  off by {entry.ours - entry.theirs}"
        print(f"{entry.what:34}{entry.ours:12,}{entry.theirs:12,}{remark}")
    print(f"endings: {counted(done.endings)}\n")
    for words in done.paused:
        print(words)
    return all(entry.ours == entry.theirs for entry in entries) and "missing" not in done.endings


def counted(counts: Counter[str]) -> str:
    return ", ".join(f"{number} {what.replace('_', ' ')}" for what, number in counts.most_common())


def main() -> None:
    """Print the accounts of all dialects; exit 1 if any number differs."""
    os.environ["OPENAI_API_KEY"] = os.environ["ANTHROPIC_API_KEY"] = "loopback"
    cases = generate(read_world("northline"))
    balanced = [balance(cases, model, FAULTS, RUNS) for model in MODELS]
    balanced += [balance(cases, model, WORST_FAULTS, 1) for model in MODELS]
    print("all accounted for" if all(balanced) else "NOT all accounted for")
    sys.exit(not all(balanced))


if __name__ == "__main__":
    main()
