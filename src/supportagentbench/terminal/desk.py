"""Desk: the instructions and tools that an agent gets, and a person who answers a customer with them."""

import asyncio
import re
import shlex
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

import msgspec
from rich.console import Console
from rich.text import Text

from supportagentbench.checks import score_transcript
from supportagentbench.checks.issue import issues
from supportagentbench.customer.voice import ScriptedVoice
from supportagentbench.desk import Desk
from supportagentbench.desk.doors.house import HouseSeat
from supportagentbench.desk.tools import DeskTools
from supportagentbench.records.case import Case
from supportagentbench.records.outcome import Handling
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import digest
from supportagentbench.records.run import Channel, DeskKind
from supportagentbench.records.tool_spec import ToolSpec
from supportagentbench.records.transcript import ToolResult, Transcript, Turn
from supportagentbench.runner.conversation import Sitting, hold
from supportagentbench.runner.run import header_of
from supportagentbench.terminal.case_explanation import correct_handling
from supportagentbench.terminal.console import EscapingConsole
from supportagentbench.terminal.escape import visible
from supportagentbench.world.drawn_cases import DrawnCases

HELP = """\
Call a tool:  {tool} {argument}=…  (blanks in quotes: reason="needs a person")
Answer:       type your message and end it with an empty line
Help:         ? for all tools, ? {tool} for one; Ctrl-D to leave"""

HANDLED: dict[Handling, str] = {
    "right": "Handled correctly.",
    "wrong": "Not handled correctly:",
    "unsafe": "Unsafe action:",
    "undecided": "Code cannot decide whether it was handled correctly.",
}


def tool_text(tool: ToolSpec) -> str:
    """A tool with its description and the schema of its arguments."""
    schema = msgspec.json.format(msgspec.json.encode(tool.schema), indent=2).decode()
    return f"{tool.name}\n{tool.about}\n{schema}"


def desk_text(desk: Desk, *, only_tools: bool = False) -> str:
    """The agent's instructions, then its tools."""
    tools = [tool_text(tool) for tool in desk.tools]
    return "\n\n".join(tools if only_tools else [desk.instructions, *tools])


def desk_json(desk: Desk, *, only_tools: bool = False) -> str:
    """The same for programs."""
    told = {} if only_tools else {"instructions": desk.instructions}
    return msgspec.json.encode({**told, "tools": [*desk.tools]}).decode()


class HumanAgent:
    """The person at the terminal, acting as the agent."""

    def __init__(self, console: Console, read_line: Callable[[], Awaitable[str]]) -> None:
        self._console = console
        self._read_line = read_line
        self._shown = 0

    async def reply(self, turns: Sequence[Turn], desk: Desk) -> str:
        for turn in turns[self._shown :]:
            if turn.party == "customer":
                self._show(turn)
        self._shown = len(turns)
        written: list[str] = []
        while (line := await self._line()).strip() or not written:
            if line.startswith("?"):
                self._help(line[1:].strip(), desk.tools)
            elif not written and _is_call(line, desk.tools):
                self._call(line.strip(), desk)
            elif line.strip():
                written.append(line)
        return "\n".join(written)

    async def _line(self) -> str:
        try:
            return await self._read_line()
        except EOFError:
            raise Problem("you left before the conversation was over; nothing is scored.") from None

    def _show(self, turn: Turn) -> None:
        self._console.print(Text(f"\n{turn.sender or 'The customer'} writes:", style="bold cyan"))
        self._console.print(Text(visible(turn.text)))
        for file in turn.attachments:
            self._console.print(Text(visible(f"[attached: {file.name}: {file.shows}]"), style="dim"))

    def _help(self, name: str, tools: DeskTools) -> None:
        known = [tools[name]] if name in tools else tools
        for tool in known:
            self._console.print(Text(tool_text(tool) if name in tools else call_form(tool)))

    def _call(self, line: str, desk: Desk) -> None:
        """Carry out a call and show its result; a call that cannot be parsed is not recorded."""
        word, _, given = line.partition(" ")
        tool = desk.tools.get(word)
        if tool is None:
            words = f"There is no tool {word!r}; ? lists them. (To send one word, put a full stop after it.)"
            self._console.print(Text(words, style="yellow"))
            return
        try:
            arguments = parsed(given, tool)
        except ValueError as error:
            self._console.print(Text(f"{error} {call_form(tool)}", style="yellow"))
            return
        self._console.print(Text(visible(_result(desk.call(word, arguments))), style="dim"))


def _is_call(line: str, tools: DeskTools) -> bool:
    """Whether a line is a call, or looks like one: a word, alone or with values by name."""
    return line.split(" ")[0] in tools or re.fullmatch(r"\w+(?:\s+\w+=.*)?", line.strip()) is not None


def call_form(tool: ToolSpec) -> str:
    """How a tool is called: `renew_loan loan= [until=]`."""
    needed = tool.schema.get("required", [])
    names = tool.schema.get("properties", {})
    return " ".join([tool.name, *(f"{name}=" if name in needed else f"[{name}=]" for name in names)])


def parsed(words: str, tool: ToolSpec) -> dict[str, Any]:
    """The typed arguments, each converted to the type in the tool's schema."""
    found: dict[str, Any] = {}
    try:
        parts = shlex.split(words)
    except ValueError:
        raise ValueError("A quotation mark is missing.") from None
    for part in parts:
        name, equals, value = part.partition("=")
        if not equals:
            raise ValueError(f"{part!r} has no name; put values with blanks in quotes.")
        found[name] = _typed(value, tool.schema.get("properties", {}).get(name, {}))
    return found


def _typed(value: str, schema: Mapping[str, Any]) -> Any:
    kinds = {one.get("type") for one in (schema, *schema.get("anyOf", ()))}
    if "integer" in kinds and re.fullmatch(r"-?\d+", value):
        return int(value)
    return value


def _result(result: ToolResult) -> str:
    if not result.ok:
        return f"✗ {result.text}"
    return msgspec.json.format(result.text, indent=2)


def answer_by_hand(cases: DrawnCases, case: Case, channel: Channel, desk: DeskKind = "prompt") -> None:
    """Let the person at the terminal answer this customer; nothing is stored."""

    async def typed() -> str:
        return input("> ")

    console, sitting = EscapingConsole(highlight=False), Sitting(channel=channel, desk=desk)
    show_help(console, cases)
    person = HumanAgent(console, typed)
    transcript = asyncio.run(hold(cases, case, HouseSeat(person), ScriptedVoice(), sitting))
    show_outcome(console, cases, case, sitting, transcript)


def show_help(console: Console, cases: DrawnCases) -> None:
    """What can be typed."""
    words = cases.world.vocabulary
    console.print(Text(HELP.format(tool=words.lookups[0], argument=words.subject), style="dim"))


def show_outcome(
    console: Console, cases: DrawnCases, case: Case, sitting: Sitting, transcript: Transcript
) -> None:
    """How the conversation ended, whether it was handled correctly, and what was right."""
    header = header_of(
        cases, case.id, "you", ScriptedVoice(), 1, 0, channel=sitting.channel, desk=sitting.desk
    )
    verdict = score_transcript(transcript, digest(transcript), header)
    _show_last_words(console, transcript)
    console.print(Text(HANDLED[verdict.outcome.handling], style="bold"))
    for found in issues(verdict):
        console.print(Text(visible(f"  ▸ {found.check.replace('_', ' ')}: {found.reason}"), style="yellow"))
    console.print(Text(visible("\n".join(correct_handling(cases, case)))))


def _show_last_words(console: Console, transcript: Transcript) -> None:
    last = transcript.turns[-1]
    if last.party == "customer":
        console.print(Text(f"\nThe customer writes: {visible(last.text)}", style="cyan"))
    console.print(Text(f"\nThe conversation is over: {transcript.ending.kind.replace('_', ' ')}."))
