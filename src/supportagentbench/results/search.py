"""Search: one conversation among stored runs by agent and case, or many by what was said or done in them."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Literal, NamedTuple

from supportagentbench.records.clock import TurnClock
from supportagentbench.records.counts import counted
from supportagentbench.records.did_you_mean import did_you_mean
from supportagentbench.records.judgement import Judgement
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import Record, to_json
from supportagentbench.records.run import Run
from supportagentbench.records.set_aside import SetAside
from supportagentbench.records.transcript import Party, Transcript, Turn
from supportagentbench.records.verdict import Verdict
from supportagentbench.results.load import opinions_in, scored_in
from supportagentbench.results.settled import finding_answers, settled
from supportagentbench.storage.archive import find_runs, read_header
from supportagentbench.storage.run_folders import distinct_runs
from supportagentbench.storage.set_aside import read_set_aside
from supportagentbench.storage.transcripts import Filed, read_transcripts


class FoundConversation(NamedTuple):
    """A conversation, its agent and run, and what checks and judges say about it."""

    agent: str
    transcript: Transcript
    verdict: Verdict
    judgements: tuple[Judgement, ...] = ()
    """The rule judge's, then those on file."""
    clock: tuple[TurnClock, ...] = ()
    """When each turn was worked on; empty in older archives."""
    set_aside: tuple[SetAside, ...] = ()
    """Other attempts at it that do not count."""
    is_unlabelled: bool = False
    """Whether it is not known what is right in it."""


class Hit(Record):
    """A line in which the words were found."""

    agent: str
    run: int
    case: str
    turn: int
    """Index of the turn; 0 is the customer's opening."""
    party: Party
    place: Literal["said", "call", "result"]
    line: str
    start: int
    end: int
    """Where in the line."""


def find_talk(folder: Path, case: str, model: str = "", run: int = 0) -> FoundConversation:
    """The conversation on this case by this model, in this or the first run."""
    headers = [(place, read_header(place)) for place in _runs_in(folder)]
    chosen = [
        (place, header) for place, header in _of_model(headers, model, folder) if not run or header.run == run
    ]
    for place, header in chosen:
        for filed in read_transcripts(place):
            if filed.transcript.case == case:
                aside = tuple(one for one in read_set_aside(place, [case]) if one.case == case)
                return _found(place, filed, header)._replace(set_aside=aside)
    which = f" in run {run}" if run else ""
    cases = {known for _, header in headers for known in header.cases}
    near = "" if case in cases else did_you_mean(case, cases)
    raise Problem(f"has no conversation on {case!r}{which}; `sab cases` lists them.{near}", place=folder)


def _found(folder: Path, filed: Filed, header: Run) -> FoundConversation:
    scored, on_file = scored_in(folder, filed, header), opinions_in(folder)
    own = (scored.judgement,) if scored.judgement else ()
    others = tuple(one for one in on_file if one.transcript == filed.digest)
    verdict = settled(scored.verdict, finding_answers(on_file), header.vocabulary)
    found = FoundConversation(header.agent, filed.transcript, verdict, own + others, filed.clock)
    return found._replace(is_unlabelled=header.unlabelled)


def _runs_in(folder: Path) -> list[Path]:
    """The runs below this folder; a Problem if there are none."""
    if not (folder / "run.json").exists() and not any(folder.glob("*/run.json")):
        read_header(folder)
    return find_runs([folder])


def _of_model(headers: list[tuple[Path, Run]], model: str, folder: Path) -> list[tuple[Path, Run]]:
    """The runs of one agent: of that name, or else the only one whose name has this part."""
    names = sorted({header.agent for _, header in headers})
    wanted = [name for name in names if name == model] or [
        name for name in names if model.casefold() in name.casefold()
    ]
    if len(wanted) != 1:
        which = f"there are {counted(len(names), 'agent')}"
        if model:
            which = f"{len(wanted) or 'no'} agents here are called {model!r}"
        near = did_you_mean(model, names)
        raise Problem(f"{which}; name one with --model: {', '.join(wanted or names)}.{near}", place=folder)
    return [(place, header) for place, header in headers if header.agent == wanted[0]]


def find_words(pattern: str, paths: Iterable[Path], *, ignore_case: bool = False) -> Iterator[Hit]:
    """Every line of these runs in which a regular expression is found, with its first place in it."""
    try:
        wanted = re.compile(pattern, re.IGNORECASE if ignore_case else 0)
    except re.error as error:
        raise Problem(f"{pattern!r} is not a valid regular expression: {error}.") from None
    for folder in distinct_runs(paths).folders:
        header = read_header(folder)
        for filed in read_transcripts(folder):
            for number, turn in enumerate(filed.transcript.turns):
                for place, line in _lines(turn):
                    if hit := wanted.search(line):
                        yield Hit(
                            agent=header.agent,
                            run=header.run,
                            case=filed.transcript.case,
                            turn=number,
                            party=turn.party,
                            place=place,
                            line=line,
                            start=hit.start(),
                            end=hit.end(),
                        )


def _lines(turn: Turn) -> Iterator[tuple[Literal["said", "call", "result"], str]]:
    for call in turn.calls:
        given = call.arguments if isinstance(call.arguments, str) else to_json(call.arguments).decode()
        yield "call", f"{call.tool} {given}"
        for line in call.result.text.splitlines():
            yield "result", line
    for line in turn.text.splitlines():
        yield "said", line
