"""Run: one agent over many cases, several conversations at a time, each on file as it finishes."""

import asyncio
import time
from collections.abc import Callable
from contextvars import ContextVar
from pathlib import Path

from supportagentbench import __version__
from supportagentbench.agents import AgentFactory
from supportagentbench.customer.voice import Voice
from supportagentbench.models.answer_cache import AnswerCache
from supportagentbench.records.case import Case
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import digest
from supportagentbench.records.run import RuleText, Run
from supportagentbench.records.transcript import Ending, Transcript, Turn
from supportagentbench.runner.circuit_breaker import CircuitBreaker
from supportagentbench.runner.conversation import TURN_LIMIT, converse
from supportagentbench.runner.observer import RunObserver
from supportagentbench.storage.archive import RunWriter
from supportagentbench.world.generate import CaseSet
from supportagentbench.world.policy import Policy

HELD: ContextVar[tuple[Run, str]] = ContextVar("HELD")
"""The conversation that the present task holds, for those too far down to be told."""


def header_of(
    cases: CaseSet,
    set_name: str,
    agent: str,
    voice: Voice,
    run: int,
    seed: int,
    sampling: dict[str, str | int | float] | None = None,
    prices: str = "",
) -> Run:
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
        rules=rules_of(cases.world.policy),
        vocabulary=cases.world.vocabulary,
        sampling=sampling or {},
        prices=prices,
    )


def rules_of(policy: Policy) -> tuple[RuleText, ...]:
    """Every rule as far as a judge needs it."""
    return tuple(
        RuleText(
            id=rule.id,
            text=rule.text.strip(),
            general=not rule.when,
            checks=rule.checked_by,
            requires=rule.require,
            tells=bool(rule.tell),
        )
        for rule in policy.rules
    )


def _complaint(ending: Ending) -> str:
    """A provider's own words, if it was a provider that ended a conversation."""
    return ending.detail if ending.cause in ("provider_error", "customer_error") else ""


async def run_agent(
    cases: CaseSet,
    header: Run,
    hire: AgentFactory,
    voice: Voice,
    root: Path,
    *,
    at_once: int,
    watch: RunObserver = RunObserver(),  # noqa: B008
    may_begin: Callable[[], bool] = lambda: True,
) -> RunWriter:
    """Hold every conversation of this run that is not on file yet, while new ones may begin."""
    with RunWriter(root, header) as writer, AnswerCache(writer.folder, set(writer.missing())) as receipts:
        waiting, fuse = iter(writer.missing()), CircuitBreaker()
        watch.opened(header, writer.finished)

        async def work() -> None:
            for name in waiting:
                if fuse.is_blown or not may_begin():
                    return
                HELD.set((header, name))
                receipts.open(name)
                watch.began(header, name)
                started, clock = time.time(), time.perf_counter()
                transcript = await _one(cases, cases.cases[name], header, hire, voice, watch)
                filed = writer.add(transcript, started=started, seconds=time.perf_counter() - clock)
                receipts.settle(name)
                fuse.note(_complaint(transcript.ending))
                watch.filed(header, filed)
                await asyncio.sleep(0)  # Agents that never wait would let nobody else have a turn.

        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(at_once):
                    group.create_task(work())
        except* Problem as problems:
            raise problems.exceptions[0] from None
        if not writer.missing():
            receipts.discard()
    if fuse.is_blown:
        raise Problem(
            f"{header.agent} is paused: five conversations in a row broke off with the same words "
            f"({fuse.words}); mend that and run the same command again."
        )
    return writer


async def _one(
    cases: CaseSet, case: Case, header: Run, hire: AgentFactory, voice: Voice, watch: RunObserver
) -> Transcript:
    def hear(turn: Turn) -> None:
        watch.heard(header, case.id, turn)

    seed = int(digest([header.seed, header.run, case.id]), 16) % 2**31
    return await converse(
        case,
        hire(seed),
        cases.session_for(case),
        voice,
        run=header.run,
        seed=header.seed,
        start=cases.start_of(case),
        hear=hear if watch.hears else None,
    )
