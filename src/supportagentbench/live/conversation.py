"""Conversation: one conversation as a page shows it, finished or in progress."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from supportagentbench.checks import score
from supportagentbench.checks.issue import is_issue
from supportagentbench.live.journal import conversation_path
from supportagentbench.records.finding import Finding
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import Record, to_json
from supportagentbench.records.transcript import RefusedCall, ToolCall, Transcript, Turn
from supportagentbench.site.data.bundle import is_in_margin
from supportagentbench.storage.archive import begun_in, read_header
from supportagentbench.storage.jsonl import read_lines
from supportagentbench.storage.transcripts import read_transcripts


class ShownCall(Record):
    """A tool call."""

    sign: str
    kind: str
    name: str
    result: str


class LiveNote(Record):
    """The text of a finding; `bad`: it is an issue."""

    words: str
    grade: str


class ShownTurn(Record):
    """One message, with its tool calls."""

    party: str
    words: str
    calls: tuple[ShownCall, ...] = ()
    files: tuple[str, ...] = ()
    notes: tuple[LiveNote, ...] = ()


class LiveConversation(Record):
    """A conversation so far."""

    case: str
    agent: str
    run: int
    turns: tuple[ShownTurn, ...]
    ending: str = ""
    """Empty while it is in progress."""
    notes: tuple[LiveNote, ...] = ()
    """Notes about the whole conversation."""


def read_conversation(root: Path, folder: str, case: str) -> LiveConversation | None:
    """The conversation on this case in this folder; None until there is one that can be read."""
    if folder not in {found.name for found in begun_in(root)}:
        return None
    place = root / folder
    header = read_header(place)
    if case not in header.cases:
        return None
    for filed in read_transcripts(place):
        if filed.transcript.case == case:
            findings = score(filed, header).findings
            return _on_file(header.agent, filed.transcript, findings)
    turns = tuple(_turn(turn) for turn in _growing(conversation_path(root, folder, case)))
    return LiveConversation(case, header.agent, header.run, turns) if turns else None


def _on_file(agent: str, transcript: Transcript, findings: tuple[Finding, ...]) -> LiveConversation:
    told = list(filter(is_in_margin, findings))
    turns = tuple(
        _turn(
            turn,
            tuple(_note(one) for one in told if at in one.turns),
            tuple(_refused(one) for one in transcript.refused if one.turn == at),
        )
        for at, turn in enumerate(transcript.turns)
    )
    ending = transcript.ending
    words = ending.kind.replace("_", " ") + (f" ({ending.cause}: {ending.detail})" if ending.cause else "")
    return LiveConversation(
        transcript.case,
        agent,
        transcript.run,
        turns,
        words,
        tuple(_note(one) for one in told if not one.turns),
    )


def _growing(path: Path) -> Iterator[Turn]:
    """The turns so far, up to the first one that cannot be read."""
    with suppress(Problem):
        yield from read_lines(path, Turn)


def _turn(turn: Turn, notes: tuple[LiveNote, ...] = (), refused: tuple[ShownCall, ...] = ()) -> ShownTurn:
    files = tuple(f"{file.name}: {file.shows}" for file in turn.attachments)
    return ShownTurn(turn.party, turn.text, (*map(_call, turn.calls), *refused), files, notes)


def _call(call: ToolCall) -> ShownCall:
    wrote, ok = call.result.wrote, call.result.ok
    sign, kind = ("✎", "write") if wrote else ("⌕", "look-up") if ok else ("✗", "refused")
    return ShownCall(sign, kind, _asked(call), call.result.text)


def _refused(call: RefusedCall) -> ShownCall:
    """A call made outside its turn."""
    return ShownCall("✗", f"{call.why}, {call.reason}", _asked(call), "")


def _asked(call: ToolCall | RefusedCall) -> str:
    given = call.arguments if isinstance(call.arguments, str) else to_json(call.arguments).decode()
    return f"{call.tool} {given}"


def _note(finding: Finding) -> LiveNote:
    standing = f", {finding.standing}" if finding.to_check else ""
    words = f"{finding.check.replace('_', ' ')}: {finding.answer}{standing} ({finding.reason})"
    return LiveNote(words, "bad" if is_issue(finding) else "")
