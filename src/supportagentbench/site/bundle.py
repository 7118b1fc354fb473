"""Bundle: the conversations of one agent on one case, as a script that a page can load from a folder.

It holds the record itself, so that whoever has the pages has the evidence: `verify.py` reads it back.
"""

import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from supportagentbench.checks import DUTIES
from supportagentbench.checks.actions import (
    Banned,
    CallAtTurn,
    attempted_forbidden,
    breach,
    calls_of,
    check_of,
)
from supportagentbench.records.change import essence
from supportagentbench.records.finding import Finding
from supportagentbench.records.judgement import Judgement
from supportagentbench.records.record import Record, digest, from_json, to_json
from supportagentbench.records.transcript import ToolCall, Transcript
from supportagentbench.results.load import ScoredConversation
from supportagentbench.site.outcome import is_flag, outcome_of
from supportagentbench.site.pages.reader import ACTS
from supportagentbench.storage.transcripts import Filed

CALL = "SAB.bundle("
"""What a bundle calls once it is loaded; one argument follows, and a bracket."""


class MarginNote(Record):
    """A finding as the reader shows it."""

    check: str
    value: bool | None
    reason: str
    is_flag: bool
    turns: tuple[int, ...] = ()
    quote: str = ""
    """The agent's words that it is based on, to be underlined."""


class ShownAct(Record):
    """A call that is more than a look-up; one that the desk refused counts too."""

    turn: int
    call: int
    """Its place among the calls of the turn."""
    tool: str
    sign: str
    """The same where two calls come to the same, however they are worded."""
    breach: str = ""
    """The check that it goes against; empty: no ban stood."""
    rules: tuple[str, ...] = ()


class BundledConversation(Record):
    """One run of the case."""

    run: int
    digest: str
    started: float
    seconds: float
    outcome: str
    transcript: Transcript
    notes: tuple[MarginNote, ...]
    acts: tuple[ShownAct, ...] = ()
    judgements: tuple[Judgement, ...] = ()

    @property
    def filed(self) -> Filed:
        return Filed(self.transcript, self.digest, self.started, self.seconds)


class Bundle(Record):
    """All runs of one case by one agent."""

    case: str
    model: str
    """The agent's name in links."""
    runs: tuple[BundledConversation, ...]


def bundle_path(case: str, slug: str) -> str:
    """Where the bundle lies in the folder of pages."""
    return f"data/t/{case}/{slug}.js"


def bundle_of(case: str, slug: str, talks: list[ScoredConversation]) -> Bundle:
    """The bundle of these runs."""
    return Bundle(case, slug, tuple(map(_shown, talks)))


def _shown(talk: ScoredConversation) -> BundledConversation:
    return BundledConversation(
        run=talk.verdict.run,
        digest=talk.filed.digest,
        started=talk.filed.started,
        seconds=talk.filed.seconds,
        outcome=outcome_of(talk.verdict).name,
        transcript=talk.filed.transcript,
        notes=tuple(map(_note, filter(_is_shown, talk.verdict.findings))),
        acts=tuple(acts_of(talk.filed.transcript)),
        judgements=talk.judgements,
    )


def _is_shown(finding: Finding) -> bool:
    """Faults that were not found are no news; what could not be told is."""
    return is_flag(finding) or finding.check in DUTIES or finding.value is None


def _note(finding: Finding) -> MarginNote:
    return MarginNote(
        finding.check, finding.value, finding.reason, is_flag(finding), finding.turns, finding.quote
    )


def acts_of(transcript: Transcript) -> Iterator[ShownAct]:
    """Everything the agent did or tried to do, with the ban that it broke."""
    calls = calls_of(transcript)
    first = {turn: at for at, (turn, _) in reversed(list(enumerate(calls)))}
    for at, deed in enumerate(calls):
        if deed.call.tool not in ACTS and not deed.call.result.wrote:
            continue
        check, rules = _broken(transcript, deed, calls[:at])
        yield ShownAct(deed.turn, at - first[deed.turn], deed.call.tool, sign_of(deed.call), check, rules)


def sign_of(call: ToolCall) -> str:
    """A name for what a call came to in the books; free text and stock are left out of it."""
    if not call.result.ok:
        return f"{call.tool} refused"
    changes = [
        (*change.place, essence(change.after)) for change in call.result.changes if not change.is_bookkeeping
    ]
    return f"{call.tool} {digest(changes)}"


def _broken(
    transcript: Transcript, deed: CallAtTurn, earlier: list[CallAtTurn]
) -> tuple[str, tuple[str, ...]]:
    """The check that a call goes against and the rules behind it, if a ban on it stood at that moment."""
    for ban in transcript.label.bans:
        if ban.act != deed.call.tool:
            continue
        alone = [Banned(deed, ban, earlier)]
        done = breach(transcript, check_of(ban), alone)
        found = done if deed.call.result.ok else attempted_forbidden(transcript, alone)
        if found.value:
            return found.check, ban.rules
    return "", ()


def as_script(call: str, content: Any) -> bytes:
    """Content as a script that hands it to the page; no text in it can end the script."""
    text = msgspec.json.encode(content, order="deterministic") if not isinstance(content, bytes) else content
    safe = text.replace(b"</", b"<\\/").replace(b"<!--", b"<\\u0021--")
    safe = safe.replace("\u2028".encode(), b"\\u2028").replace("\u2029".encode(), b"\\u2029")
    return call.encode() + safe + b")\n"


def from_script(call: str, script: bytes) -> bytes:
    """The content of a script, letter for letter as it was before it was made safe."""
    safe = script.removeprefix(call.encode()).removesuffix(b")\n")
    return _ESCAPE.sub(lambda found: _UNSAFE.get(found[1], found[0]), safe)


_ESCAPE = re.compile(rb"\\(\\|/|u0021|u2028|u2029)")
_UNSAFE = {b"/": b"/", b"u0021": b"!", b"u2028": "\u2028".encode(), b"u2029": "\u2029".encode()}
"""What `as_script` escapes; JSON of ours has no such escapes otherwise."""


def read_bundle(path: Path) -> Bundle:
    """A bundle read back from the folder of pages."""
    return from_json(from_script(CALL, path.read_bytes()), Bundle)


def keep_in(folder: Path) -> Callable[[str, str, list[ScoredConversation]], None]:
    """Who writes the bundles of every case and agent below this folder."""
    return partial(_keep, folder)


def _keep(folder: Path, case: str, slug: str, talks: list[ScoredConversation]) -> None:
    path = folder / bundle_path(case, slug)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(as_script(CALL, to_json(bundle_of(case, slug, talks))))
