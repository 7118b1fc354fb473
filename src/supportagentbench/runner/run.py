"""Run: one agent over many cases, several conversations at a time, each stored as it finishes."""

import asyncio
import time
from collections.abc import Callable
from contextvars import ContextVar
from pathlib import Path

from supportagentbench.agents import AgentFactory
from supportagentbench.concurrency.circuit_breaker import CircuitBreaker
from supportagentbench.customer.voice import Voice
from supportagentbench.models.answer_cache import AnswerCache
from supportagentbench.records.case import Case, Statement
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import digest
from supportagentbench.records.run import Channel, RuleText, Run
from supportagentbench.records.transcript import Ending, Transcript, Turn
from supportagentbench.records.version import __version__
from supportagentbench.runner.conversation import TURN_LIMIT, converse
from supportagentbench.runner.observer import RunObserver, SilentObserver
from supportagentbench.storage.archive import RunWriter
from supportagentbench.storage.inventory import Inventory
from supportagentbench.world.generate import CaseSet
from supportagentbench.world.measure import placeholders_in
from supportagentbench.world.policy import Policy, RuleStatement

CURRENT: ContextVar[tuple[Run, str]] = ContextVar("CURRENT")
"""Run and case of the conversation in the current task, for code too deep to be passed them."""


def header_of(
    cases: CaseSet,
    set_name: str,
    agent: str,
    voice: Voice,
    run: int,
    seed: int,
    sampling: dict[str, str | bool | int | float] | None = None,
    prices: str = "",
    channel: Channel = "email",
) -> Run:
    """Everything needed to run the same conversations again."""
    return Run(
        agent=agent,
        run=run,
        world=cases.world.name,
        world_digest=cases.world.digest,
        policy_digest=cases.world.policy.digest,
        policy=cases.world.instructions(channel),
        today=cases.world.desk.today,
        set=set_name,
        cases=cases.names(set_name),
        case_seed=cases.seed.name,
        seed=seed,
        customer=voice.name,
        turn_limit=TURN_LIMIT,
        package=__version__,
        rules=rules_of(cases.world.policy),
        vocabulary=cases.world.vocabulary,
        channel=channel,
        sampling=sampling or {},
        prices=prices,
    )


def rules_of(policy: Policy) -> tuple[RuleText, ...]:
    """The rules, as far as a judge needs them."""
    return tuple(
        RuleText(
            id=rule.id,
            text=rule.text.strip(),
            general=not rule.when,
            checks=rule.checked_by,
            requires=rule.require,
            tells=tuple(_in_english(one) for one in rule.tell if not one.asked),
        )
        for rule in policy.rules
    )


def _in_english(due: RuleStatement) -> Statement:
    """A statement as far as it is the same for everybody."""
    lines = "\n".join(due.says.get(name, "") for name in ("*", "en")).splitlines()
    return Statement(due.about, tuple(line.strip() for line in lines if line and not placeholders_in(line)))


def _provider_error(ending: Ending) -> str:
    """The provider's own words, if a provider ended the conversation."""
    return ending.detail if ending.cause in ("provider_error", "customer_error") else ""


async def run_agent(
    cases: CaseSet,
    header: Run,
    factory: AgentFactory,
    voice: Voice,
    root: Path,
    *,
    concurrency: int,
    observer: RunObserver = SilentObserver(),  # noqa: B008
    may_begin: Callable[[], bool] = lambda: True,
    inventory: Inventory | None = None,
) -> RunWriter:
    """Run every conversation of this run that is not stored yet, as long as new ones may begin."""
    with (
        RunWriter(root, header, inventory) as writer,
        AnswerCache(writer.folder, set(writer.missing())) as cache,
    ):
        waiting, breaker = iter(writer.missing()), CircuitBreaker()
        observer.opened(header, writer.finished)

        async def work() -> None:
            for name in waiting:
                if breaker.is_open or not may_begin():
                    return
                CURRENT.set((header, name))
                cache.open(name)
                observer.began(header, name)
                started, clock = time.time(), time.perf_counter()
                transcript = await _one(cases, cases.cases[name], header, factory, voice, observer)
                filed = writer.add(transcript, started=started, seconds=time.perf_counter() - clock)
                cache.finish(name)
                breaker.record(_provider_error(transcript.ending))
                observer.filed(header, filed)
                await asyncio.sleep(0)  # Agents that never wait would block the other conversations.

        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(concurrency):
                    group.create_task(work())
        except* Problem as problems:
            raise problems.exceptions[0] from None
        if not writer.missing():
            cache.discard()
    if breaker.is_open:
        raise Problem(
            f"{header.agent} is paused: {breaker.THRESHOLD} conversations in a row failed with the same "
            f"error ({breaker.error}). Fix it, then run the same command to resume."
        )
    return writer


async def _one(
    cases: CaseSet, case: Case, header: Run, factory: AgentFactory, voice: Voice, observer: RunObserver
) -> Transcript:
    def hear(turn: Turn) -> None:
        observer.heard(header, case.id, turn)

    seed = int(digest([header.seed, header.run, case.id]), 16) % 2**31
    return await converse(
        case,
        factory(seed),
        cases.session_for(case, header.channel),
        voice,
        run=header.run,
        seed=header.seed,
        start=cases.start_of(case),
        reader=cases.reader,
        channel=header.channel,
        hear=hear if observer.hears else None,
    )
