"""Child: the process of an isolated agent. It knows the agent's name and a socket, and waits for messages."""

import asyncio
import os
import resource
import socket
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from threading import Lock, Thread
from typing import Any

from msgspec.json import Decoder

from supportagentbench.agents import Agent, AgentFactory, AgentFailure
from supportagentbench.agents.isolation.frames import (
    HEAD,
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
    frame,
)
from supportagentbench.agents.load import load_agent
from supportagentbench.agents.trace import LONGEST_DETAIL, described, scrubbed_text, trace_of
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import readable
from supportagentbench.records.transcript import ToolResult, Turn
from supportagentbench.records.usage import Usage
from supportagentbench.world.desk import Desk, as_arguments

LONGEST_TEXT = 1_000_000
"""Characters of a reply that are sent: far more than are kept."""

_DECODER: Decoder[ToAgent] = Decoder(ToAgent)


class DeskLink:
    """The desk's other side, over the socket: each call waits for its answer."""

    def __init__(self, wire: socket.socket) -> None:
        self._wire = wire
        self._lock = Lock()
        self.is_open = False
        """Whether it is the agent's turn; a thread that it left behind may not act in another one."""

    def call(self, tool: str, arguments: dict[str, Any] | str) -> ToolResult:
        """Have a tool run."""
        with self._lock:
            self._check_open()
            self.send(CallTool(readable(str(tool)), as_arguments(arguments)))
            answer = self.receive()
        assert isinstance(answer, ToolAnswer)
        return answer.result

    def spend(self, usage: Usage) -> None:
        """Have usage recorded."""
        with self._lock:
            self._check_open()
            self.send(SpendTokens(usage))

    def _check_open(self) -> None:
        if not self.is_open:
            raise RuntimeError("the agent's turn is over")

    def send(self, message: FromAgent) -> None:
        """Send a message."""
        self._wire.sendall(frame(message))

    def receive(self) -> ToAgent:
        """The next message; the process ends with the one that started it."""
        return _DECODER.decode(self._read(int.from_bytes(self._read(HEAD), "big")))

    async def order(self) -> ToAgent:
        """The next message, with the agent's own tasks running meanwhile."""
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


class SeatedAgent:
    """One conversation of the agent."""

    def __init__(self, factory: AgentFactory, begin: BeginConversation, link: DeskLink) -> None:
        self._factory = factory
        self._seed = begin.seed
        self._desk = Desk(link, begin.instructions, {tool.name: tool for tool in begin.tools})
        self._turns: list[Turn] = []
        self._agent: Agent | None = None

    async def answer(self, said: Sequence[Turn]) -> AgentReply | AgentBroke:
        """The agent's turn, whatever it raises."""
        self._turns += said
        try:
            self._agent = self._agent or self._factory(self._seed)
            text: object = await self._agent.reply(tuple(self._turns), self._desk)
        except AgentFailure as failure:
            detail = readable(str(failure.detail))[:LONGEST_DETAIL]
            return AgentBroke(readable(str(failure.cause)), detail, trace=trace_of(failure))
        except BaseException as error:
            return AgentBroke(
                "agent_error", described(error), readable(type(error).__name__), trace_of(error)
            )
        if not isinstance(text, str):
            return AgentBroke("agent_error", f"the reply is a {type(text).__name__}, not text")
        return AgentReply(readable(text[:LONGEST_TEXT]))


async def serve(link: DeskLink, factory: AgentFactory) -> None:
    """Hold one conversation after the other, for as long as there are any."""
    seat: SeatedAgent | None = None
    while True:
        order = await link.order()
        if isinstance(order, BeginConversation):
            seat = SeatedAgent(factory, order, link)
        elif isinstance(order, TakeTurn) and seat:
            link.is_open = True
            answer = await seat.answer(order.turns)
            link.is_open = False
            link.send(answer)


def main() -> None:
    """Load the agent that the command line names, then serve."""
    name, wire, parent, memory = sys.argv[1:]
    del sys.argv[1:]
    if int(memory):
        with suppress(ValueError, OSError):  # Some systems know no such limit.
            resource.setrlimit(resource.RLIMIT_AS, (int(memory), int(memory)))
    Thread(target=_end_with, args=(int(parent),), daemon=True).start()
    sys.path.append(str(Path.cwd()))
    link = DeskLink(socket.socket(fileno=int(wire)))
    os.set_inheritable(int(wire), False)
    try:
        factory = load_agent(name)
    except Problem as problem:
        link.send(Loaded(problem=scrubbed_text(str(problem))))
        return
    except BaseException as error:
        link.send(Loaded(described(error)))
        return
    link.send(Loaded())
    asyncio.run(serve(link, factory))


def _end_with(parent: int) -> None:
    """End this process after its parent, even if the agent is busy."""
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(0)


if __name__ == "__main__":
    main()
