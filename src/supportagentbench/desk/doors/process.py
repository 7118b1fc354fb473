"""Process: untrusted code in separate processes. Its calls are carried out here, at the desk.

Everything a process sends is checked, and one that breaks, lies or is late is killed with everything it
started: the next conversation gets a new one.
"""

import asyncio
import math
import os
import secrets
import signal
import socket
import subprocess
import sys
from collections.abc import Iterable, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Literal, NamedTuple, cast

from msgspec import MsgspecError
from msgspec.json import Decoder
from msgspec.structs import replace

from supportagentbench.concurrency.confinement import hide_memory
from supportagentbench.concurrency.own_files import watch_own_files
from supportagentbench.concurrency.process_tree import end_marked, end_trees
from supportagentbench.desk import AgentFailure, Desk
from supportagentbench.desk.arguments import CutArguments
from supportagentbench.desk.doors.frames import (
    HEAD,
    LARGEST_FROM_AGENT,
    AgentBroke,
    AgentReply,
    BeginConversation,
    CallTool,
    CloseAgent,
    FromAgent,
    HasLeft,
    LeaveConversation,
    Loaded,
    Settling,
    SpendTokens,
    TakeTurn,
    ToAgent,
    ToolAnswer,
    as_sent,
    frame,
    without_changes,
)
from supportagentbench.desk.doors.limits import (
    MEMORY,
    MOST_REPORTS,
    PROCESSES,
    TOO_MANY_PROCESSES,
    TOO_MUCH_MEMORY,
    TreeLimits,
)
from supportagentbench.desk.doors.sandbox import HOME, sandboxed
from supportagentbench.desk.session import TooManyCalls
from supportagentbench.desk.trace import LONGEST_TRACE, scrubbed_text
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import readable
from supportagentbench.records.run import IsolationKind
from supportagentbench.records.transcript import Cause, Turn
from supportagentbench.records.usage import Usage

CHILD = "supportagentbench.agents.child"
"""The program on the other side. It loads the agent, which this layer cannot do."""

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
"""Variables that every isolated agent gets; none of them is a secret."""

MARK = "SAB_AGENT_PROCESS"
"""A variable in an isolated agent's environment, which its descendants inherit: by it they are found."""

LONGEST_KIND = 100
"""Characters of an exception's class name."""

LEAVE_SECONDS = 5.0
"""Time for an agent to confirm that a conversation is over."""

WallKind = Literal["process", "sandbox"]
"""What is around an isolated agent: a process alone, or one that sees only what it needs."""

_LIMITS = {
    TOO_MANY_PROCESSES: "it had started too many processes",
    TOO_MUCH_MEMORY: "with everything it had started, it used too much memory",
}
"""What the exit codes of a process mean that was ended because of its limits."""

_DECODER: Decoder[FromAgent] = Decoder(FromAgent)


class Isolation(NamedTuple):
    """What an isolated agent may use of the machine."""

    memory: int = MEMORY
    """Bytes; 0: no limit."""
    environment: tuple[str, ...] = ()
    """Names of variables that it gets besides the usual ones."""
    processes: int = PROCESSES
    """Processes at a time; 0: no limit."""
    kind: WallKind = "process"
    network: bool = False
    """Whether a sandbox has the network."""
    hidden: tuple[Path, ...] = ()
    """Folders that are empty in a sandbox, wherever they are."""

    @property
    def label(self) -> IsolationKind:
        """What the header of a run says."""
        return "sandbox_network" if self.kind == "sandbox" and self.network else self.kind

    @property
    def limits(self) -> TreeLimits:
        """What it may use with everything that it starts."""
        return TreeLimits(self.memory, self.processes)

    def variables(self) -> dict[str, str]:
        """Its environment."""
        found = {
            name: value
            for name in (*ENVIRONMENT, *self.environment)
            if (value := os.environ.get(name)) is not None
        }
        return found | {"HOME": HOME, "TMPDIR": HOME} if self.kind == "sandbox" else found

    def command(self, name: str, wire: int) -> list[str]:
        """What starts an agent's process; from inside a sandbox, the benchmark cannot be seen."""
        is_sandbox = self.kind == "sandbox"
        words = (name, wire, 0 if is_sandbox else os.getpid(), *self.limits)
        plain = [sys.executable, "-P", "-m", CHILD, *map(str, words)]
        return sandboxed(plain, name, self.hidden, self.network, os.environ) if is_sandbox else plain


class AgentProcess(asyncio.Protocol):
    """One process and its socket, which is also read between turns, so that late calls are noted."""

    def __init__(self, name: str, isolation: Isolation) -> None:
        self._socket, theirs = socket.socketpair()
        with theirs, ExitStack() as on_failure:
            on_failure.callback(self._socket.close)
            self._mark = secrets.token_hex(16)
            self._process = subprocess.Popen(
                isolation.command(name, theirs.fileno()),
                env=isolation.variables() | {MARK: self._mark},
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,  # Ctrl-C is for the benchmark; what the agent starts ends with it.
            )
            on_failure.pop_all()
        self._transport: asyncio.Transport | None = None
        self._buffer = bytearray()
        self._answer: asyncio.Future[Settling] | None = None
        """What we are waiting for from the process."""
        self._failure: Exception | None = None
        """Why nothing more is read from it."""
        self._desks: dict[int, Desk] = {}
        """The desks of this conversation's turns, by number."""
        self._turn = 0
        """Number of turns that the process has had in all conversations."""
        self._reports = self._unasked = 0

    async def open(self) -> None:
        """Wait until the agent is loaded."""
        loop = asyncio.get_running_loop()
        self._answer = loop.create_future()  # It may have been loaded before this loop gets to listen.
        await loop.create_unix_connection(lambda: self, sock=self._socket)
        said = await self._settled()
        if not isinstance(said, Loaded):
            raise AgentFailure("agent_error", "its process did not say whether the agent was loaded")
        if said.problem:
            raise Problem(said.problem)
        if said.error:
            raise AgentFailure("agent_error", said.error)

    def begin(self, message: BeginConversation) -> None:
        """Begin a conversation."""
        self._unasked = 0
        self._send(message)

    async def take_turn(self, turns: Sequence[Turn], desk: Desk) -> str:
        """The agent's answer; its calls meanwhile are carried out at this desk."""
        self._turn += 1
        self._reports = 0
        self._desks[self._turn] = desk
        self._send(TakeTurn(self._turn, as_sent(turns)))
        match await self._settled():
            case AgentReply(text):
                return text
            case AgentBroke() as broke:
                raise _failure(broke)
            case _:
                raise AgentFailure("agent_error", "its process sent a message out of turn")

    async def leave(self, message: LeaveConversation | CloseAgent) -> None:
        """End the conversation or the job, after everything that the agent sent before it knew."""
        self._send(message)
        said = await self._settled()
        self._desks.clear()
        if not isinstance(said, HasLeft) or said.problem:
            problem = said.problem if isinstance(said, HasLeft) else "its process sent a message out of turn"
            raise AgentFailure("agent_error", problem)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)

    def connection_lost(self, exc: Exception | None) -> None:
        self._fail(ConnectionResetError())

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        self._read()

    def _read(self) -> None:
        """Read all complete messages; those after an answer wait until the answer has been received."""
        try:
            while self._failure is None and (said := self._next()) is not None:
                if isinstance(said, CallTool | SpendTokens):
                    self._serve(said)
                    continue
                self._settle(said)
                if self._buffer:
                    asyncio.get_running_loop().call_soon(self._read)
                return
        except (AgentFailure, TooManyCalls) as error:
            self._fail(error)
        except (MsgspecError, RecursionError) as error:
            self._fail(AgentFailure("agent_error", f"its process sent what cannot be read: {error}"))

    def _next(self) -> FromAgent | None:
        """The next message, checked, if it is complete."""
        if len(self._buffer) < HEAD:
            return None
        size = int.from_bytes(self._buffer[:HEAD], "big")
        if size > LARGEST_FROM_AGENT:
            raise AgentFailure("agent_error", f"its process sent {size:,} bytes in one message")
        if len(self._buffer) < HEAD + size:
            return None
        body = bytes(self._buffer[HEAD : HEAD + size])
        del self._buffer[: HEAD + size]
        return _DECODER.decode(body)

    def _serve(self, said: CallTool | SpendTokens) -> None:
        """Pass the agent's requests on to the desk of the turn they belong to."""
        desk, is_now = self._desks.get(said.turn), self._answer is not None and said.turn == self._turn
        if not is_now:
            self._unasked += 1
            if self._unasked > MOST_REPORTS:
                raise AgentFailure("agent_error", f"it made over {MOST_REPORTS:,} calls outside its turns")
        if desk is None:
            return  # From a conversation that is over: its record is already written.
        if isinstance(said, SpendTokens):
            self._reports += 1
            desk.spend(_checked(said.usage, self._reports))
            return
        given = CutArguments(str(said.arguments), said.size) if said.size else said.arguments
        result = desk.call(said.tool, given)
        if is_now:  # Otherwise the agent knows that the call is refused, and does not wait.
            self._send(ToolAnswer(without_changes(result)))

    async def _settled(self) -> Settling:
        """The answer of the process."""
        if self._answer is None and self._failure is None:
            self._answer = asyncio.get_running_loop().create_future()
        if self._answer is not None:
            try:
                return await self._answer
            except ConnectionError:
                pass
            finally:
                self._answer = None
        elif self._failure and not isinstance(self._failure, ConnectionError):
            raise self._failure
        raise AgentFailure("agent_error", await self._how_it_ended())

    def _settle(self, said: Settling) -> None:
        if self._answer is None or self._answer.done():
            raise AgentFailure("agent_error", "its process sent a message out of turn")
        self._answer.set_result(said)

    def _fail(self, error: Exception) -> None:
        """Stop reading, and pass the failure on to the waiting caller."""
        self._failure = self._failure or error
        if self._transport and not self._transport.is_closing():
            self._transport.pause_reading()
        if self._answer and not self._answer.done():
            self._answer.set_exception(error)

    def _send(self, message: ToAgent) -> None:
        if self._transport:
            self._transport.write(frame(message))

    async def _how_it_ended(self) -> str:
        for _ in range(50):
            if (code := self._process.poll()) is not None:
                return f"its process ended: {_ended(code)}"
            await asyncio.sleep(0.01)
        return "its process stopped listening"

    @property
    def pid(self) -> int:
        """The number of the process; it stays its own until it is closed."""
        return self._process.pid

    @property
    def is_running(self) -> bool:
        """Whether it has not ended yet."""
        return self._process.poll() is None

    def kill_rest(self, is_orphaned: bool) -> None:
        """Kill what is left of its group; if its descendants are not known any more, all with its mark."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        if is_orphaned:
            end_marked(f"{MARK}={self._mark}")
        self._process.kill()
        self._process.wait()
        if self._transport:
            self._transport.abort()
        else:
            self._socket.close()


def kill_all(processes: Iterable[AgentProcess]) -> None:
    """Kill these processes and everything they started."""
    found = {one: one.is_running for one in processes}
    end_trees([one.pid for one, is_running in found.items() if is_running])
    for one, was_running in found.items():
        one.kill_rest(is_orphaned=not was_running)


def _ended(code: int) -> str:
    if code in _LIMITS:
        return _LIMITS[code]
    if code >= 0:
        return f"exit code {code}"
    with suppress(ValueError):
        return signal.Signals(-code).name
    return f"signal {-code}"


class ProcessDoor:
    """Seats agents in processes: one per conversation in flight, reused by the next if it behaved."""

    def __init__(self, name: str, isolation: Isolation) -> None:
        self._name = name
        self._isolation = isolation
        self._idle: list[AgentProcess] = []
        self._all: set[AgentProcess] = set()
        self._has_said = False
        if isolation.kind == "process":  # From a sandbox, it cannot write to them.
            watch_own_files()
        hide_memory()  # Keys are in this process: in its environment, whatever is removed from it, too.

    def __call__(self, seed: int) -> "ProcessSeat":
        return ProcessSeat(self, seed)

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
        """The conversation is over; the process waits for the next one."""
        self._idle.append(process)

    def end(self, process: AgentProcess) -> None:
        """Kill a process that cannot be trusted with another conversation."""
        self._all.discard(process)
        kill_all([process])

    async def aclose(self) -> None:
        """Let the agents that wait close what they opened, then end all processes."""
        await asyncio.gather(*map(self._close, self._idle))
        kill_all(self._all)
        self._all.clear()
        self._idle.clear()
        await asyncio.sleep(0)  # Their sockets are closed by the event loop.

    async def _close(self, process: AgentProcess) -> None:
        try:
            async with asyncio.timeout(LEAVE_SECONDS):
                await process.leave(CloseAgent())
        except TimeoutError:
            self._say(f"it took longer than {LEAVE_SECONDS:g} s")
        except AgentFailure as failure:
            self._say(failure.detail)

    def _say(self, problem: str) -> None:
        """Say once why an agent could not be closed."""
        if not self._has_said:
            print(f"sab: {self._name} could not be closed: {readable(problem)}", file=sys.stderr)
        self._has_said = True


async def check_loading(name: str, isolation: Isolation, seconds: float) -> None:
    """Raise Problem if the agent cannot be loaded."""
    door = ProcessDoor(name, isolation)
    try:
        async with asyncio.timeout(seconds):
            await door.take()
    except TimeoutError:
        raise Problem(
            f"the agent {name!r} was not loaded within {seconds:g} s; give it more time with --turn-timeout."
        ) from None
    finally:
        await door.aclose()


class ProcessSeat:
    """The agent of one conversation. Its calls, and only those, are carried out at the desk."""

    def __init__(self, door: ProcessDoor, seed: int) -> None:
        self._door = door
        self._seed = seed
        self._process: AgentProcess | None = None
        self._heard = 0

    async def reply(self, turns: Sequence[Turn], desk: Desk) -> str:
        try:
            if self._process is None:
                self._process = await self._door.take()
                tools = tuple(desk.tools)
                self._process.begin(BeginConversation(self._seed, desk.instructions, tools))
            heard, self._heard = self._heard, len(turns)
            return await self._process.take_turn(turns[heard:], desk)
        except BaseException:
            self._end()
            raise

    async def leave(self) -> None:
        """The conversation is over; a process that confirms this waits for the next one."""
        if not self._process:
            return
        try:
            async with asyncio.timeout(LEAVE_SECONDS):
                await self._process.leave(LeaveConversation())
        except TimeoutError:
            self._end()
            raise AgentFailure("agent_error", f"it did not leave within {LEAVE_SECONDS:g} s") from None
        except BaseException:
            self._end()
            raise
        self._door.give_back(self._process)
        self._process = None

    def _end(self) -> None:
        if self._process:
            self._door.end(self._process)
            self._process = None


def _failure(broke: AgentBroke) -> AgentFailure:
    failure = AgentFailure(cast(Cause, broke.cause), broke.detail)  # It is checked where it counts.
    failure.kind, failure.trace = broke.kind[:LONGEST_KIND], scrubbed_text(broke.trace[:LONGEST_TRACE])
    return failure


def _checked(usage: Usage, reports: int) -> Usage:
    """Usage, if it is plausible; it is still only the agent's claim."""
    counts = usage.input, usage.cache_read, usage.cache_write, usage.output, usage.reasoning, usage.lost
    cost = usage.cost or 0.0
    if reports > MOST_REPORTS or min(counts) < 0 or usage.attempts < 0 or not 0 <= cost < math.inf:
        raise AgentFailure("agent_error", f"it reported usage that cannot be true: {usage}")
    return replace(usage, role="agent")
