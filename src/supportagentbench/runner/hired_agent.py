"""HiredAgent: an agent in one conversation, created on the first message, with a deadline per turn."""

import asyncio
import os
import sys
import time
from collections.abc import Sequence

from supportagentbench.concurrency.shared_process import end_copy
from supportagentbench.concurrency.watchdog import Overdue
from supportagentbench.desk import AgentFailure, AgentSeat, Desk, Door
from supportagentbench.desk.trace import described, trace_of
from supportagentbench.records.agent_error import AgentError
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import digest, readable
from supportagentbench.records.run import Run
from supportagentbench.records.transcript import AGENT_ERRORS, Ending, Turn, opening_of
from supportagentbench.runner.priced_desk import priced

TURN_TIMEOUT = 300.0
"""Seconds per turn for an agent with Python code."""


class HiredAgent:
    """Creates its agent during the first turn, so that a failure there ends the conversation as usual."""

    def __init__(self, door: Door, header: Run, case: str, turn_timeout: float | None) -> None:
        self._door = door
        self._header = header
        self._case = case
        self._seconds = turn_timeout
        self._seat: AgentSeat | None = None
        self._owner = os.getpid()
        self._kind = self._trace = ""
        """The class of the exception that the agent's code raised, and its traceback."""

    async def reply(self, turns: Sequence[Turn], desk: Desk) -> str:
        try:
            return await self._reply(turns, desk)
        except (Problem, KeyboardInterrupt):
            raise
        except BaseException as error:
            if isinstance(error, asyncio.CancelledError) and _is_cancelled():
                raise
            self._note(error)
            if isinstance(error, (Exception, SystemExit)):
                raise
            raise AgentFailure("agent_error", described(error)) from None
        finally:
            end_copy(self._owner)

    def error_in(self, ending: Ending) -> AgentError | None:
        """The message for the agent's author, if its code broke the conversation."""
        if ending.cause not in AGENT_ERRORS:
            return None
        kind, run = self._kind or str(ending.cause), self._header.run
        return AgentError(self._case, run, ending.cause, kind, ending.detail, self._trace)

    def _note(self, error: BaseException) -> None:
        if isinstance(error, AgentFailure):
            self._kind, self._trace = error.kind, error.trace or trace_of(error.__cause__ or error)
        else:
            self._kind, self._trace = readable(type(error).__name__), trace_of(error)

    async def _reply(self, turns: Sequence[Turn], desk: Desk) -> str:
        started, timer = time.monotonic(), asyncio.timeout(self._seconds)
        try:
            async with timer:
                if self._seat is None:
                    self._seat = self._door(self._seed(opening_of(turns) or turns[0]))
                text = await self._seat.reply(turns, priced(desk) if self._reports_usage else desk)
        except TimeoutError as error:
            if not timer.expired():
                raise
            raise AgentFailure("deadline", f"no answer within {self._seconds:g} s") from error.__cause__
        except Overdue as error:
            detail = f"no answer within {self._seconds:g} s, and nothing else could run"
            raise AgentFailure("deadline", detail) from error
        took = time.monotonic() - started
        if self._seconds is not None and took > self._seconds:
            detail = (
                f"an answer after {took:.0f} s; {self._seconds:g} are allowed, and nothing else could run"
            )
            raise AgentFailure("deadline", detail)
        return text

    async def leave(self) -> None:
        """End the conversation; errors while leaving are printed and change nothing in the record."""
        seat, self._seat = self._seat, None
        if seat is None:
            return
        try:
            async with asyncio.timeout(self._seconds):
                await seat.leave()
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            if isinstance(error, asyncio.CancelledError) and _is_cancelled():
                raise
            print(f"sab: {self._case}: the agent did not leave: {described(error)}", file=sys.stderr)

    @property
    def _reports_usage(self) -> bool:
        """Whether it is from outside, so that its tokens have no price yet."""
        return bool(self._header.prices) and not self._header.version.prompt

    def _seed(self, opening: Turn) -> int:
        """The agent's seed; a user's agent learns nothing from it that the first message does not tell.

        It is the same wherever the code runs, so that an agent repeats itself behind the wall.
        """
        source = [opening.sender, opening.text] if self._header.isolation else self._case
        return int(digest([self._header.seed, self._header.run, source]), 16) % 2**31


def _is_cancelled() -> bool:
    """Whether this conversation is being cancelled from outside; otherwise the agent raised it itself."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
