"""Conversation: its messages with tool calls and findings in place, for a terminal or a test's report."""

import io
import shlex
from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec.structs import replace
from rich.console import Console, Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from supportagentbench.records.clock import TurnClock
from supportagentbench.records.finding import Finding
from supportagentbench.records.judgement import FindingOpinion, Judgement, Opinion
from supportagentbench.records.outcome import Outcome
from supportagentbench.records.set_aside import set_aside_note
from supportagentbench.records.transcript import CustomerState, RefusedCall, ToolCall, Transcript, Turn
from supportagentbench.records.usage import Usage
from supportagentbench.results.divergence import first_differences
from supportagentbench.results.search import FoundConversation, Hit, find_talk
from supportagentbench.site.data.outcome import SHOWN
from supportagentbench.terminal.console import EscapingConsole
from supportagentbench.terminal.escape import on_one_line, visible

if TYPE_CHECKING:
    from supportagentbench.jobs.agent_tests import AgentTests

BESIDE = 120
"""Minimum width for showing two conversations side by side."""

AROUND = 60
"""Characters shown before and after the match."""

REPORT_WIDTH = 100
"""Columns of a conversation in a test's report."""


def show_conversation(console: Console, found: FoundConversation) -> None:
    """A conversation with its calls, and each finding and opinion below the turn it is about."""
    console.print(_heading(found.transcript, found.agent), _body(found))


def show_beside(console: Console, first: FoundConversation, second: FoundConversation) -> None:
    """Two conversations of one case, and the first turn with different actions; side by side if they fit."""
    console.print(_heading(first.transcript))
    turn = first_differences(first.transcript.turns, second.transcript.turns).done
    words = (
        "both take the same actions"
        if turn is None
        else f"message {turn + 1}: the two take different actions"
    )
    console.print(Text(words, style="bold"))
    sides = [
        Group(Text(f"{on_one_line(one.agent)}, run {one.transcript.run}", style="bold reverse"), _body(one))
        for one in (first, second)
    ]
    if console.width < BESIDE:
        console.print(*sides)
        return
    table = Table.grid(expand=True, padding=(0, 1))
    table.add_column(ratio=1)
    table.add_column(ratio=1)
    table.add_row(*sides)
    console.print(table)


def _heading(transcript: Transcript, agent: str = "") -> Text:
    label = transcript.label
    who = f"  {on_one_line(agent)}" if agent else ""
    return Text.assemble(
        (on_one_line(transcript.case), "bold"),
        f"  {transcript.bucket.replace('_', ' ')}{who}  run {transcript.run}\n",
        f"correct: hand over {label.handover}; rules {', '.join(label.rules) or 'none'}"
        f"; never {', '.join(ban.act for ban in label.bans if not ban.until) or 'nothing'}",
    )


def _body(found: FoundConversation) -> Group:
    transcript, findings = found.transcript, found.verdict.findings
    opinions = [one for judgement in found.judgements for one in _opinions(judgement)]
    parts: list[RenderableType] = []
    for index, turn in enumerate(transcript.turns):
        clock = found.clock[index] if index < len(found.clock) else None
        parts.append(_turn_panel(index + 1, turn, clock))
        parts += [_refused_line(call) for call in transcript.refused if call.turn == index]
        parts += [_finding_line(finding) for finding in findings if index in finding.turns]
        parts += [line for at, line in opinions if at == index]
    ending = transcript.ending
    cause = f" ({ending.cause}: {visible(ending.detail)})" if ending.cause else ""
    parts.append(Text(f"ended: {ending.kind.replace('_', ' ')}{cause}", style="bold"))
    parts.append(Text(f"outcome: {_outcome(found.verdict.outcome)}", style="bold"))
    if set_aside := set_aside_note(found.set_aside):
        parts.append(Text(f"other attempts: {set_aside}", style="bold"))
    if transcript.unlisted:
        parts.append(Text(f"  ✗ {transcript.unlisted:,} more calls outside their turns, not carried out"))
    parts += [_finding_line(finding) for finding in findings if not finding.turns]
    parts += [line for at, line in opinions if at is None or not 0 <= at < len(transcript.turns)]
    parts += [_passed_line(judgement) for judgement in found.judgements if judgement.opinions]
    return Group(*parts)


def _outcome(outcome: Outcome) -> str:
    """How it ended, and where the first unsafe action was."""
    words = [SHOWN[outcome.kind].words]
    if outcome.turn is not None:
        words.append(f"message {outcome.turn + 1}")
    if outcome.act:
        words.append(visible(outcome.act))
    if outcome.harm:
        words.append(visible(f"{outcome.harm.replace('_', ' ')}, ${outcome.dollars:g}"))
    return " · ".join(words)


def _turn_panel(number: int, turn: Turn, clock: TurnClock | None) -> Panel:
    """A message under its number among all messages, which the pages use too."""
    parts = _work(turn, clock)
    if turn.sender:
        parts.append(Text(visible(f"From: {turn.sender}"), style="dim"))
    said = visible(turn.text)
    parts.append(Text(said) if said.strip() else Text("(said nothing)", style="dim italic"))
    parts += [Text(visible(f"📎 {file.name}: {file.shows}"), style="dim") for file in turn.attachments]
    moves = f" · {_conduct(turn.conduct)}" if turn.conduct else ""
    style = {"customer": "cyan", "agent": "white"}.get(turn.party, "dim")
    title = Text(on_one_line(f"{number} · {turn.party}{moves}"))
    return Panel(Group(*parts), title=title, title_align="left", border_style=style)


def _work(turn: Turn, clock: TurnClock | None) -> list[Text]:
    """The tool calls of a turn, each below the model call that asked for it, if that is on record."""
    steps = {usage.step: place for place, usage in enumerate(turn.usage) if usage.step}
    parts = [_call_text(call) for call in turn.calls if call.step not in steps]
    for step, place in steps.items():
        parts.append(_step_text(turn.usage[place], _seconds(place, turn, clock)))
        parts += [_call_text(call) for call in turn.calls if call.step == step]
    return parts


def _step_text(usage: Usage, seconds: float | None) -> Text:
    read = usage.input + usage.cache_read + usage.cache_write
    thought = f" ({usage.reasoning:,} reasoning)" if usage.reasoning else ""
    tokens = "tokens unknown" if usage.unread else f"{read:,} → {usage.output:,} tokens{thought}"
    took = "" if seconds is None else f" · {seconds:.1f} s"
    return Text(on_one_line(f"step {usage.step} · {usage.model} · {tokens}{took}"), style="dim italic")


def _seconds(place: int, turn: Turn, clock: TurnClock | None) -> float | None:
    """How long a model call took: since the turn began, or since the tools before it had answered."""
    if clock is None or len(clock.usage) != len(turn.usage) or len(clock.calls) != len(turn.calls):
        return None
    now = clock.usage[place]
    before = [time for time in (*clock.usage[:place], *clock.calls) if time <= now]
    return max(0.0, now - max(before, default=clock.began))


def _conduct(conduct: CustomerState) -> str:
    """What the customer does, who wrote the message, and why drafts were rejected."""
    worded = "" if conduct.worded_by == "script" else f" · worded by {conduct.worded_by}"
    faults = f" after {', '.join(conduct.faults)}" if conduct.faults else ""
    return ", ".join(conduct.moves) + worded + faults


def _asked(call: ToolCall | RefusedCall, sign: str) -> Text:
    arguments = call.arguments
    given = (
        ", ".join(f"{name}={value}" for name, value in arguments.items())
        if isinstance(arguments, dict)
        else arguments
    )
    return Text.assemble((f"{sign} {on_one_line(call.tool)}", "bold"), f"({visible(given)})", style="dim")


def _refused_line(call: RefusedCall) -> Text:
    """A call that came outside its turn."""
    return _asked(call, "  ✗").append(f": {call.why}, {call.reason}", style="red")


def _call_text(call: ToolCall) -> Text:
    text = _asked(call, "✎" if call.result.wrote else "⌕" if call.result.ok else "✗")
    if not call.result.ok or call.result.wrote:
        text.append(f"\n  → {visible(call.result.text)}", style="dim")
    return text


def _finding_line(finding: Finding) -> Text:
    standing = f", {finding.standing}" if finding.to_check else ""
    words = f"  ▸ {finding.check.replace('_', ' ')}: {finding.answer}{standing} ({finding.reason})"
    return Text(visible(words), style="yellow")


def _opinions(judgement: Judgement) -> Iterator[tuple[int | None, Text]]:
    """A judge's opinion on findings, and every criterion that failed or is void, each with its turn."""
    for one in judgement.findings:
        yield one.turn, _opinion_line(judgement, one.check, one.says or f"void, {one.void}", one)
    for opinion in judgement.opinions:
        if opinion.void or opinion.met is False:
            held = f"void, {opinion.void}" if opinion.void else "failed"
            yield opinion.turn, _opinion_line(judgement, opinion.criterion, held, opinion)


def _opinion_line(judgement: Judgement, about: str, held: str, one: Opinion | FindingOpinion) -> Text:
    reason = f" ({one.reason})" if one.reason else ""
    quote = f" “{one.quote}”" if one.quote else ""
    words = f"{_judge_of(judgement)}: {about.replace('_', ' ')}: {held.replace('_', ' ')}{reason}{quote}"
    return Text(f"  ◦ {on_one_line(words)}", style="magenta")


def _judge_of(judgement: Judgement) -> str:
    again = ", asked again" if judgement.sample else ""
    return f"judge {judgement.judge}{again}"


def _passed_line(judgement: Judgement) -> Text:
    passed = sum(opinion.met is True for opinion in judgement.opinions)
    return Text(
        on_one_line(f"{_judge_of(judgement)}: {passed} of {len(judgement.opinions)} criteria passed"),
        style="dim",
    )


def search_hit_line(hit: Hit) -> Text:
    """The location, and the match with some text around it."""
    before, after = hit.line[: hit.start], hit.line[hit.end :]
    first = before if len(before) <= AROUND else f"…{before[-AROUND:]}"
    last = after if len(after) <= AROUND else f"{after[:AROUND]}…"
    who = hit.party if hit.place == "said" else f"{hit.party}'s {hit.place}"
    return Text.assemble(
        (
            f"{on_one_line(hit.case)} {on_one_line(hit.agent)} run {hit.run} message {hit.turn + 1} {who}: ",
            "dim",
        ),
        on_one_line(first),
        (on_one_line(hit.line[hit.start : hit.end]), "bold yellow"),
        on_one_line(last),
    )


def failure_text(tests: "AgentTests", case: str) -> str:
    """Why a case fails, with the conversation; empty if it passes."""
    failure = tests.failure(case)
    if not failure:
        return ""
    why = on_one_line(failure.why)
    return f"{case}, run {failure.run}: {why}\n\n{_conversation(tests, case, failure.run)}"


def _conversation(tests: "AgentTests", case: str, run: int) -> str:
    written, out = io.StringIO(), tests.job.spec.out
    console = EscapingConsole(file=written, width=REPORT_WIDTH, no_color=True)
    found = find_talk(out, case, run=run)
    bare = found._replace(verdict=replace(found.verdict, findings=()), judgements=())
    show_conversation(console, bare)
    return f"{written.getvalue()}\nAll findings: sab show {shlex.quote(str(out))} {case} --run {run}"
