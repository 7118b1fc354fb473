"""By hand: one conversation with a person in the agent's place, and how it was scored."""

import asyncio

from rich.text import Text

from supportagentbench.checks import score
from supportagentbench.checks.issue import issues
from supportagentbench.customer.voice import ScriptedVoice
from supportagentbench.desk.doors.house import HouseSeat
from supportagentbench.desk.session import DeskSession
from supportagentbench.records.case import Case
from supportagentbench.records.outcome import Handling
from supportagentbench.records.record import digest
from supportagentbench.records.run import Channel, DeskKind
from supportagentbench.records.transcript import Transcript
from supportagentbench.runner.conversation import converse
from supportagentbench.runner.run import header_of
from supportagentbench.storage.transcripts import Filed
from supportagentbench.terminal.case_explanation import correct_handling
from supportagentbench.terminal.console import EscapingConsole
from supportagentbench.terminal.desk import HELP, HumanAgent
from supportagentbench.terminal.escape import visible
from supportagentbench.world.drawn_cases import CaseSet

HANDLED: dict[Handling, str] = {
    "right": "Handled correctly.",
    "wrong": "Not handled correctly:",
    "unsafe": "Unsafe action:",
    "undecided": "Whether it was handled correctly, code cannot tell.",
}


def answer_by_hand(cases: CaseSet, case: Case, channel: Channel, desk: DeskKind = "prompt") -> None:
    """Let whoever is at the terminal answer this customer; nothing is stored."""
    console, voice = EscapingConsole(highlight=False), ScriptedVoice()
    console.print(Text(HELP, style="dim"))
    transcript = asyncio.run(
        converse(
            case,
            HouseSeat(HumanAgent(console, lambda: input("> "))),
            DeskSession(cases.desk_for(case, channel, desk)),
            voice,
            run=1,
            seed=0,
            start=cases.start_of(case),
            reader=cases.reader,
            channel=channel,
        )
    )
    header = header_of(cases, case.id, "you", voice, 1, 0, channel=channel, desk=desk)
    verdict = score(Filed(transcript, digest(transcript), 0.0, 0.0), header)
    _show_last_words(console, transcript)
    console.print(Text(HANDLED[verdict.outcome.handling], style="bold"))
    for found in issues(verdict):
        console.print(Text(visible(f"  ▸ {found.check.replace('_', ' ')}: {found.reason}"), style="yellow"))
    console.print(Text(visible("\n".join(correct_handling(cases, case)))))


def _show_last_words(console: EscapingConsole, transcript: Transcript) -> None:
    last = transcript.turns[-1]
    if last.party == "customer":
        console.print(Text(f"\nThe customer writes: {visible(last.text)}", style="cyan"))
    console.print(Text(f"\nThe conversation is over: {transcript.ending.kind.replace('_', ' ')}."))
