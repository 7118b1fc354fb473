"""Bundle: the conversations of one agent on one case, as a script that a page can load from a folder.

It contains the record itself, so the pages come with their evidence: `verify.py` reads it back.
"""

import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from supportagentbench.checks.actions import (
    Banned,
    CallAtTurn,
    attempted_forbidden,
    breach,
    calls_of,
    check_of,
)
from supportagentbench.checks.catalogue import DUTIES
from supportagentbench.checks.issue import is_issue
from supportagentbench.checks.telling import Replies
from supportagentbench.records.amount import Moment, Seconds
from supportagentbench.records.change import essence
from supportagentbench.records.finding import Finding
from supportagentbench.records.judgement import Judgement
from supportagentbench.records.name import Id, RunNumber
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import Record, digest, to_json
from supportagentbench.records.secrets import holds_secret
from supportagentbench.records.transcript import ToolCall, Transcript
from supportagentbench.records.vocabulary import Vocabulary
from supportagentbench.results.load import ScoredConversation
from supportagentbench.site.data.due import due_in
from supportagentbench.site.data.site_data import Keep
from supportagentbench.site.data.why import why
from supportagentbench.storage.file import LARGEST_BUNDLE, read_bounded, write_new
from supportagentbench.storage.place import inside
from supportagentbench.storage.record_file import record_in
from supportagentbench.storage.transcripts import Filed

CALL = "SAB.bundle("
"""The call that a bundle makes when it is loaded; one argument and a closing bracket follow."""


class MarginNote(Record):
    """A finding as the reader shows it."""

    check: str
    value: bool | None
    reason: str
    is_issue: bool
    turns: tuple[int, ...] = ()
    quote: str = ""
    """The agent's words that it is based on, to be underlined."""
    standing: str = ""
    """Whether a judge has settled it, if it is or was to check."""


class ShownAct(Record):
    """A call that is not a look-up, including one that the desk refused."""

    turn: int
    call: int
    """Its index among the calls of the turn."""
    tool: str
    sign: str
    """Equal for two calls with the same effect, even if their texts differ."""
    breach: str = ""
    """The check that found it forbidden; empty: it was not."""
    rules: tuple[str, ...] = ()


class BundledConversation(Record):
    """One run of the case."""

    run: RunNumber
    digest: str
    started: Moment
    seconds: Seconds
    outcome: str
    transcript: Transcript
    notes: tuple[MarginNote, ...]
    acts: tuple[ShownAct, ...] = ()
    judgements: tuple[Judgement, ...] = ()
    due: tuple[str, ...] = ()
    """What would have been right, sentence by sentence."""

    @property
    def filed(self) -> Filed:
        return Filed(self.transcript, self.digest, self.started, self.seconds)


class Bundle(Record):
    """All runs of one case by one agent."""

    case: Id
    agent: Id
    """The agent's name in links."""
    runs: tuple[BundledConversation, ...]


def bundle_path(case: str, slug: str) -> str:
    """The bundle's path in the folder of pages."""
    return f"data/t/{case}/{slug}.js"


def bundle_of(
    case: str, slug: str, conversations: list[ScoredConversation], vocabulary: Vocabulary
) -> Bundle:
    """The bundle of these runs."""
    return Bundle(case, slug, tuple(_shown(one, vocabulary) for one in conversations))


def _shown(conversation: ScoredConversation, vocabulary: Vocabulary) -> BundledConversation:
    return BundledConversation(
        run=conversation.verdict.run,
        digest=conversation.filed.digest,
        started=conversation.filed.started,
        seconds=conversation.filed.seconds,
        outcome=conversation.verdict.outcome.kind,
        transcript=conversation.filed.transcript,
        notes=tuple(
            _note(finding, conversation.filed.transcript, vocabulary)
            for finding in conversation.verdict.findings
            if is_in_margin(finding)
        ),
        acts=tuple(acts_of(conversation.filed.transcript, vocabulary)),
        judgements=conversation.judgements,
        due=tuple(due_in(conversation.filed.transcript, vocabulary)),
    )


def is_in_margin(finding: Finding) -> bool:
    """Issues, duties, undecided checks, and findings that are or were to check."""
    return is_issue(finding) or finding.check in DUTIES or finding.to_check or finding.value is None


def _note(finding: Finding, transcript: Transcript, vocabulary: Vocabulary) -> MarginNote:
    is_wrong = is_issue(finding)
    is_told = is_wrong or (finding.to_check and finding.value is True)
    return MarginNote(
        finding.check,
        finding.value,
        why(finding, transcript, vocabulary) if is_told else finding.reason,
        is_wrong,
        finding.turns,
        finding.quote,
        finding.standing,
    )


def acts_of(transcript: Transcript, vocabulary: Vocabulary) -> Iterator[ShownAct]:
    """Everything the agent did or tried to do, with the ban that it violated, if any."""
    calls = calls_of(transcript)
    first = {turn: at for at, (turn, _) in reversed(list(enumerate(calls)))}
    for at, made in enumerate(calls):
        if made.call.tool not in vocabulary.by_act and not made.call.result.wrote:
            continue
        check, rules = _broken(transcript, made, calls[:at], vocabulary)
        sign = sign_of(made.call, vocabulary)
        yield ShownAct(made.turn, at - first[made.turn], made.call.tool, sign, check, rules)


def sign_of(call: ToolCall, vocabulary: Vocabulary) -> str:
    """A name for a call's effect on the books; free text and stock are left out."""
    if not call.result.ok:
        return f"{call.tool} refused"
    goods = vocabulary.views.essentials
    changes = [
        (*change.place, essence(change.after, goods))
        for change in call.result.changes
        if not change.is_bookkeeping
    ]
    return f"{call.tool} {digest(changes)}"


def _broken(
    transcript: Transcript, made: CallAtTurn, earlier: list[CallAtTurn], vocabulary: Vocabulary
) -> tuple[str, tuple[str, ...]]:
    """The check that a call violates and the rules behind it, if it was forbidden at that moment."""
    for ban in transcript.label.bans:
        if ban.act != made.call.tool:
            continue
        alone = [Banned(made, ban, earlier)]
        replies = Replies(transcript, (), vocabulary)
        done = breach(transcript, check_of(ban), alone, replies)
        found = done if made.call.result.ok else attempted_forbidden(transcript, alone, replies)
        if found.value:
            return found.check, ban.rules
    return "", ()


def as_script(call: str, content: Any) -> bytes:
    """Content as a script that passes it to the page; no text in it can end the script."""
    text = msgspec.json.encode(content, order="deterministic") if not isinstance(content, bytes) else content
    safe = text.replace(b"</", b"<\\/").replace(b"<!--", b"<\\u0021--")
    safe = safe.replace("\u2028".encode(), b"\\u2028").replace("\u2029".encode(), b"\\u2029")
    return call.encode() + safe + b")\n"


def from_script(call: str, script: bytes) -> bytes:
    """The exact content that `as_script` was given."""
    safe = script.removeprefix(call.encode()).removesuffix(b")\n")
    return _ESCAPE.sub(lambda found: _UNSAFE.get(found[1], found[0]), safe)


_ESCAPE = re.compile(rb"\\(\\|/|u0021|u2028|u2029)")
_UNSAFE = {b"/": b"/", b"u0021": b"!", b"u2028": "\u2028".encode(), b"u2029": "\u2029".encode()}
"""What `as_script` escapes; our JSON contains no such escapes otherwise."""


def read_bundle(path: Path) -> Bundle:
    """A bundle read back from the folder of pages."""
    return record_in(from_script(CALL, read_bounded(path, LARGEST_BUNDLE)), Bundle, path)


def keep_in(folder: Path) -> Keep:
    """A function that writes the bundles of every case and agent into this folder."""
    return partial(_keep, folder)


def _keep(
    folder: Path, case: str, slug: str, conversations: list[ScoredConversation], vocabulary: Vocabulary
) -> None:
    path = inside(folder, bundle_path(case, slug))
    content = as_script(CALL, to_json(bundle_of(case, slug, conversations, vocabulary)))
    refuse_secret(Path(bundle_path(case, slug)), content)
    write_new(path, content)


def refuse_secret(path: Path, content: bytes) -> None:
    """Stop before a key is published: a run by an earlier version or another program may contain one."""
    if holds_secret(content):
        raise Problem(
            "would show a key or password that is set in this environment; revoke it and take it out of the "
            "runs. If it is only a word, set another value.",
            place=path,
        )
