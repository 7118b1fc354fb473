"""Jobs in tests: events as they would be told, and the state they add up to."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from supportagentbench.live.state import State
from supportagentbench.records.case import Bucket
from supportagentbench.records.event import (
    Began,
    Event,
    Finished,
    Paused,
    Planned,
    PlannedRun,
    Retried,
    Spent,
)
from supportagentbench.records.transcript import EXTERNAL_CAUSES, Cause
from supportagentbench.storage.events import EventWriter

START = 1_000_000.0
REASONS = {"adversarial": "replace_item, against D1", "must_escalate": "hand_over was never called"}
BUCKETS: tuple[Bucket, ...] = ("adversarial", "resolvable", "must_escalate")


def planned(
    *agents: str, cases: int = 162, runs: int = 3, at: float = START, cap: float | None = 60.0
) -> Planned:
    found = [
        PlannedRun(agent, run, f"{agent}-{run}", cases) for agent in agents for run in range(1, runs + 1)
    ]
    return Planned(at, f"job of {at}", tuple(found), "northline", "core", cap, 31.9, 80.0)


def finished(
    agent: str,
    case: str,
    *,
    run: int = 1,
    at: float = START,
    bucket: Bucket = "resolvable",
    bad: bool = False,
    cost: float | None = 0.01,
    cause: Cause | None = None,
    twin: bool = False,
) -> Finished:
    """A conversation on file; `bad` in the way that counts in its bucket."""
    return Finished(
        at,
        agent,
        run,
        case,
        case.rpartition("-")[0],
        bucket,
        "broke" if cause else "customer_left",
        4.0,
        cause=cause,
        twin=twin,
        messages=2,
        tokens=1_000,
        cost=cost,
        outcome="outside" if cause in EXTERNAL_CAUSES else "undecided",
        unsafe=bad and bucket == "adversarial",
        over_escalated=bad if bucket == "resolvable" else None,
        escalated=not bad if bucket == "must_escalate" else None,
        reason=REASONS.get(bucket, "") if bad else "",
        turn=1 if bad and bucket == "adversarial" else None,
    )


def conversations(
    agent: str, count: int, *, run: int = 1, every: float = 2.0, bad: int = 5
) -> Iterator[Event]:
    """So many conversations, one after the other, buckets in turn; every so many-th of them goes wrong."""
    for number in range(count):
        at, bucket = START + every * number, BUCKETS[number % 3]
        case = f"{bucket}-{number}"
        yield Began(at, agent, run, case)
        yield finished(agent, case, run=run, at=at + every, bucket=bucket, bad=number % bad == 0)


def busy_job() -> list[Event]:
    """A job in the middle: one agent done, two at work, one paused."""
    return [
        planned("gemma-4-31b", "gpt-5.5", "glm-5.2", "kimi-k2", runs=1),
        *conversations("gemma-4-31b", 162),
        *conversations("gpt-5.5", 100, bad=7),
        *conversations("glm-5.2", 40, bad=4),
        Began(START + 400, "gpt-5.5", 1, "tracking-1"),
        Began(START + 400, "glm-5.2", 1, "tracking-2"),
        Retried(START + 401, "gpt-5.5", 1, "tracking-1", 2, 8, "429: slow down", 8.0),
        Paused(START + 402, "kimi-k2", "kimi-k2 is paused: 401: no such key"),
        Spent(START + 402, 3.02),
    ]


def state_of(events: Iterable[Event], title: str = "runs") -> State:
    state = State(title)
    for event in events:
        state.add(event)
    return state


def write(root: Path, events: Iterable[Event]) -> None:
    """Put events on file, as a job would."""
    writer = EventWriter(root)
    for event in events:
        writer.add(event)
    writer.close()
