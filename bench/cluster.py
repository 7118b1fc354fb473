"""What a Ray cluster costs and what it survives: speed, losses at random moments, memory. Needs Ray.

Speed: embedded conversations in this process and on two and four actors; Ray's start-up apart. Losses: a
worker killed by its pid, a machine removed (simulated), the driver killed with -9 and started again, with 200
conversations in flight whose model answers cost money; an argument sets how often each, 10 by default.
Budget: a worker is killed under a limit that the job reaches. Memory: of the driver, over 10,080
conversations.
"""

import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

from served import START, Served

from supportagentbench.concurrency.process_tree import descendants
from supportagentbench.models.prices import dollars
from supportagentbench.records.usage import Usage
from supportagentbench.storage.archive import find_runs
from supportagentbench.storage.transcripts import BROKEN, Filed, read_transcripts, stored_lines

MODEL = "gpt-4o"
IN_FLIGHT = 200
RUNS = 3
PLANNED = 162 * RUNS
REQUESTS = 3_400
"""About what all conversations need."""

Harm = Callable[["Trial"], None]


def sab(out: Path, *words: str, **more: str) -> "subprocess.Popen[bytes]":
    """`sab run` in a process of its own; what it prints goes to a file."""
    log = (out.parent / f"{out.name}.log").open("ab")
    command = [sys.executable, "-c", START, "run", *words, "--out", str(out), "--yes", "--display", "plain"]
    return subprocess.Popen(command, stdout=log, stderr=log, env=os.environ | more, start_new_session=True)


def stored(out: Path) -> dict[str, Filed]:
    """What is finished; a conversation that is stored twice would be refused."""
    folders = find_runs([out]) if any(out.glob("*/run.json")) else []
    return {
        f"{folder.name} {filed.transcript.case}": filed
        for folder in folders
        for filed in read_transcripts(folder)
    }


def span(out: Path) -> float:
    """Seconds from the first conversation's start to the last one's end."""
    found = stored(out).values()
    return max(one.started + one.seconds for one in found) - min(one.started for one in found)


def speed(folder: Path) -> None:
    """Milliseconds per conversation, here and on actors."""
    here = 0.0
    for title in ("", "local:2", "local:4"):
        out = folder / f"speed-{title.partition(':')[2]}"
        began = time.monotonic()
        words = ["--cluster", title] if title else []
        if sab(out, "oracle", "--set", "core", "--runs", "6", "-j", "16", *words).wait():
            raise RuntimeError((folder / f"{out.name}.log").read_text())
        whole, each = time.monotonic() - began, span(out) / len(stored(out)) * 1000
        here = here or each
        apart = whole - span(out)
        print(
            f"{title or 'this process':14} {len(stored(out)):5} conversations, {each:5.2f} ms each, ratio "
            f"{each / here:4.2f}; start and end {apart:4.1f} s",
            flush=True,
        )


class Machines(NamedTuple):
    """A simulated cluster of two machines with one worker each; its head plays, too."""

    cluster: Any
    removable: list[Any]

    @classmethod
    @contextmanager
    def started(cls) -> Iterator["Machines"]:
        from ray.cluster_utils import Cluster

        cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
        try:
            yield cls(cluster, [cluster.add_node(num_cpus=1)])
        finally:
            cluster.shutdown()

    def replace_one(self) -> None:
        """Remove a machine at once, and add another."""
        self.cluster.remove_node(self.removable.pop(), allow_graceful=False)
        self.removable.append(self.cluster.add_node(num_cpus=1))


class Trial:
    """One job, and what befalls it."""

    def __init__(self, folder: Path, machines: Machines, served: Served, *words: str) -> None:
        self.machines = machines
        self.served = served
        self.out = folder / "runs"
        model = f"openai:{MODEL},base_url={served.url}/v1,max_tokens=500"
        self.words = [model, "--set", "core", "--runs", str(RUNS), "--customer", "scripted", *words]
        self.words += ["-j", str(IN_FLIGHT), "--cluster", "auto"]
        self.process = self.start()

    def start(self) -> "subprocess.Popen[bytes]":
        return sab(self.out, *self.words, RAY_ADDRESS=self.machines.cluster.address)

    @property
    def requests(self) -> int:
        return self.served.counts().total.requests

    def wait_for(self, requests: int) -> None:
        while self.process.poll() is None and self.requests < requests:
            time.sleep(0.02)

    def spent(self) -> float:
        """By the provider's own count, with every reply that nobody has read."""
        total = self.served.counts().total
        both = total.whole + total.spoiled
        usage = Usage(
            MODEL,
            input=both.input,
            cache_read=both.cache_read,
            cache_write=both.cache_write,
            output=both.output,
            reasoning=both.reasoning,
        )
        return dollars(usage, "openai", MODEL) or 0.0

    def recorded(self) -> int:
        """Requests that the archive knows of, those of attempts that were set aside included."""
        found = [one.transcript for one in stored(self.out).values()]
        for folder in find_runs([self.out]):
            found += [line.decoded().transcript for line in stored_lines(folder / BROKEN)]
        return sum(usage.attempts for one in found for turn in one.turns for usage in turn.usage)


def kill_worker(trial: Trial) -> None:
    """Kill one of the processes that play."""
    found = [pid for pid in descendants([os.getpid()]) if b"ray::Worker" in _command(pid)]
    if found:
        os.kill(random.choice(found), signal.SIGKILL)


def _command(pid: int) -> bytes:
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    return b""


def remove_machine(trial: Trial) -> None:
    """Remove a machine; another one comes."""
    trial.machines.replace_one()


def kill_driver(trial: Trial) -> None:
    """Kill the command and start it again."""
    trial.process.kill()
    trial.process.wait()
    trial.process = trial.start()


def losses(folder: Path, machines: Machines, times: int) -> bool:
    """Each harm so often, at a random moment; whether nothing was lost, stored twice or paid for twice."""
    good = True
    for harm in (kill_worker, remove_machine, kill_driver):
        lost, again, worst, codes = 0, 0, 0, list[int]()
        for number in range(times):
            with Served("latency=0.3,jitter=0.5") as served:
                place = folder / f"{harm.__name__}-{number}"
                place.mkdir()
                trial = Trial(place, machines, served, "--budget", "1000")
                trial.wait_for(random.randrange(50, int(REQUESTS * 0.9)))
                harm(trial)
                codes.append(trial.process.wait())
                lost += PLANNED - len(stored(trial.out))
                more = trial.requests - trial.recorded()
                again, worst = again + more, max(worst, more)
        good &= not lost and worst <= IN_FLIGHT and not any(codes)
        print(
            f"{harm.__name__:15} {times} times: {PLANNED * times} conversations, {lost} lost, none stored "
            f"twice; requests paid for again {again}, at most {worst} at once (limit {IN_FLIGHT}); "
            f"exit codes {sorted(set(codes))}",
            flush=True,
        )
    return good


def budget(folder: Path, machines: Machines, times: int) -> bool:
    """A worker is killed under a limit that the job reaches; whether no limit was exceeded."""
    shares, codes = [], set()
    for number in range(times):
        with Served("latency=0.3,jitter=0.5") as served:
            place = folder / f"budget-{number}"
            place.mkdir()
            limit = round(random.uniform(1, 6), 2)
            trial = Trial(place, machines, served, "--budget", str(limit))
            trial.wait_for(random.randrange(50, 600))
            kill_worker(trial)
            codes.add(trial.process.wait())
            shares.append(trial.spent() / limit)
    print(
        f"budget          {times} times: spent {min(shares):.1%} to {max(shares):.1%} of the limit by the "
        f"provider's count (limit 100%); exit codes {sorted(codes)}"
    )
    return max(shares) <= 1


def memory(folder: Path) -> None:
    """Megabytes of the driver over 10,080 conversations, here and on two actors."""
    for title in ("", "local:2"):
        out = folder / f"memory-{title.partition(':')[2]}"
        log = folder / f"{out.name}.log"
        words = ["--cluster", title] if title else []
        process = sab(out, "oracle", "--runs", "56", "-j", "50", *words)
        seen: dict[int, float] = {}
        while process.poll() is None:
            time.sleep(0.2)
            done = [int(found) for found in re.findall(rb"done=(\d+)/", log.read_bytes())]
            if done and done[-1] < 10_080:  # Then the results are read and shown.
                with suppress(OSError, KeyError):
                    seen[done[-1] // 2000] = _resident(process.pid)
        if process.returncode:
            raise RuntimeError(log.read_text())
        over_time = ", ".join(f"{mark * 2000:,} {size:.0f}" for mark, size in seen.items() if mark)
        print(f"memory {title or 'this process':13} MB after so many conversations: {over_time}", flush=True)


def _resident(pid: int) -> float:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return int(dict(line.split(":", 1) for line in lines)["VmRSS"].split()[0]) / 1024


def main() -> None:
    """Print all figures; exit 1 if anything was lost, paid for twice or spent above a limit."""
    times = int(sys.argv[1]) if sys.argv[1:] else 10
    parts = sys.argv[2:] or ["speed", "losses", "budget", "memory"]
    os.environ["OPENAI_API_KEY"] = "loopback"
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    good = True
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if "speed" in parts:
            speed(folder)
        if {"losses", "budget"} & {*parts}:
            with Machines.started() as machines:
                good &= "losses" not in parts or losses(folder, machines, times)
                good &= "budget" not in parts or budget(folder, machines, times)
        if "memory" in parts:
            memory(folder)
    sys.exit(not good)


if __name__ == "__main__":
    main()
