"""Run: one agent over many cases, several conversations at a time, each on file as it finishes."""

import asyncio
import time
from collections.abc import Callable
from pathlib import Path

from supportagentbench import __version__
from supportagentbench.agents import Hire
from supportagentbench.archive import RunWriter
from supportagentbench.case import Case
from supportagentbench.problem import Problem
from supportagentbench.record import digest
from supportagentbench.talk.conversation import TURN_LIMIT, converse
from supportagentbench.talk.voice import Voice
from supportagentbench.transcript import Run, Transcript
from supportagentbench.world.generate import CaseSet

Watcher = Callable[[int], None]
"""Told how many conversations are on file so far."""


def header_of(cases: CaseSet, set_name: str, agent: str, voice: Voice, run: int, seed: int) -> Run:
    """What has to be known to hold the same conversations again."""
    return Run(
        agent=agent,
        run=run,
        world=cases.world.name,
        world_digest=cases.world.digest,
        policy_digest=cases.world.policy.digest,
        policy=cases.world.instructions,
        today=cases.world.desk.today,
        set=set_name,
        cases=tuple(case.id for case in cases.named(set_name)),
        case_seed=cases.seed.name,
        seed=seed,
        customer=voice.name,
        turn_limit=TURN_LIMIT,
        package=__version__,
    )


async def run_agent(
    cases: CaseSet,
    header: Run,
    hire: Hire,
    voice: Voice,
    root: Path,
    *,
    at_once: int,
    watch: Watcher,
) -> RunWriter:
    """Hold every conversation of this run that is not on file yet."""
    with RunWriter(root, header) as writer:
        gate = asyncio.Semaphore(at_once)
        watch(len(writer.finished))

        async def hold(case: Case) -> None:
            async with gate:
                started, clock = time.time(), time.perf_counter()
                transcript = await _one(cases, case, header, hire, voice)
                writer.add(transcript, started=started, seconds=time.perf_counter() - clock)
                watch(len(writer.finished))

        try:
            async with asyncio.TaskGroup() as group:
                for name in writer.missing():
                    group.create_task(hold(cases.cases[name]))
        except* Problem as problems:
            raise problems.exceptions[0] from None
    return writer


async def _one(cases: CaseSet, case: Case, header: Run, hire: Hire, voice: Voice) -> Transcript:
    seed = int(digest([header.seed, header.run, case.id]), 16) % 2**31
    return await converse(
        case,
        hire(seed),
        cases.desk_for(case),
        voice,
        run=header.run,
        seed=header.seed,
        start=cases.start_of(case),
    )
