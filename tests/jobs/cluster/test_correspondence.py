"""What the driver makes of a worker's letters: written down before it answers, and believed only so far."""

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from conversations import HEADER
from filed import solved
from supportagentbench.jobs.cluster.correspondence import ClusterJob, Correspondence
from supportagentbench.jobs.cluster.leases import Lender
from supportagentbench.jobs.cluster.letters import (
    AnswerLetter,
    AnyLetter,
    AskLetter,
    CostLetter,
    GrantOrder,
    NotedOrder,
    NoteLetter,
    OpenLetter,
    Order,
    PlayedLetter,
    PlayOrder,
    ProblemLetter,
    RetryLetter,
    RiskLetter,
    StopOrder,
    TurnLetter,
)
from supportagentbench.jobs.spec import JobSpec
from supportagentbench.models import Completion
from supportagentbench.models.budget import Budget
from supportagentbench.models.http_client import Retry
from supportagentbench.records.problem import Problem
from supportagentbench.records.transcript import Transcript
from supportagentbench.records.usage import Usage
from supportagentbench.runner.play import Played, PlayerLost, PlayTask

CASE = "damaged_no_proof-1-twin"
TASK = PlayTask("test", 1, "0", CASE)
ANSWER = Completion("Hello.", Usage("m"))
PLAYED = Played(solved(CASE), 2.0, 1.0, (), None)


def other(**changed: object) -> PlayedLetter:
    """A conversation that is not the one."""
    return PlayedLetter(1, PLAYED._replace(transcript=replace(PLAYED.transcript, **changed)))


class Driver:
    """The driver of one worker: what it has sent, and what was stored."""

    def __init__(self) -> None:
        self.budget = Budget(1.0)
        self.retries: list[tuple[PlayTask, Retry]] = []
        self.sent: list[Order] = []
        self.stored: list[Any] = []
        spec = JobSpec("northline", ("test",), cluster="local")
        lender = Lender(self.budget, 8)
        on_retry = lambda task, retry: self.retries.append((task, retry))  # noqa: E731
        job = ClusterJob(spec, {"test": HEADER}, lender, on_retry, wants_turns=True)
        self.letters = Correspondence(job, self.send)

    def send(self, orders: Sequence[Order]) -> None:
        self.sent += orders

    async def begun(self, note: Callable[[Transcript, float], None] | None = None) -> "asyncio.Task[Played]":
        def keep(key: str, completion: Completion) -> None:
            self.stored.append((key, completion))

        note = note or (lambda so_far, started: self.stored.append((so_far, started)))
        task = asyncio.create_task(self.letters.play(TASK, self.stored.append, keep, note))
        await self.turn()
        return task

    async def turn(self) -> None:
        for _ in range(5):
            await asyncio.sleep(0)


def in_loop(test: Callable[[Driver], Coroutine[Any, Any, None]]) -> None:
    async def main() -> None:
        await test(Driver())

    asyncio.run(main())


def test_a_conversation_from_its_order_to_its_end() -> None:
    async def test(driver: Driver) -> None:
        task = await driver.begun()
        assert driver.sent == [PlayOrder(1, TASK)]
        turn, retry = PLAYED.transcript.turns[0], Retry("busy", 1, 8, 0.5)
        for letter in (
            TurnLetter(1, turn),
            AnswerLetter(1, "key", ANSWER),
            RetryLetter(1, retry),
            NoteLetter(1, PLAYED.transcript, 2.0),
            PlayedLetter(1, PLAYED),
        ):
            driver.letters.read(letter)
        assert driver.stored == [turn, ("key", ANSWER), (PLAYED.transcript, 2.0)]
        assert await task == PLAYED and driver.letters.was_useful
        assert driver.retries == [(TASK, retry)] and driver.sent[1:] == [NotedOrder(1)]
        driver.letters.read(PlayedLetter(1, PLAYED))  # Nobody waits for it any more.
        await driver.turn()
        assert driver.sent[1:] == [NotedOrder(1)], "what is over is not stopped"

    in_loop(test)


def test_a_change_that_cannot_be_written_down_is_refused_and_ends_the_conversation() -> None:
    async def test(driver: Driver) -> None:
        def full(so_far: Transcript, started: float) -> None:
            raise Problem("the disk is full.")

        task = await driver.begun(full)
        driver.letters.read(NoteLetter(1, PLAYED.transcript, 2.0))
        with pytest.raises(Problem, match="the disk is full"):
            await task
        await driver.turn()
        assert driver.sent == [PlayOrder(1, TASK), NotedOrder(1, "the disk is full."), StopOrder(1)]

    in_loop(test)


def test_a_cancelled_conversation_is_stopped_and_what_it_still_notes_is_refused() -> None:
    async def test(driver: Driver) -> None:
        task = await driver.begun()
        task.cancel()
        driver.letters.read(NoteLetter(1, PLAYED.transcript, 2.0))  # Before the cancelled task gets its turn.
        await driver.turn()
        driver.letters.read(NoteLetter(1, PLAYED.transcript, 2.0))
        await driver.turn()
        refused = NotedOrder(1, "the conversation was ended before this was noted.")
        assert task.cancelled() and not driver.stored
        assert driver.sent == [PlayOrder(1, TASK), refused, StopOrder(1), refused]

    in_loop(test)


@pytest.mark.parametrize(
    ("letter", "words"),
    [
        (ProblemLetter(1, "no such case"), "no such case"),
        (
            PlayedLetter(1, PLAYED._replace(transcript=replace(PLAYED.transcript, case="vip_skip-1"))),
            "in place",
        ),
        (other(run=2), "in place of"),
        (other(seed=2), "in place of"),
        (NoteLetter(1, replace(PLAYED.transcript, turns=()), 2.0), "has no message of a customer"),
    ],
)
def test_what_was_not_asked_for_is_not_stored(letter: AnyLetter, words: str) -> None:
    async def test(driver: Driver) -> None:
        task = await driver.begun()
        driver.letters.read(letter)
        with pytest.raises(Problem, match=words):
            await task
        assert not driver.stored and not driver.letters.was_useful
        await driver.turn()
        assert driver.sent[-1] == StopOrder(1)
        refusals = [order.refusal for order in driver.sent if isinstance(order, NotedOrder)]
        assert len(refusals) == isinstance(letter, NoteLetter) and all(words in one for one in refusals)

    in_loop(test)


def test_of_a_lost_worker_everything_is_settled_and_its_conversations_go_elsewhere() -> None:
    async def test(driver: Driver) -> None:
        task = await driver.begun()
        driver.letters.read(AskLetter(1, dollars=0.4))
        driver.letters.read(CostLetter(0.1))
        driver.letters.read(RiskLetter(0.2))
        await driver.turn()
        assert driver.sent[1:] == [GrantOrder(1, "")]
        driver.letters.close()
        assert not task.done(), "first it is decided who is to blame"
        driver.letters.give_up()
        with pytest.raises(PlayerLost):
            await task
        await driver.turn()
        assert driver.sent[2:] == [], "another worker may be in its place by now"
        assert driver.budget.spent == 0.1 and driver.budget.at_risk == pytest.approx(0.6)

    in_loop(test)


def test_orders_leave_once_together_or_with_the_next_question_for_letters() -> None:
    async def test(driver: Driver) -> None:
        task = asyncio.create_task(driver.letters.play(TASK, None, lambda *given: None, None))
        await asyncio.sleep(0)
        driver.letters.read(NoteLetter(1, PLAYED.transcript, 2.0))
        assert driver.letters.take_orders() == [PlayOrder(1, TASK), NotedOrder(1)]
        await driver.turn()
        assert driver.sent == []
        task.cancel()

    in_loop(test)


def test_a_worker_that_would_play_anything_else_is_refused() -> None:
    async def test(driver: Driver) -> None:
        driver.letters.check([OpenLetter((HEADER,))])
        for letters, words in (
            ([OpenLetter(problem="openai: needs a key.")], "cannot play: openai: needs a key"),
            ([OpenLetter()], "has no agent called test"),
            ([OpenLetter((replace(HEADER, package="0.0.1"),))], "with another package; give all machines"),
            ([OpenLetter((replace(HEADER, hosts={"agent": "a"}, seed=9),))], "another seed and hosts"),
        ):
            with pytest.raises(Problem, match=words):
                driver.letters.check(letters)
        with pytest.raises(Problem, match="opened twice"):
            driver.letters.read(OpenLetter((HEADER,)))

    in_loop(test)
