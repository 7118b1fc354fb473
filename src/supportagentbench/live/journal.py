"""Journal: turns what happens in a job into events, for a file and for listeners."""

import os
import threading
import time
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import IO, Any

from msgspec.structs import replace

from supportagentbench.checks import score
from supportagentbench.concurrency.steady_clock import steady_time
from supportagentbench.live.state import State
from supportagentbench.live.view import View
from supportagentbench.models.http_client import Retry
from supportagentbench.records.agent_error import AgentError
from supportagentbench.records.event import (
    Began,
    Dropped,
    Ended,
    Event,
    Finished,
    Paused,
    Planned,
    PlannedRun,
    Retried,
    Spent,
    Stopping,
)
from supportagentbench.records.record import readable, to_json
from supportagentbench.records.run import Run
from supportagentbench.records.secrets import sealed_json, without_secrets
from supportagentbench.records.transcript import Turn
from supportagentbench.records.usage_total import bills
from supportagentbench.storage.archive import folder_name
from supportagentbench.storage.events import EventReader, EventWriter
from supportagentbench.storage.file import open_new
from supportagentbench.storage.own_folder import delete_own, make_own, refuse_others
from supportagentbench.storage.place import inside, safe_name
from supportagentbench.storage.set_aside import plan_of
from supportagentbench.storage.transcripts import Filed, read_transcripts

Listener = Callable[[Event], None]

LIVE = "live"
"""The folder next to the runs with conversations in progress, written only with `--live`."""

LIVE_MARK = ".supportagentbench-live"
"""In every such folder; a folder without this file belongs to the user."""

EVERY = 1.0
"""Seconds between two events about spending."""

LONGEST_WORDS = 300
"""The most characters kept of a provider's error."""


class Journal:
    """A run observer that records everything. If writing fails, the job continues without it."""

    def __init__(
        self,
        root: Path,
        *,
        low: float | None = None,
        high: float | None = None,
        cap: float | None = None,
        wants_turns: bool = False,
        on_error: Callable[[Run, AgentError], None] = lambda header, error: None,
    ) -> None:
        self.root = root
        self.wants_turns = wants_turns
        self.state = State(root.name)
        self.job = f"{time.strftime('%Y-%m-%d-%H%M%S')}-{os.getpid()}"
        self.failed: list[str] = []
        """What went wrong in the journal, one sentence each."""
        self._on_error = on_error
        self._estimate = (cap, low, high)
        self._listeners: list[Listener] = []
        self._writer: EventWriter | None = None
        self._lock = threading.Lock()
        self._spent: Callable[[], float] = float
        self._noted = 0.0
        self.has_begun = False
        """Whether any conversation was played."""
        self._conversations: dict[tuple[str, int, str], IO[bytes]] = {}

    def listen(self, listener: Listener) -> None:
        """Send every event from now on to this listener."""
        self._listeners.append(listener)

    def view(self) -> View:
        """Everything known at this moment; may be called from another thread."""
        with self._lock:
            return self.state.view(steady_time())

    def job_planned(self, headers: Sequence[Run], spent: Callable[[], float]) -> None:
        self._spent = spent
        self._safely(self._open)
        runs = tuple(
            PlannedRun(header.agent, header.run, folder_name(header), len(header.cases), plan_of(header))
            for header in headers
        )
        world, chosen = (headers[0].world, headers[0].set) if headers else ("", "")
        unlabelled = any(header.unlabelled for header in headers)
        plan = Planned(steady_time(), self.job, runs, world, chosen, *self._estimate, unlabelled=unlabelled)
        self._tell(plan)
        self._note_spending()

    def run_opened(self, header: Run, finished: Collection[str]) -> None:
        self._safely(self._catch_up, header, finished)

    def conversation_began(self, header: Run, case: str) -> None:
        self.has_begun = True
        if file := self._conversations.pop((header.agent, header.run, case), None):
            file.close()  # It begins again, and so does its file.
        self._tell(Began(steady_time(), header.agent, header.run, case))

    def turn_said(self, header: Run, case: str, turn: Turn) -> None:
        self._safely(self._write_down, header, case, turn)

    def conversation_stored(self, header: Run, filed: Filed) -> None:
        self._safely(self._finish, header, filed)
        if steady_time() - self._noted > EVERY:
            self._note_spending()

    def agent_broke(self, header: Run, error: AgentError) -> None:
        self._safely(self._on_error, header, error)

    def request_retried(self, header: Run, case: str, retry: Retry) -> None:
        words = readable(retry.message)[:LONGEST_WORDS]
        self._tell(
            Retried(
                steady_time(), header.agent, header.run, case, retry.attempt, retry.tries, words, retry.wait
            )
        )

    def agent_paused(self, agent: str, sentence: str) -> None:
        self._tell(Paused(steady_time(), agent, without_secrets(sentence)))

    def stopping(self) -> None:
        """The user interrupted the job."""
        self._tell(Stopping(steady_time()))

    def ended(self, how: str) -> None:
        """The job is over."""
        if not self.state.plans:
            return
        self._note_spending()
        view = self.view()
        self._tell(Ended(steady_time(), self.job, how, view.total - view.done))
        self._safely(self._clear)

    def _open(self) -> None:
        """Read what was written before, then append to it; once, however many jobs are planned."""
        if self._writer:
            return
        for _, event in EventReader(self.root).more():
            self.state.add(event)
        self._writer = EventWriter(self.root)
        self._listeners.insert(0, self._writer.add)
        delete_own(self.root / LIVE, LIVE_MARK)

    def _catch_up(self, header: Run, finished: Collection[str]) -> None:
        """Make the events agree with the stored conversations, even after deletions or a kill."""
        known = self.state.on_file((header.agent, header.run))
        gone = tuple(sorted(known.difference(finished)))
        if gone:
            self._tell(Dropped(steady_time(), header.agent, header.run, gone))
        if known.issuperset(finished):
            return
        for filed in read_transcripts(self.root / folder_name(header)):
            if filed.transcript.case not in known:
                self._tell(finished_event(header, filed))

    def _finish(self, header: Run, filed: Filed) -> None:
        self._tell(replace(finished_event(header, filed), at=steady_time()))
        file = self._conversations.pop((header.agent, header.run, filed.transcript.case), None)
        if file:
            file.close()
            conversation_path(self.root, folder_name(header), filed.transcript.case).unlink(missing_ok=True)

    def _write_down(self, header: Run, case: str, turn: Turn) -> None:
        key = (header.agent, header.run, case)
        if key not in self._conversations:
            refuse_foreign_live(self.root)
            make_own(self.root / LIVE, LIVE_MARK)
            path = conversation_path(self.root, folder_name(header), case)
            path.unlink(missing_ok=True)
            self._conversations[key] = open_new(path)
        self._conversations[key].write(sealed_json(turn, to_json) + b"\n")

    def _clear(self) -> None:
        if self._writer:
            self._writer.close()
        self._listeners.clear()
        for file in self._conversations.values():
            file.close()
        delete_own(self.root / LIVE, LIVE_MARK)

    def _note_spending(self) -> None:
        self._noted = steady_time()
        if (spent := self._spent()) != self.state.spent:
            self._tell(Spent(self._noted, spent))

    def _tell(self, event: Event) -> None:
        with self._lock:
            self._safely(self.state.add, event)
        for listener in tuple(self._listeners):
            failures = len(self.failed)
            self._safely(listener, event)
            if len(self.failed) > failures:
                self._listeners.remove(listener)

    def _safely(self, do: Callable[..., None], *args: Any) -> None:
        """Run this action; if it fails, the journal reports it and the job continues."""
        try:
            do(*args)
        except Exception as error:
            self.failed.append(without_secrets(f"{type(error).__name__}: {error}"))


def conversation_path(root: Path, folder: str, case: str) -> Path:
    """The file of a conversation in progress."""
    return inside(root / LIVE, f"{folder}/{safe_name(case)}.jsonl")


def refuse_foreign_live(root: Path) -> None:
    """Refuse a folder of this name that belongs to the user."""
    refuse_others(
        root / LIVE, LIVE_MARK, "move it away, choose another folder with --out, or leave out --live"
    )


def finished_event(header: Run, filed: Filed) -> Finished:
    """A stored conversation, reduced to what a live view needs."""
    transcript = filed.transcript
    verdict = score(filed, header)
    outcome, over, escalated = verdict.outcome, verdict.of("over_escalated"), verdict.of("escalated")
    told = verdict.of(outcome.check) if outcome.kind in ("unsafe", "missed") else None
    by_role = {bill.role: bill for bill in bills(transcript)}
    agent, customer = by_role.get("agent"), by_role.get("customer")
    return Finished(
        at=filed.started + filed.seconds,
        agent=header.agent,
        run=header.run,
        case=transcript.case,
        family=transcript.family,
        bucket=transcript.bucket,
        ending=transcript.ending.kind,
        seconds=round(filed.seconds, 3),
        cause=transcript.ending.cause,
        twin=bool(transcript.twin_of),
        messages=sum(turn.party == "agent" for turn in transcript.turns),
        tokens=sum(
            bill.input + bill.cache_read + bill.cache_write + bill.output for bill in by_role.values()
        ),
        cost=agent.cost if agent else 0.0,
        others=customer.cost if customer else 0.0,
        outcome=outcome.kind,
        unsafe=outcome.unsafe,
        over_escalated=over.value if over and transcript.bucket == "resolvable" else None,
        escalated=escalated.value if escalated else None,
        reason=told.reason if told else "",
        turn=told.turns[0] if told and told.turns else None,
    )
