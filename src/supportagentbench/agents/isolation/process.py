"""Process: an isolated agent as the benchmark sees it. Its calls are carried out here, at the real desk.

Whatever comes from the process is checked, and a process that breaks, lies or is late is ended: the next
conversation gets a new one.
"""

import asyncio
import math
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from typing import NamedTuple, get_args

from msgspec import MsgspecError
from msgspec.json import Decoder
from msgspec.structs import replace

from supportagentbench.agents import AgentFailure
from supportagentbench.agents.isolation.frames import (
    HEAD,
    LARGEST_FRAME,
    AgentBroke,
    AgentReply,
    BeginConversation,
    CallTool,
    FromAgent,
    Loaded,
    SpendTokens,
    TakeTurn,
    ToAgent,
    ToolAnswer,
    as_sent,
    frame,
    without_changes,
)
from supportagentbench.agents.trace import LONGEST_TRACE, scrubbed_text
from supportagentbench.records.problem import Problem
from supportagentbench.records.transcript import EXTERNAL_CAUSES, Cause, Turn
from supportagentbench.records.usage import Usage
from supportagentbench.world.desk import Desk

CHILD = "supportagentbench.agents.isolation.child"

ENVIRONMENT = (
    "HOME",
    "LANG",
    "LC_ALL",
    "PATH",
    "PYTHONPATH",
    "SSL_CERT_DIR",
    "SSL_CERT_FILE",
    "TMPDIR",
    "TZ",
)
"""Variables that an isolated agent gets unasked: none of them is a secret."""

MEMORY = 2 * 2**30
"""Bytes that an isolated agent may use."""

LONGEST_KIND = 100
"""Characters of the name of an exception's class."""

MOST_REPORTS = 1_000
"""Reports of used tokens in one turn."""

OWN_CAUSES: dict[str, Cause] = {cause: cause for cause in get_args(Cause) if cause not in EXTERNAL_CAUSES}
"""Causes that an isolated agent is believed. The others would take its conversation out of the count."""


_DECODER: Decoder[FromAgent] = Decoder(FromAgent)


class Isolation(NamedTuple):
    """What an isolated agent gets of the machine."""

    memory: int = MEMORY
    """Bytes; 0: no limit."""
    environment: tuple[str, ...] = ()
    """Variables that it gets besides the usual ones, by name."""

    def variables(self) -> dict[str, str]:
        """Its environment."""
        return {
            name: value
            for name in (*ENVIRONMENT, *self.environment)
            if (value := os.environ.get(name)) is not None
        }


class AgentProcess:
    """One process, and the socket to it."""

    def __init__(self, name: str, isolation: Isolation) -> None:
        self._socket, theirs = socket.socketpair()
        with theirs, ExitStack() as on_failure:
            on_failure.callback(self._socket.close)
            words = (name, theirs.fileno(), os.getpid(), isolation.memory)
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", CHILD, *map(str, words)],
                env=isolation.variables(),
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,  # Ctrl-C is for the benchmark; what the agent starts ends with it.
            )
            on_failure.pop_all()
        self._writer: asyncio.StreamWriter | None = None

    async def open(self) -> None:
        """Wait until the agent is loaded."""
        self._reader, self._writer = await asyncio.open_unix_connection(sock=self._socket)
        said = await self.receive()
        if not isinstance(said, Loaded):
            raise AgentFailure("agent_error", "its process did not say whether the agent was loaded")
        if said.problem:
            raise Problem(said.problem)
        if said.error:
            raise AgentFailure("agent_error", said.error)

    def send(self, message: ToAgent) -> None:
        """Send a message; the process is waiting for it."""
        if self._writer:
            self._writer.write(frame(message))

    async def receive(self) -> FromAgent:
        """The next message, checked."""
        try:
            size = int.from_bytes(await self._reader.readexactly(HEAD), "big")
            if size > LARGEST_FRAME:
                raise AgentFailure("agent_error", f"its process sent {size:,} bytes in one message")
            return _DECODER.decode(await self._reader.readexactly(size))
        except (asyncio.IncompleteReadError, ConnectionError):
            raise AgentFailure("agent_error", await self._how_it_ended()) from None
        except (MsgspecError, RecursionError) as error:
            raise AgentFailure("agent_error", f"its process sent what cannot be read: {error}") from None

    async def _how_it_ended(self) -> str:
        for _ in range(50):
            if (code := self._process.poll()) is not None:
                return f"its process ended: {_ended(code)}"
            await asyncio.sleep(0.01)
        return "its process stopped listening"

    def kill(self) -> None:
        """End the process and whatever it started."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.kill()
        self._process.wait()
        if self._writer:
            self._writer.transport.abort()
        else:
            self._socket.close()


def _ended(code: int) -> str:
    if code >= 0:
        return f"exit code {code}"
    with suppress(ValueError):
        return signal.Signals(-code).name
    return f"signal {-code}"


class AgentProcesses:
    """Makes isolated agents: one process per conversation in flight, used again by the next if it behaved."""

    def __init__(self, name: str, isolation: Isolation) -> None:
        self._name = name
        self._isolation = isolation
        self._idle: list[AgentProcess] = []
        self._all: set[AgentProcess] = set()

    def __call__(self, seed: int) -> "IsolatedAgent":
        return IsolatedAgent(self, seed)

    async def take(self) -> AgentProcess:
        """A process with the agent loaded."""
        if self._idle:
            return self._idle.pop()
        try:
            process = AgentProcess(self._name, self._isolation)
        except OSError as error:
            raise Problem(
                f"no process can be started for {self._name!r}: {error}; run fewer at a time with -j."
            ) from None
        self._all.add(process)
        try:
            await process.open()
        except AgentFailure as failure:
            self.end(process)
            raise Problem(f"the agent {self._name!r} cannot be loaded: {failure.detail}.") from None
        except BaseException:
            self.end(process)
            raise
        return process

    def give_back(self, process: AgentProcess) -> None:
        """The conversation is over, and the process waits for the next."""
        self._idle.append(process)

    def end(self, process: AgentProcess) -> None:
        """The process is not to be trusted with another conversation."""
        self._all.discard(process)
        process.kill()

    async def close(self) -> None:
        """End all processes."""
        for process in tuple(self._all):
            self.end(process)
        self._idle.clear()
        await asyncio.sleep(0)  # Their sockets are closed by the event loop.


async def check_loading(name: str, isolation: Isolation, seconds: float) -> None:
    """Raise Problem if the agent cannot be loaded."""
    processes = AgentProcesses(name, isolation)
    try:
        async with asyncio.timeout(seconds):
            await processes.take()
    except TimeoutError:
        raise Problem(
            f"the agent {name!r} was not loaded within {seconds:g} s; give it more time with --turn-timeout."
        ) from None
    finally:
        await processes.close()


class IsolatedAgent:
    """The agent of one conversation. What it asks for is done at the desk, and nothing else is."""

    def __init__(self, processes: AgentProcesses, seed: int) -> None:
        self._processes = processes
        self._seed = seed
        self._process: AgentProcess | None = None
        self._heard = 0

    async def reply(self, turns: Sequence[Turn], desk: Desk) -> str:
        try:
            if self._process is None:
                self._process = await self._processes.take()
                tools = tuple(desk.tools.values())
                self._process.send(BeginConversation(self._seed, desk.instructions, tools))
            self._process.send(TakeTurn(as_sent(turns[self._heard :])))
            self._heard = len(turns)
            return await _served(self._process, desk)
        except BaseException:
            if self._process:
                self._processes.end(self._process)
                self._process = None
            raise

    def leave(self) -> None:
        """The conversation is over."""
        if self._process:
            self._processes.give_back(self._process)
            self._process = None


async def _served(process: AgentProcess, desk: Desk) -> str:
    """Carry out what the agent asks for until it answers."""
    reports = 0
    while True:
        said = await process.receive()
        match said:
            case AgentReply():
                return said.text
            case CallTool():
                result = desk.call(said.tool, said.arguments)
                process.send(ToolAnswer(without_changes(result)))
            case SpendTokens():
                reports += 1
                desk.spend(_checked(said.usage, reports))
            case AgentBroke():
                raise _failure(said)
            case _:
                raise AgentFailure("agent_error", "its process sent a message out of turn")


def _failure(broke: AgentBroke) -> AgentFailure:
    if cause := OWN_CAUSES.get(broke.cause):
        failure = AgentFailure(cause, broke.detail)
    else:
        failure = AgentFailure("agent_error", f"{broke.cause}: {broke.detail}")
    failure.kind, failure.trace = broke.kind[:LONGEST_KIND], scrubbed_text(broke.trace[:LONGEST_TRACE])
    return failure


def _checked(usage: Usage, reports: int) -> Usage:
    """Usage as far as it can be true; it is the agent's word all the same."""
    counts = usage.input, usage.cache_read, usage.cache_write, usage.output, usage.reasoning, usage.lost
    cost = usage.cost or 0.0
    if reports > MOST_REPORTS or min(counts) < 0 or usage.attempts < 0 or not 0 <= cost < math.inf:
        raise AgentFailure("agent_error", f"it reported usage that cannot be true: {usage}")
    return replace(usage, role="agent")
