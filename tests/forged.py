"""Forged runs: genuine runs of a model over a loopback wire, and what a forger makes of them."""

import json
from collections.abc import Callable
from pathlib import Path
from shutil import copytree
from typing import Any

from msgspec import Raw
from msgspec.structs import replace

from supportagentbench.concurrency.event_loop import drive
from supportagentbench.concurrency.interrupt import Interrupt
from supportagentbench.fake_provider.faults import Faults
from supportagentbench.fake_provider.provider import FakeProvider
from supportagentbench.jobs.job import open_job
from supportagentbench.jobs.run import JobResult, run_job
from supportagentbench.jobs.spec import JobSpec
from supportagentbench.records.record import digest, from_json, to_json
from supportagentbench.records.transcript import Transcript, Turn
from supportagentbench.storage.archive import HEADER
from supportagentbench.storage.transcripts import TRANSCRIPTS, ArchiveLine

SET = "damaged_no_proof,used_item"
"""Two traps with their twins."""

MODEL = "openai:gpt-5"


def model_run(out: Path, *, customer: str = "", faults: Faults | None = None, **asked: Any) -> JobResult:
    """Run a model of a provider on this machine, with a scripted customer or one of a model there."""

    async def main() -> JobResult:
        async with FakeProvider(None, faults or Faults()) as provider:
            agent = f"{MODEL},base_url={provider.url}/v1"
            spec = JobSpec("northline", (agent,), SET, out=out, name="sold-model")
            if customer:
                spec = spec.with_(customer=f"{customer},base_url={provider.url}/v1")
            return await run_job(open_job(spec.with_(**asked)), (), Interrupt(print))

    return drive(main())


Forgery = Callable[[Transcript], Transcript | None]
"""Gets a conversation and returns another one; None: it is taken out."""


def forged(
    source: Path, out: Path, change: Forgery = lambda one: one, *, clock: bool = True, **header: Any
) -> Path:
    """A copy of a run with changed conversations under fitting digests, and a changed header."""
    copy = Path(copytree(source, out))
    data = json.loads((copy / HEADER).read_bytes()) | header
    (copy / HEADER).write_text(json.dumps(data))
    lines = []
    for written in (copy / TRANSCRIPTS).read_bytes().splitlines():
        line = from_json(written, ArchiveLine)
        if made := change(from_json(bytes(line.transcript), Transcript)):
            body = to_json(made)
            made_line = replace(line, digest=digest(body), transcript=Raw(body))
            lines.append(to_json(made_line if clock else replace(made_line, clock=())) + b"\n")
    (copy / TRANSCRIPTS).write_bytes(b"".join(lines))
    return copy


def in_turns(change: Callable[[Turn], Turn]) -> Forgery:
    """The same change in every turn."""
    return lambda one: replace(one, turns=tuple(map(change, one.turns)))


def of_agent(change: Callable[[Turn], Turn]) -> Forgery:
    """The same change in every turn of the agent."""
    return in_turns(lambda turn: change(turn) if turn.party == "agent" else turn)


def of_customer(change: Callable[[Turn], Turn]) -> Forgery:
    """The same change in every turn of the customer but the first."""
    return in_turns(lambda turn: change(turn) if turn.conduct and "open" not in turn.conduct.moves else turn)
