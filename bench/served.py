"""Served: the fake provider in a process of its own, so that its CPU time is not counted as ours."""

import subprocess
import sys
import urllib.request
from types import TracebackType
from typing import Self

from supportagentbench.fake_provider.counts import Counts
from supportagentbench.records.record import from_json

START = "from supportagentbench.cli.main import main; main()"


class Served:
    """`with Served("latency=0.1") as served`, then ask `served.url`; all dialects are below `/v1`."""

    def __init__(self, faults: str = "") -> None:
        self.faults = faults

    def __enter__(self) -> Self:
        self._process = subprocess.Popen(
            [sys.executable, "-c", START, "fake", "--faults", self.faults],
            stdout=subprocess.PIPE,
            text=True,
        )
        if self._process.stdout is None or not (line := self._process.stdout.readline()):
            raise RuntimeError("the fake provider did not start")
        self.url = line.strip()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.terminate()
        self._process.wait()
        if self._process.stdout:
            self._process.stdout.close()

    def counts(self) -> Counts:
        """What it received and sent so far."""
        return counts_at(self.url)


def counts_at(url: str) -> Counts:
    """What the provider at this URL received and sent so far."""
    with urllib.request.urlopen(f"{url}/counts") as answer:
        return from_json(answer.read(), Counts)
