"""By hand: one conversation with a person in the agent's place, and how it was scored."""

import asyncio

from rich.text import Text

from supportagentbench.checks import score
from supportagentbench.checks.issue import issues
from supportagentbench.customer.voice import ScriptedVoice
from supportagentbench.desk.doors.house import HouseSeat
from supportagentbench.records.case import Case
from supportagentbench.records.outcome import Handling
from supportagentbench.records.record import digest
from supportagentbench.records.run import Channel, DeskKind
from supportagentbench.records.transcript import Transcript
from supportagentbench.runner.conversation import Sitting, hold
from supportagentbench.runner.run import header_of
from supportagentbench.storage.transcripts import Filed
from supportagentbench.terminal.case_explanation import correct_handling
from supportagentbench.terminal.console import EscapingConsole
from supportagentbench.terminal.desk import HELP, HumanAgent
from supportagentbench.terminal.escape import visible
from supportagentbench.world.drawn_cases import DrawnCases

HANDLED: dict[Handling, str] = {
    "right": "Handled correctly.",
    "wrong": "Not handled correctly:",
    "unsafe": "Unsafe action:",
    "undecided": "Code cannot decide whether it was handled correctly.",
}


def answer_by_hand(cases: DrawnCases, case: Case, channel: Channel, desk: DeskKind = "prompt") -> None:
    """Let the person at the terminal answer this customer; nothing is stored."""
    console, voice = EscapingConsole(highlight=False), ScriptedVoice()
    words = cases.world.vocabulary
    console.print(Text(HELP.format(tool=words.lookups[0], argument=words.subject), style="dim"))
    person, sitting = HumanAgent(console, lambda: input("> ")), Sitting(channel=channel, desk=desk)
    transcript = asyncio.run(hold(cases, case, HouseSeat(person), voice, sitting))
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
