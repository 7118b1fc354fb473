"""Served desk: a person at the terminal writes to a customer, while any client calls the tools over HTTP."""

import asyncio
import os
import shlex
import sys
from collections.abc import Sequence
from functools import partial
from typing import Any, TextIO

import msgspec
from rich.console import Console
from rich.text import Text

from supportagentbench.customer.voice import ScriptedVoice
from supportagentbench.desk import Desk
from supportagentbench.desk.arguments import short_arguments
from supportagentbench.desk.doors.desk_server import DeskServer
from supportagentbench.desk.doors.reception import Reception, Visit
from supportagentbench.desk.doors.thread import in_thread
from supportagentbench.records.case import Case
from supportagentbench.records.run import Channel, DeskKind
from supportagentbench.records.transcript import ToolResult, Transcript, Turn
from supportagentbench.records.usage import Usage
from supportagentbench.runner.conversation import Sitting, hold
from supportagentbench.terminal.console import EscapingConsole
from supportagentbench.terminal.desk import HumanAgent, show_help, show_outcome
from supportagentbench.terminal.escape import visible
from supportagentbench.world.drawn_cases import DrawnCases

ADDRESSES = """
MCP:          {desk}/mcp
OpenAPI:      {desk}/openapi.json
Instructions: {desk}/instructions
Claude Code:  claude mcp add --transport http {name} {desk}/mcp"""

LONGEST_SHOWN = 400
"""Characters of a call that are shown."""


class ShownCalls:
    """A desk that shows every call at the terminal."""

    def __init__(self, desk: Desk, console: Console) -> None:
        self._desk = desk
        self._console = console

    def call(self, tool: str, arguments: dict[str, Any] | str) -> ToolResult:
        """Run one tool, and show it."""
        result = self._desk.call(tool, arguments)
        written = msgspec.json.encode(short_arguments(arguments)).decode()
        self._show(f"{tool} {written}")
        if not result.ok:
            self._show(f"✗ {result.text}")
        return result

    def spend(self, usage: Usage) -> None:
        """Report usage."""
        self._desk.spend(usage)

    def _show(self, words: str) -> None:
        self._console.print(Text(visible(f"  → {words[:LONGEST_SHOWN]}"), style="dim"))


class ServedPerson:
    """A person who writes the replies; the tools of their turns are called by others."""

    def __init__(self, person: HumanAgent, visit: Visit, console: Console) -> None:
        self._person = person
        self._visit = visit
        self._console = console

    async def reply(self, turns: Sequence[Turn], desk: Desk) -> str:
        shown = Desk(ShownCalls(desk, self._console), desk.instructions, desk.tools)
        self._visit.take(turns, shown)
        return await self._person.reply(turns, desk)

    async def leave(self) -> None:
        """Nothing is left open."""


def answer_over_http(
    cases: DrawnCases, case: Case, channel: Channel, desk: DeskKind = "prompt", port: int = 0
) -> None:
    """Let the person at the terminal answer this customer while a client calls the tools."""
    console, sitting = EscapingConsole(highlight=False), Sitting(channel=channel, desk=desk)
    transcript = asyncio.run(_served(console, cases, case, sitting, port))
    show_outcome(console, cases, case, sitting, transcript)


async def _served(console: Console, cases: DrawnCases, case: Case, sitting: Sitting, port: int) -> Transcript:
    reception = Reception()
    server = DeskServer(reception, port=port)
    base, visit = await server.start(), reception.admit()
    name, place = shlex.quote(cases.world.name), f"{base}/desk/{visit.token}"
    show_help(console, cases)
    console.print(Text(visible(ADDRESSES.format(desk=place, name=name))), soft_wrap=True)
    person = HumanAgent(console, partial(in_thread, partial(_line, _own_input())))
    seat = ServedPerson(person, visit, console)
    try:
        return await hold(cases, case, seat, ScriptedVoice(), sitting)
    finally:
        await server.aclose()


def _own_input() -> TextIO:
    """Standard input as a separate stream: Python cannot end while a thread waits for `sys.stdin`."""
    return os.fdopen(sys.stdin.fileno(), encoding=sys.stdin.encoding, errors="replace", closefd=False)


def _line(typed: TextIO) -> str:
    print("> ", end="", flush=True)
    if not (line := typed.readline()):
        raise EOFError
    return line.rstrip("\n")
