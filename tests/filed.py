"""Conversations put on file in tests: a few runs that pages can be made from in a moment."""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

from msgspec.structs import replace

from conversations import CASES, HEADER, Says
from supportagentbench.calibration.prove import ScriptPlayer, play
from supportagentbench.desk import Agent
from supportagentbench.records.judgement import FindingOpinion, Judgement, Opinion
from supportagentbench.records.record import to_json
from supportagentbench.records.transcript import Attachment, ToolCall, ToolResult, Transcript, Turn
from supportagentbench.records.usage import Usage
from supportagentbench.storage.archive import JUDGEMENTS, RunWriter
from supportagentbench.storage.transcripts import Filed

FEW = ("damaged_no_proof-1", "damaged_no_proof-1-twin", "abusive_threatening-1", "tracking-1")
"""A trap, its twin, a case for a human, and one that any desk can answer."""

CHARGED = "duplicate_charge-1"
"""A case that is resolved by what is said."""

HOSTILE = "</script><script>window.hit = 1</script><img src=x onerror='window.hit = 1'><!-- \u2028"

Judge = Callable[[Filed], Iterable[Judgement]]


@cache
def solved(case: str) -> Transcript:
    """The conversation as it ought to go."""
    return _played(case, ScriptPlayer(CASES.cases[case].solution))


def with_empty_words(talk: Transcript) -> Transcript:
    """The conversation with a phrase for every reply; code cannot tell whether it answers anything."""
    phrase = "I have read it with care, and everything about it is as it should be at our end."
    turns = (replace(one, text=phrase) if one.party == "agent" and one.text else one for one in talk.turns)
    return replace(talk, turns=tuple(turns))


@cache
def failed(case: str) -> Transcript:
    """The conversation with the mistake that the case is about."""
    return _played(case, ScriptPlayer(CASES.cases[case].mistake))


@cache
def refused(case: str) -> Transcript:
    """The conversation with somebody who only ever says no."""
    return _played(case, Says("I'm sorry, but we can't do that."))


def _played(case: str, agent: Agent) -> Transcript:
    """Held in a thread of its own: where a browser is driven, a loop runs in this one."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(play, CASES, CASES.cases[case], agent).result()


def hostile(transcript: Transcript) -> Transcript:
    """The same conversation, held by somebody who wants to run a script in the reader's browser."""
    call = ToolCall(HOSTILE, {HOSTILE: HOSTILE}, ToolResult.refused(HOSTILE))
    usage = Usage(HOSTILE, input=3837, output=43, cost=0.003)
    turns = [
        replace(turn, text=f"{turn.text} {HOSTILE}", calls=(call, *turn.calls), usage=(usage,))
        if turn.party == "agent"
        else replace(turn, attachments=(Attachment(HOSTILE, "photo", HOSTILE),))
        for turn in transcript.turns
    ]
    return replace(transcript, turns=tuple(turns))


def file_run(
    root: Path, agent: str, run: int, talks: Iterable[Transcript], judge: Judge | None = None
) -> Path:
    """A run of these conversations, and what a judge holds of them."""
    found = [replace(talk, run=run) for talk in talks]
    header = replace(HEADER, agent=agent, run=run, cases=tuple(talk.case for talk in found))
    with RunWriter(root, header) as writer:
        filed = [writer.add(talk, started=1_700_000_000.0, seconds=1.0) for talk in found]
    opinions = [judgement for one in filed for judgement in judge(one)] if judge else []
    (writer.folder / JUDGEMENTS).write_bytes(b"".join(to_json(one) + b"\n" for one in opinions))
    return writer.folder


def two_judges(filed: Filed) -> tuple[Judgement, Judgement]:
    """Two that hold opposite opinions of the resolution; one void answer, and one finding dropped."""
    turn = next(at for at, turn in enumerate(filed.transcript.turns) if turn.party == "agent")
    quote = filed.transcript.turns[turn].text[:20]
    void = Opinion("sentiment", None, turn=99, quote="never said", void="no_such_turn")
    return (
        Judgement(
            filed.digest,
            "acme/large",
            "v1",
            (Opinion("resolution", True, turn, quote, reason="It was done."), void),
            findings=(FindingOpinion("dumped:1", "drop", turn, quote, reason=f"Its own words {HOSTILE}."),),
        ),
        Judgement(
            filed.digest,
            f"other/{HOSTILE}",
            "v1",
            (Opinion("resolution", False, turn, quote, reason=f"Nothing was done {HOSTILE}."),),
        ),
    )


def file_few(root: Path) -> Path:
    """Three agents, two runs each: one right, one that changes its mind, one hostile."""
    for run in (1, 2):
        file_run(root, "steady", run, map(solved, FEW), two_judges)
        file_run(root, "wavering", run, map(solved if run == 1 else failed, FEW))
        file_run(root, f"hostile {HOSTILE}", run, (hostile(failed(case)) for case in FEW))
    return root


def agent_turn(*calls: ToolCall, text: str = "Done.") -> Turn:
    """A turn of an agent that makes these calls."""
    return Turn("agent", text, calls)
