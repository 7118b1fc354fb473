"""Worker: plays conversations in a process of the cluster. Ray makes an actor of it.

The conversations run in a separate thread, so that one of them can wait until the driver has written down
what it changed, while the actor's own thread takes orders and hands out letters.
"""

import asyncio
import faulthandler
import sys
import threading
from collections import deque
from collections.abc import Sequence
from concurrent.futures import Future
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from functools import partial

from supportagentbench.concurrency.event_loop import drive
from supportagentbench.jobs.cluster.letters import (
    AnswerLetter,
    GrantOrder,
    Letter,
    NotedOrder,
    NoteLetter,
    OpenLetter,
    Order,
    PlayedLetter,
    PlayOrder,
    ProblemLetter,
    RetryLetter,
    StopOrder,
    TurnLetter,
    written,
)
from supportagentbench.jobs.cluster.permits import LentBudget, LentSlots, Permits
from supportagentbench.jobs.cluster.roster import PlayKey
from supportagentbench.jobs.job import open_job, opened_player
from supportagentbench.jobs.settle import find_code_here
from supportagentbench.jobs.spec import JobSpec
from supportagentbench.models.http_client import Retry
from supportagentbench.records.problem import Problem
from supportagentbench.records.secrets import sealed_output
from supportagentbench.records.transcript import Transcript
from supportagentbench.runner.play import Player, PlayTask, play

PARCEL = 16_000_000
"""Bytes of letters that are handed out at once, unless a single group has more."""

PATIENCE = 60.0
"""Seconds beyond the limit of a turn after which a process that does nothing else is given up."""


class Outbox:
    """Letters in order. All that are written before others get their turn are handed out together: what a
    request cost, the answer, and the end of its permits."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._written: list[bytes] = []
        self._groups: deque[list[bytes]] = deque()
        self._is_filled = asyncio.Event()

    def add(self, letter: Letter) -> None:
        """Write a letter, in the thread of the conversations."""
        if not self._written:
            asyncio.get_running_loop().call_soon(self.send)
        self._written.append(written(letter))

    def send(self) -> None:
        """Hand out what is written so far."""
        if self._written:
            self._loop.call_soon_threadsafe(self._deliver, self._written)
            self._written = []

    def _deliver(self, group: list[bytes]) -> None:
        self._groups.append(group)
        self._is_filled.set()

    async def fetch(self) -> list[bytes]:
        """Wait for letters."""
        await self._is_filled.wait()
        found = self._groups.popleft()
        while self._groups and sum(map(len, found)) < PARCEL:
            found += self._groups.popleft()
        if not self._groups:
            self._is_filled.clear()
        return found


class Company:
    """Plays conversations in a thread of its own."""

    def __init__(self, spec: JobSpec, outbox: Outbox, *, wants_turns: bool) -> None:
        self._spec = spec
        self._outbox = outbox
        self._wants_turns = wants_turns
        self._permits = Permits(outbox.add)
        self._numbers: dict[PlayKey, int] = {}
        self._noted: dict[int, Future[str]] = {}
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._stopped: set[int] = set()
        """Those to be played no further: a large order may arrive after the one that takes it back."""
        self.thread = threading.Thread(target=self._run, daemon=True, name="conversations")

    def order(self, orders: Sequence[Order]) -> None:
        """Carry these out; called in another thread."""
        for order in orders:
            if isinstance(order, NotedOrder):
                self._noted.pop(order.play).set_result(order.refusal)
            else:
                self._loop.call_soon_threadsafe(self._carry_out, order)

    def close(self) -> None:
        """Play no more; called in another thread."""
        self._loop.call_soon_threadsafe(self._over.set)

    def _run(self) -> None:
        with sealed_output():
            drive(self._open_and_wait())

    async def _open_and_wait(self) -> None:
        """Play until there is an order to close, or say why that is not possible."""
        self._loop, self._over = asyncio.get_running_loop(), asyncio.Event()
        async with AsyncExitStack() as opened:
            try:
                self._player = await opened.enter_async_context(self._opened())
            except Exception as error:
                words = str(error) if isinstance(error, Problem) else f"{type(error).__name__}: {error}"
                self._outbox.add(OpenLetter(problem=words))
                self._outbox.send()
                return
            headers = tuple(one.header for one in self._player.agents.values())
            if any(header.isolation == "none" for header in headers):
                self._greet()
                opened.callback(faulthandler.cancel_dump_traceback_later)
            self._outbox.add(OpenLetter(headers))
            await self._over.wait()

    def _opened(self) -> AbstractAsyncContextManager[Player]:
        find_code_here(self._spec)
        limiter, budget = (
            partial(LentSlots, permits=self._permits),
            LentBudget(self._spec.budget, self._permits),
        )
        return opened_player(open_job(self._spec), budget, self._tell_retry, limiter)

    def _greet(self) -> None:
        """End this process if the code of an agent lets nothing else run; the driver starts another."""
        limit = self._spec.turn_timeout + PATIENCE
        faulthandler.dump_traceback_later(limit, exit=True, file=sys.__stderr__ or 2)
        self._loop.call_later(limit / 8, self._greet)

    def _carry_out(self, order: PlayOrder | StopOrder | GrantOrder) -> None:
        match order:
            case GrantOrder():
                self._permits.answer(order.number, order.refusal)
            case StopOrder():
                self._stopped.add(order.play)
                if task := self._tasks.get(order.play):
                    task.cancel()
            case PlayOrder() if order.play not in self._stopped:
                task = self._tasks[order.play] = self._loop.create_task(self._play(order.play, order.task))
                task.add_done_callback(lambda done: self._tasks.pop(order.play))

    async def _play(self, number: int, task: PlayTask) -> None:
        tell, key = self._outbox.add, PlayKey.of(task)
        hear = (lambda turn: tell(TurnLetter(number, turn))) if self._wants_turns else None
        self._numbers[key] = number
        try:
            played = await play(
                task,
                self._player,
                hear=hear,
                keep=lambda key, completion: tell(AnswerLetter(number, key, completion)),
                note=partial(self._note, number),
            )
            tell(PlayedLetter(number, played))
        except Problem as problem:
            tell(ProblemLetter(number, str(problem)))
        except Exception as error:
            tell(ProblemLetter(number, f"{task.agent}, {task.name}: {type(error).__name__}: {error}"))
            raise
        finally:
            del self._numbers[key]

    def _note(self, number: int, so_far: Transcript, started: float) -> None:
        """Wait until the driver has written this down; only then the agent may see what came of its call.

        A Problem if the driver could not, or if nobody waits for this conversation any more.
        """
        answer = self._noted[number] = Future[str]()
        self._outbox.add(NoteLetter(number, so_far, started))
        self._outbox.send()
        if refusal := answer.result():
            raise Problem(refusal)

    def _tell_retry(self, task: PlayTask, retry: Retry) -> None:
        self._outbox.add(RetryLetter(self._numbers[PlayKey.of(task)], retry))


class Worker:
    """The actor: takes orders and hands out letters."""

    async def open(self, spec: JobSpec, wants_turns: bool) -> list[bytes]:
        """Open everything that is needed to play; a letter says whether that was possible."""
        self._outbox = Outbox()
        self._company = Company(spec, self._outbox, wants_turns=wants_turns)
        self._company.thread.start()
        return await self._outbox.fetch()

    async def node(self) -> str:
        """The machine that this runs on, by Ray's name for it."""
        import ray

        return str(ray.get_runtime_context().get_node_id())

    async def take(self, orders: Sequence[Order]) -> None:
        """Carry out these orders."""
        self._company.order(orders)

    async def fetch(self, orders: Sequence[Order]) -> list[bytes]:
        """Carry out these orders, then wait for letters."""
        self._company.order(orders)
        return await self._outbox.fetch()

    async def close(self) -> None:
        """Close what is open."""
        self._company.close()
        await asyncio.to_thread(self._company.thread.join)
