"""One conversation, with its calls in place and its findings where they rest."""

from rich.console import Console, Group
from rich.panel import Panel
from rich.text import Text

from supportagentbench.terminal.words import on_one_line, visible
from supportagentbench.transcript import Conduct, ToolCall, Transcript, Turn
from supportagentbench.verdict import Finding, Verdict


def show_conversation(console: Console, transcript: Transcript, verdict: Verdict) -> None:
    """A conversation with its calls in place, and each finding under the turn it rests on."""
    label = transcript.label
    console.print(
        Text.assemble(
            (on_one_line(transcript.case), "bold"),
            f"  {transcript.bucket.replace('_', ' ')}  run {transcript.run}\n",
            f"right: hand over {label.handover}; rules {', '.join(label.rules) or 'none'}"
            f"; never {', '.join(ban.act for ban in label.bans if not ban.until) or 'nothing'}",
        )
    )
    for index, turn in enumerate(transcript.turns):
        console.print(_turn_panel(turn))
        for finding in verdict.findings:
            if index in finding.turns:
                console.print(_finding_line(finding))
    ending = transcript.ending
    cause = f" ({ending.cause}: {visible(ending.detail)})" if ending.cause else ""
    console.print(Text(f"ended: {ending.kind.replace('_', ' ')}{cause}", style="bold"))
    for finding in verdict.findings:
        if not finding.turns:
            console.print(_finding_line(finding))


def _turn_panel(turn: Turn) -> Panel:
    parts: list[Text] = [_call_text(call) for call in turn.calls]
    said = visible(turn.text)
    parts.append(Text(said) if said.strip() else Text("(said nothing)", style="dim italic"))
    parts += [Text(visible(f"📎 {file.name}: {file.shows}"), style="dim") for file in turn.attachments]
    moves = f" · {_conduct(turn.conduct)}" if turn.conduct else ""
    style = "cyan" if turn.party == "customer" else "white"
    title = Text(on_one_line(f"{turn.party}{moves}"))
    return Panel(Group(*parts), title=title, title_align="left", border_style=style)


def _conduct(conduct: Conduct) -> str:
    """What the customer does, who worded it, and what was wrong with the drafts."""
    worded = "" if conduct.worded_by == "script" else f" · worded by {conduct.worded_by}"
    faults = f" after {', '.join(conduct.faults)}" if conduct.faults else ""
    return ", ".join(conduct.moves) + worded + faults


def _call_text(call: ToolCall) -> Text:
    sign = "✎" if call.result.wrote else "⌕" if call.result.ok else "✗"
    arguments = call.arguments
    given = (
        ", ".join(f"{name}={value}" for name, value in arguments.items())
        if isinstance(arguments, dict)
        else arguments
    )
    text = Text.assemble((f"{sign} {on_one_line(call.tool)}", "bold"), f"({visible(given)})", style="dim")
    if not call.result.ok or call.result.wrote:
        text.append(f"\n  → {visible(call.result.text)}", style="dim")
    return text


def _finding_line(finding: Finding) -> Text:
    sign = {True: "yes", False: "no", None: "cannot tell"}[finding.value]
    return Text(visible(f"  ▸ {finding.check.replace('_', ' ')}: {sign} ({finding.reason})"), style="yellow")
