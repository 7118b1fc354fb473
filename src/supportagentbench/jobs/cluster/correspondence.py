"""Correspondence: what the driver makes of the letters of one worker, and what it orders."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from itertools import count
from typing import NamedTuple

from supportagentbench.jobs.cluster.leases import Leases, Lender
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
    PaceLetter,
    PlayedLetter,
    PlayLetter,
    PlayOrder,
    ProblemLetter,
    RetryLetter,
    ReturnLetter,
    RiskLetter,
    StopOrder,
    TurnLetter,
)
from supportagentbench.jobs.spec import JobSpec
from supportagentbench.models.answer_cache import AnswerKeeper
from supportagentbench.models.http_client import Retry
from supportagentbench.records.consistent import RunParts
from supportagentbench.records.problem import Problem
from supportagentbench.records.run import Run
from supportagentbench.records.transcript import Transcript, Turn
from supportagentbench.records.usage import Usage
from supportagentbench.runner.play import Played, PlayerLost, PlayTask


class ClusterJob(NamedTuple):
    """What is the same for all workers."""

    spec: JobSpec
    headers: Mapping[str, Run]
    """By the agents' names: what workers have to open as well."""
    lender: Lender
    on_retry: Callable[[PlayTask, Retry], None]
    wants_turns: bool


class Play(NamedTuple):
    """A conversation that the worker plays."""

    task: PlayTask
    hear: Callable[[Turn], None] | None
    keep: AnswerKeeper
    note: Callable[[Transcript, float], None] | None
    result: "asyncio.Future[Played]"


class Correspondence:
    """With one worker, from its first letter until it is lost."""

    def __init__(self, job: ClusterJob, send: Callable[[Sequence[Order]], None]) -> None:
        self._job = job
        self._send = send
        self._numbers = count(1)
        self._open: dict[int, Play] = {}
        self._orders: list[Order] = []
        self._leases = Leases(job.lender, lambda *answer: self._order(GrantOrder(*answer)))
        self._is_closed = False
        self.was_useful = False
        """Whether the worker has finished anything."""

    async def play(
        self,
        task: PlayTask,
        hear: Callable[[Turn], None] | None,
        keep: AnswerKeeper,
        note: Callable[[Transcript, float], None] | None,
    ) -> Played:
        """Have a conversation played; raises PlayerLost if the worker is lost."""
        result: asyncio.Future[Played] = asyncio.get_running_loop().create_future()
        number = next(self._numbers)
        self._open[number] = Play(task, hear, keep, note, result)
        self._order(PlayOrder(number, task))
        try:
            return await result
        except BaseException:
            self._order(StopOrder(number))
            raise
        finally:
            del self._open[number]

    def close(self) -> None:
        """The worker is lost: what it was lent is settled, and nothing more is read or ordered."""
        self._is_closed = True
        self._leases.close()
        self._orders.clear()

    def give_up(self) -> None:
        """Let others play what it has not finished."""
        for play in self._open.values():
            if not play.result.done():
                play.result.set_exception(PlayerLost())

    def take_orders(self) -> list[Order]:
        """The orders that were not sent yet."""
        orders, self._orders = self._orders, []
        return orders

    def check(self, letters: Sequence[AnyLetter]) -> None:
        """Refuse a worker that would play anything else than this job."""
        theirs: dict[str, Run] = {}
        for letter in letters:
            if isinstance(letter, OpenLetter):
                theirs |= {header.agent: header for header in letter.headers}
                if letter.problem:
                    raise Problem(f"a worker of the cluster cannot play: {letter.problem}")
        for name, header in self._job.headers.items():
            if name not in theirs:
                raise Problem(f"a worker of the cluster has no agent called {name}.")
            fields = header.__struct_fields__
            other = [one for one in fields if getattr(theirs[name], one) != getattr(header, one)]
            if other:
                raise Problem(
                    f"a worker of the cluster would play {name} with another {' and '.join(other)}; give all "
                    "machines the same package, code and settings: `ray job submit --working-dir .`"
                )

    def read(self, letter: AnyLetter) -> None:
        """Act on a letter."""
        budget = self._job.lender.budget
        match letter:
            case AskLetter():
                self._leases.ask(letter)
            case ReturnLetter():
                self._leases.give_back(letter.number)
            case PaceLetter():
                self._leases.pace(letter)
            case CostLetter():
                budget.pay(Usage("", cost=letter.cost))
            case RiskLetter():
                budget.risk(letter.dollars)
            case PlayLetter():
                if (play := self._open.get(letter.play)) and not play.result.done():
                    self._read_of(play, letter)
                elif isinstance(letter, NoteLetter):
                    self._order(NotedOrder(letter.play, "the conversation was ended before this was noted."))
            case _:
                raise Problem("a worker of the cluster opened twice.")

    def _order(self, order: Order) -> None:
        """Send an order, together with all others that are given before the loop turns."""
        if self._is_closed:
            return  # The next worker in this place counts its conversations from 1 again.
        if not self._orders:
            asyncio.get_running_loop().call_soon(self._send_orders)
        self._orders.append(order)

    def _send_orders(self) -> None:
        if orders := self.take_orders():
            self._send(orders)

    def _read_of(self, play: Play, letter: PlayLetter) -> None:
        """What happened in a conversation; if that cannot be stored, the conversation raises it."""
        try:
            match letter:
                case TurnLetter() if play.hear:
                    play.hear(letter.turn)
                case AnswerLetter():
                    play.keep(letter.key, letter.completion)
                case NoteLetter():
                    if play.note:
                        play.note(self._checked(play.task, letter.so_far), letter.started)
                    self._order(NotedOrder(letter.play))
                case RetryLetter():
                    self._job.on_retry(play.task, letter.retry)
                case PlayedLetter():
                    self._checked(play.task, letter.played.transcript)
                    self.was_useful = True
                    play.result.set_result(letter.played)
                case ProblemLetter():
                    raise Problem(letter.sentence)
        except Problem as problem:
            play.result.set_exception(problem)
            if isinstance(letter, NoteLetter):
                self._order(NotedOrder(letter.play, str(problem)))

    def _checked(self, task: PlayTask, transcript: Transcript) -> Transcript:
        """A conversation, if it is the one that was asked for, and one that can be read once it is stored."""
        asked = (task.name, task.run, self._job.spec.seed)
        if (transcript.case, transcript.run, transcript.seed) != asked:
            raise Problem(f"a worker of the cluster played {transcript.case} in place of {task.name}.")
        if fault := RunParts(self._job.headers[task.agent]).fault(transcript):
            raise Problem(f"a worker of the cluster played {task.name}, and that {fault}.")
        return transcript
