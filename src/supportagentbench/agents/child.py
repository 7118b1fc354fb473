"""Child: the process of an isolated agent. It gets the agent's name and a socket, and waits for messages."""

import asyncio
import os
import resource
import socket
import sys
import time
from contextlib import suppress
from pathlib import Path
from threading import Lock, Thread
from typing import Any, NamedTuple

from msgspec.json import Decoder

from supportagentbench.agents.load import load_agent
from supportagentbench.agents.own_agent import OwnDoor
from supportagentbench.agents.warden import under_a_warden
from supportagentbench.desk import AgentFailure, AgentSeat, Desk, Door
from supportagentbench.desk.arguments import LARGEST, as_arguments
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
    SpendTokens,
    TakeTurn,
    ToAgent,
    ToolAnswer,
    frame,
)
from supportagentbench.desk.doors.limits import TreeLimits
from supportagentbench.desk.session import LONGEST_NAME, REFUSALS
from supportagentbench.desk.tools import DeskTools
from supportagentbench.desk.trace import LONGEST_DETAIL, described, scrubbed_text, trace_of
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import readable
from supportagentbench.records.transcript import ToolResult, Turn
from supportagentbench.records.usage import Usage, checked_usage

LONGEST_TEXT = 100_000
"""Characters of a reply that are sent; far fewer are kept."""

_DECODER: Decoder[ToAgent] = Decoder(ToAgent)


class DeskLink:
    """The agent's end of the desk, over the socket. A call in the open turn waits for its answer."""

    def __init__(self, wire: socket.socket) -> None:
        self._wire = wire
        self._lock = Lock()
        self._open = 0
        """The number of the open turn; 0 if none is open."""

    def open_turn(self, number: int) -> None:
        """From now on, answer calls of this turn."""
        self._open = number

    def close_turn(self, answer: AgentReply | AgentBroke) -> None:
        """Send the answer. From now on, calls from anything the agent left running are only noted."""
        with self._lock:
            self._open = 0
            self.send(answer)

    def leave(self, answer: HasLeft) -> None:
        """Confirm that the agent knows about the end."""
        with self._lock:
            self.send(answer)

    def call(self, turn: int, tool: str, arguments: dict[str, Any] | str) -> ToolResult:
        """Run a tool at the desk. A call outside its turn is only sent for the record, without an answer."""
        with self._lock:
            given, size = as_arguments(arguments)
            self.send(
                CallTool(turn, readable(str(tool)[:LONGEST_NAME]), given, size if size > LARGEST else 0)
            )
            if turn != self._open:
                return ToolResult.refused(REFUSALS["foreign" if self._open else "late"])
            answer = self.receive()
        assert isinstance(answer, ToolAnswer)
        return answer.result

    def spend(self, turn: int, usage: Usage) -> None:
        """Have usage recorded."""
        with self._lock:
            self.send(SpendTokens(turn, usage))

    def send(self, message: FromAgent) -> None:
        """Send a message."""
        self._wire.sendall(frame(message, LARGEST_FROM_AGENT))

    def receive(self) -> ToAgent:
        """The next message. If the parent process is gone, this process ends."""
        return _DECODER.decode(self._read(int.from_bytes(self._read(HEAD), "big")))

    async def order(self) -> ToAgent:
        """The next message; the agent's own tasks keep running meanwhile."""
        loop, is_there = asyncio.get_running_loop(), asyncio.Event()
        loop.add_reader(self._wire, is_there.set)
        try:
            await is_there.wait()
        finally:
            loop.remove_reader(self._wire)
        return self.receive()

    def _read(self, size: int) -> bytes:
        data = bytearray()
        while len(data) < size:
            part = self._wire.recv(size - len(data))
            if not part:
                os._exit(0)
            data += part
        return bytes(data)


class LinkedTurn(NamedTuple):
    """One turn at the desk."""

    link: DeskLink
    number: int

    def call(self, tool: str, arguments: dict[str, Any] | str) -> ToolResult:
        """Have a tool run."""
        return self.link.call(self.number, tool, arguments)

    def spend(self, usage: Usage) -> None:
        """Have usage recorded."""
        self.link.spend(self.number, checked_usage(usage))


class SeatedAgent:
    """One conversation of the agent."""

    def __init__(self, door: Door, begin: BeginConversation, link: DeskLink) -> None:
        self._door = door
        self._seed = begin.seed
        self._instructions = begin.instructions
        self._tools = DeskTools(begin.tools)
        self._link = link
        self._turns: list[Turn] = []
        self._seat: AgentSeat | None = None

    async def answer(self, turn: TakeTurn) -> AgentReply | AgentBroke:
        """The agent's turn; never raises, even if the agent does."""
        self._turns += turn.turns
        try:
            self._seat = self._seat or self._door(self._seed)
            desk = Desk(LinkedTurn(self._link, turn.number), self._instructions, self._tools)
            text: object = await self._seat.reply(tuple(self._turns), desk)
        except AgentFailure as failure:
            detail = readable(str(failure.detail))[:LONGEST_DETAIL]
            trace = trace_of(failure.__cause__ or failure)
            return AgentBroke(readable(str(failure.cause)), detail, failure.kind, trace)
        except BaseException as error:
            return AgentBroke(
                "agent_error", described(error), readable(type(error).__name__), trace_of(error)
            )
        if not isinstance(text, str):
            return AgentBroke("agent_error", f"the reply is a {type(text).__name__}, not text")
        return AgentReply(readable(text[:LONGEST_TEXT]))

    async def leave(self) -> HasLeft:
        """End the conversation; never raises, even if the agent does."""
        try:
            if self._seat:
                await self._seat.leave()
        except BaseException as error:
            return HasLeft(described(error))
        return HasLeft()


async def serve(link: DeskLink, door: Door) -> None:
    """Hold one conversation after another, as long as there are any."""
    seat: SeatedAgent | None = None
    while True:
        order = await link.order()
        if isinstance(order, BeginConversation):
            seat = SeatedAgent(door, order, link)
        elif isinstance(order, TakeTurn) and seat:
            link.open_turn(order.number)
            link.close_turn(await seat.answer(order))
        elif isinstance(order, LeaveConversation) and seat:
            link.leave(await seat.leave())
            seat = None
        elif isinstance(order, CloseAgent):
            link.leave(HasLeft(await door.close_own() if isinstance(door, OwnDoor) else ""))


def main() -> None:
    """Load the agent that the command line names, then serve."""
    name, *numbers = sys.argv[1:]
    wire, benchmark, memory, processes = map(int, numbers)
    del sys.argv[1:]
    parent = under_a_warden(benchmark, TreeLimits(memory, processes), wire)
    if memory:
        with suppress(ValueError, OSError):  # Some systems have no such limit.
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    Thread(target=_end_with, args=(parent,), daemon=True).start()
    sys.path.append(str(Path.cwd()))
    link = DeskLink(socket.socket(fileno=wire))
    os.set_inheritable(wire, False)
    try:
        door = load_agent(name)
    except Problem as problem:
        link.send(Loaded(problem=scrubbed_text(str(problem))))
        return
    except BaseException as error:
        link.send(Loaded(described(error)))
        return
    link.send(Loaded())
    asyncio.run(serve(link, door))


def _end_with(parent: int) -> None:
    """End this process after its parent, even if the agent is busy."""
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(0)


if __name__ == "__main__":
    main()
