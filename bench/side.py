"""Side: one of several ways to run the same conversations, measured in a process of its own."""

import asyncio
import importlib
import multiprocessing
import os
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import NamedTuple, ParamSpec, TypeVar

from served import counts_at

from supportagentbench.calibration.oracle import Oracle
from supportagentbench.customer.voice import ScriptedVoice
from supportagentbench.desk import Agent
from supportagentbench.desk.doors.house import HouseSeat
from supportagentbench.records.case import Case
from supportagentbench.records.record import to_json
from supportagentbench.records.transcript import Transcript
from supportagentbench.runner.conversation import Sitting, hold
from supportagentbench.runner.run import header_of, run_agent
from supportagentbench.world.drawn_cases import DrawnCases, generate
from supportagentbench.world.folder import read_world

Given = ParamSpec("Given")
Made = TypeVar("Made")

MODEL = "gpt-4o"
"""A model that every price table has; the fake provider ignores the name."""

Said = dict[str, list[str]]
"""Every conversation by run and case: tool calls and texts in order."""

Tell = Callable[[], Said]
"""Returned by a side, so that reading its records is not part of the measurement."""


class Work(NamedTuple):
    """The conversations to run."""

    cases: DrawnCases
    set_name: str
    runs: int
    url: str
    concurrency: int
    out: Path


class Measured(NamedTuple):
    """What it cost."""

    calls: int
    said: Said
    cpu: float
    wall: float
    megabytes: float


def in_new_process(work: Callable[Given, Made], *given: Given.args, **named: Given.kwargs) -> Made:
    """Call a function in a fresh process."""
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=spawn) as child:
        return child.submit(work, *given, **named).result()


def measure(side: str, url: str, set_name: str, runs: int, concurrency: int) -> Measured:
    """Let a side run the conversations. `side` is a module here with a function `run_work(work)`."""
    os.environ["OPENAI_API_KEY"] = "loopback"
    run_work: Callable[[Work], Tell] = importlib.import_module(side).run_work
    cases = generate(read_world("northline"))
    with tempfile.TemporaryDirectory() as out:
        # What is loaded, compiled or looked up once is no part of any call.
        embedded_run(cases, set_name, 1, Path(out))
        run_work(Work(cases, "twins", 1, url, concurrency, Path(out) / "warm"))
        before = counts_at(url).total.requests
        wall, cpu = time.perf_counter(), time.process_time()
        tell = run_work(Work(cases, set_name, runs, url, concurrency, Path(out) / "runs"))
        cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
        calls = counts_at(url).total.requests - before
        return Measured(calls, tell(), cpu, wall, peak_megabytes())


def embedded_run(cases: DrawnCases, set_name: str, runs: int, out: Path) -> None:
    """Runs of the oracle, without any model."""
    voice = ScriptedVoice()
    for run in range(1, runs + 1):
        header = header_of(cases, set_name, "oracle", voice, run, 0)
        asyncio.run(run_agent(cases, header, partial(Oracle, cases.world), voice, out, concurrency=50))


def peak_megabytes() -> float:
    """Peak memory of this process; `getrusage` would include its parent's."""
    status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    return int(status["VmHWM"].split()[0]) / 1024


async def talk_of(work: Work, case: Case, run: int, agent: Agent) -> Transcript:
    """One conversation between a side's own agent and the harness's customer, desk and endings."""
    return await hold(work.cases, case, HouseSeat(agent), ScriptedVoice(), Sitting(run))


def said_in(transcript: Transcript) -> list[str]:
    """Tool calls and texts in order."""
    said: list[str] = []
    for turn in transcript.turns:
        said += [f"{call.tool} {to_json(call.arguments).decode()}" for call in turn.calls]
        said.append(turn.text)
    return said
