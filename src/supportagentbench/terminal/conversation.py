"""Conversation: its messages with tool calls and findings in place, for a terminal or a test's report."""

import io
import shlex
from collections import defaultdict
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
from supportagentbench.records.transcript import CustomerState, RefusedCall, ToolCall, Turn
from supportagentbench.records.usage import Usage
from supportagentbench.results.divergence import first_differences
from supportagentbench.results.search import FoundConversation, Hit, find_talk
from supportagentbench.site.data.outcome import SHOWN
from supportagentbench.terminal.clipping import MOST_PARTS, Clipping
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
    console.print(_heading(found, found.agent), _body(found))


def show_beside(console: Console, first: FoundConversation, second: FoundConversation) -> None:
    """Two conversations of one case, and the first turn with different actions; side by side if they fit."""
    console.print(_heading(first))
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


def _heading(found: FoundConversation, agent: str = "") -> Text:
    transcript = found.transcript
    label, clipping = transcript.label, Clipping()
    who = f"  {on_one_line(agent)}" if agent else ""
    if found.is_unlabelled:
        unlabelled = f"{who}  run {transcript.run}\nunlabelled: it is not known what is right here"
        return Text.assemble((on_one_line(transcript.case), "bold"), unlabelled)
    rules = clipping.text(", ".join(label.rules) or "none")
    bans = clipping.text(", ".join(ban.act for ban in label.bans if not ban.until) or "nothing")
    return Text.assemble(
        (on_one_line(transcript.case), "bold"),
        f"  {transcript.bucket.replace('_', ' ')}{who}  run {transcript.run}\n",
        f"correct: hand over {label.handover}; rules {rules}; never {bans}",
    )


def _body(found: FoundConversation) -> Group:
    """Its turns, below each what is about it, and what is about none of them."""
    transcript, clipping = found.transcript, Clipping()
    turns = [
        _turn_panel(index + 1, turn, found.clock[index] if index < len(found.clock) else None, clipping)
        for index, turn in enumerate(clipping.parts(transcript.turns))
    ]
    about = _notes(found, clipping)
    parts: list[RenderableType] = []
    for index, panel in enumerate(turns):
        parts += [panel, *about.pop(index, ())]
    ending = transcript.ending
    cause = f" ({ending.cause}: {clipping.text(ending.detail)})" if ending.cause else ""
    parts.append(Text(f"ended: {ending.kind.replace('_', ' ')}{cause}", style="bold"))
    if not found.is_unlabelled:
        parts.append(Text(f"outcome: {_outcome(found.verdict.outcome)}", style="bold"))
    if set_aside := set_aside_note(found.set_aside):
        parts.append(Text(f"other attempts: {set_aside}", style="bold"))
    if transcript.unlisted:
        parts.append(Text(f"  ✗ {transcript.unlisted:,} more calls outside their turns, not carried out"))
    parts += [line for lines in about.values() for line in lines]
    parts += [_passed_line(judgement) for judgement in found.judgements if judgement.opinions]
    if clipping.note:
        parts.append(Text(f"not shown: {clipping.note}; `transcripts.jsonl` has everything", style="bold"))
    return Group(*parts)


def _notes(found: FoundConversation, clipping: Clipping) -> dict[int | None, list[Text]]:
    """Refused calls, findings and opinions by the turn that they are about; under None: the whole."""
    lines: dict[int | None, list[Text]] = defaultdict(list)
    for call in clipping.parts(found.transcript.refused):
        lines[call.turn].append(_refused_line(call, clipping))
    for finding in clipping.parts(found.verdict.findings):
        line = _finding_line(finding, clipping)
        for turn in dict.fromkeys(finding.turns or (None,)):
            lines[turn].append(line)
    opinions = [one for judgement in found.judgements for one in _opinions(judgement)]
    for at, words in clipping.parts(opinions):
        lines[at].append(Text(f"  ◦ {on_one_line(clipping.text(words))}", style="magenta"))
    return lines


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


def _turn_panel(number: int, turn: Turn, clock: TurnClock | None, clipping: Clipping) -> Panel:
    """A message under its number among all messages, which the pages use too."""
    parts = _work(turn, clock, clipping)
    if turn.sender:
        parts.append(Text(clipping.text(f"From: {turn.sender}"), style="dim"))
    said = clipping.text(turn.text)
    parts.append(Text(said) if said.strip() else Text("(said nothing)", style="dim italic"))
    for file in clipping.parts(turn.attachments):
        parts.append(Text(clipping.text(f"📎 {file.name}: {file.shows}"), style="dim"))
    moves = f" · {_conduct(turn.conduct)}" if turn.conduct else ""
    style = {"customer": "cyan", "agent": "white"}.get(turn.party, "dim")
    title = Text(on_one_line(clipping.text(f"{number} · {turn.party}{moves}")))
    return Panel(Group(*parts), title=title, title_align="left", border_style=style)


def _work(turn: Turn, clock: TurnClock | None, clipping: Clipping) -> list[Text]:
    """The tool calls of a turn, each below the model call that asked for it, if that is on record."""
    steps = {usage.step: place for place, usage in enumerate(turn.usage) if usage.step}
    calls: dict[int, list[Text]] = defaultdict(list)
    for call in clipping.parts(turn.calls):
        calls[call.step if call.step in steps else 0].append(_call_text(call, clipping))
    parts = calls[0]
    for step, place in clipping.parts(list(steps.items())):
        parts += [_step_text(turn.usage[place], _seconds(place, turn, clock)), *calls[step]]
    return parts


def _step_text(usage: Usage, seconds: float | None) -> Text:
    read = usage.input + usage.cache_read + usage.cache_write
    thought = f" ({usage.reasoning:,} reasoning)" if usage.reasoning else ""
    tokens = "tokens unknown" if usage.unread else f"{read:,} → {usage.output:,} tokens{thought}"
    took = "" if seconds is None else f" · {seconds:.1f} s"
    return Text(on_one_line(f"step {usage.step} · {usage.model} · {tokens}{took}"), style="dim italic")


def _seconds(place: int, turn: Turn, clock: TurnClock | None) -> float | None:
    """How long a model call took: since the turn began, or since the tools before it had answered."""
    whole = (len(turn.usage), len(turn.calls))
    if clock is None or (len(clock.usage), len(clock.calls)) != whole or sum(whole) > MOST_PARTS:
        return None
    now = clock.usage[place]
    before = [time for time in (*clock.usage[:place], *clock.calls) if time <= now]
    return max(0.0, now - max(before, default=clock.began))


def _conduct(conduct: CustomerState) -> str:
    """What the customer does, who wrote the message, and why drafts were rejected."""
    worded = "" if conduct.worded_by == "script" else f" · worded by {conduct.worded_by}"
    faults = f" after {', '.join(conduct.faults)}" if conduct.faults else ""
    return ", ".join(conduct.moves) + worded + faults


def _asked(call: ToolCall | RefusedCall, sign: str, clipping: Clipping) -> Text:
    arguments = call.arguments
    given = (
        ", ".join(f"{name}={value}" for name, value in arguments.items())
        if isinstance(arguments, dict)
        else arguments
    )
    named = f"{sign} {on_one_line(clipping.text(call.tool))}"
    return Text.assemble((named, "bold"), f"({clipping.text(given)})", style="dim")


def _refused_line(call: RefusedCall, clipping: Clipping) -> Text:
    """A call that came outside its turn."""
    return _asked(call, "  ✗", clipping).append(f": {call.why}, {call.reason}", style="red")


def _call_text(call: ToolCall, clipping: Clipping) -> Text:
    text = _asked(call, "✎" if call.result.wrote else "⌕" if call.result.ok else "✗", clipping)
    if not call.result.ok or call.result.wrote:
        text.append(f"\n  → {clipping.text(call.result.text)}", style="dim")
    return text


def _finding_line(finding: Finding, clipping: Clipping) -> Text:
    standing = f", {finding.standing}" if finding.to_check else ""
    words = f"  ▸ {finding.check.replace('_', ' ')}: {finding.answer}{standing} ({finding.reason})"
    return Text(clipping.text(words), style="yellow")


def _opinions(judgement: Judgement) -> Iterator[tuple[int | None, str]]:
    """A judge's opinion on findings, and every criterion that failed or is void, each with its turn."""
    for one in judgement.findings:
        yield one.turn, _opinion_line(judgement, one.check, one.says or f"void, {one.void}", one)
    for opinion in judgement.opinions:
        if opinion.void or opinion.met is False:
            held = f"void, {opinion.void}" if opinion.void else "failed"
            yield opinion.turn, _opinion_line(judgement, opinion.criterion, held, opinion)


def _opinion_line(judgement: Judgement, about: str, held: str, one: Opinion | FindingOpinion) -> str:
    reason = f" ({one.reason})" if one.reason else ""
    quote = f" “{one.quote}”" if one.quote else ""
    return f"{_judge_of(judgement)}: {about.replace('_', ' ')}: {held.replace('_', ' ')}{reason}{quote}"


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
