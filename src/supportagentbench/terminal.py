"""Terminal: boards and conversations for people who read them in 80 columns."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console, Group
from rich.panel import Panel
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from supportagentbench.board import Board, Estimate
from supportagentbench.tally.metrics import METRICS
from supportagentbench.tally.standings import ON_DUTY, is_on_duty
from supportagentbench.transcript import ToolCall, Transcript, Turn
from supportagentbench.verdict import Finding, Verdict

COLUMNS = {
    "over_escalation": "over-\nescalated",
    "unsafe": "unsafe\nactions",
    "escalation": "escalat.\naccuracy",
    "resolution": "resolved",
    "pairs": "pairs",
    "unconfirmed": "acted un-\nconfirmed",
}
"""The metrics that fit beside each other, with their heads."""


class Bar:
    """Progress over runs, one line each while it lasts."""

    def __init__(self, progress: Progress) -> None:
        self.progress = progress

    def start(self, title: str, total: int) -> Callable[[int], None]:
        """A new line; what it returns is told how many of the total are done."""
        task = self.progress.add_task(title, total=total)
        return lambda done: self.progress.update(task, completed=done)


@contextmanager
def progress_bar(console: Console) -> Iterator[Bar]:
    """A neutral bar with counts and the time left; nothing at all when nobody watches."""
    columns = (
        TextColumn("{task.description:<24}"),
        BarColumn(style="dim", complete_style="white", finished_style="dim"),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, disable=not console.is_terminal) as progress:
        yield Bar(progress)


def board_table(board: Board) -> Group:
    """The standings, one line an agent, a rule between those on duty and the rest."""
    table = Table(box=None, padding=(0, 0, 0, 1), header_style="bold", pad_edge=False)
    table.add_column("agent", no_wrap=True)
    for head in COLUMNS.values():
        table.add_column(head, justify="right", no_wrap=True)
    above = [entry for entry in board.entries if is_on_duty(entry)]
    for position, entry in enumerate(board.entries):
        if position == len(above):
            table.add_row(Text("─" * 11, style="dim"))
        table.add_row(entry.agent, *(_cell(entry.of(name)) for name in COLUMNS))
    runs = sorted({entry.runs for entry in board.entries})
    title = f"{board.world}, set {board.set}, {' or '.join(map(str, runs))} runs each ({board.world_digest})"
    return Group(Text(title, style="dim"), table, Text(_caption(board, len(above)), style="dim"))


def _cell(estimate: Estimate | None) -> Text:
    if estimate is None or estimate.like is None:
        return Text("–", style="dim")
    span = f"{estimate.like.low * 100:.0f}–{estimate.like.high * 100:.0f}"
    count = f"{estimate.k}/{estimate.n}"
    return Text.assemble(f"{estimate.mean * 100:.0f} {span}\n", (count, "dim"))


def _caption(board: Board, above: int) -> str:
    better = ", ".join(
        f"{metric.title.casefold()} {'↓' if metric.better == 'lower' else '↑'}"
        for metric in METRICS
        if metric.name in COLUMNS
    )
    lines = [
        "Per cent, with the 95% interval for cases like these; below, the count over all",
        f"runs. Better: {better}.",
        "No composite score. `sab board --json` has every metric.",
    ]
    lines += [
        f"{entry.agent} is partial: {entry.conversations} of {entry.planned} conversations so far."
        for entry in board.entries
        if entry.conversations < entry.planned
    ]
    if above < len(board.entries):
        lines.append(f"Under the rule: wins fewer than {ON_DUTY:.0%} of trap-and-twin pairs.")
    return "\n".join(lines)


def show_conversation(console: Console, transcript: Transcript, verdict: Verdict) -> None:
    """A conversation with its calls in place, and each finding under the turn it rests on."""
    label = transcript.label
    console.print(
        Text.assemble(
            (f"{transcript.case}", "bold"),
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
    cause = f" ({ending.cause}: {ending.detail})" if ending.cause else ""
    console.print(Text(f"ended: {ending.kind.replace('_', ' ')}{cause}", style="bold"))
    for finding in verdict.findings:
        if not finding.turns:
            console.print(_finding_line(finding))


def _turn_panel(turn: Turn) -> Panel:
    parts: list[Text] = [_call_text(call) for call in turn.calls]
    parts.append(Text(turn.text) if turn.text.strip() else Text("(said nothing)", style="dim italic"))
    parts += [Text(f"📎 {file.name}: {file.shows}", style="dim") for file in turn.attachments]
    who = "customer" if turn.party == "customer" else "agent"
    moves = f" · {', '.join(turn.conduct.moves)}" if turn.conduct else ""
    style = "cyan" if turn.party == "customer" else "white"
    return Panel(Group(*parts), title=f"{who}{moves}", title_align="left", border_style=style)


def _call_text(call: ToolCall) -> Text:
    sign = "✎" if call.result.wrote else "⌕" if call.result.ok else "✗"
    arguments = call.arguments
    given = (
        ", ".join(f"{name}={value}" for name, value in arguments.items())
        if isinstance(arguments, dict)
        else arguments
    )
    text = Text.assemble((f"{sign} {call.tool}", "bold"), f"({given})", style="dim")
    if not call.result.ok or call.result.wrote:
        text.append(f"\n  → {call.result.text}", style="dim")
    return text


def _finding_line(finding: Finding) -> Text:
    sign = {True: "yes", False: "no", None: "cannot tell"}[finding.value]
    return Text(f"  ▸ {finding.check.replace('_', ' ')}: {sign} ({finding.reason})", style="yellow")
