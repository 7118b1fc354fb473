"""Mutations: a stranger's edits of a run, one field at a time, and the commands that then read it.

Every field of every record gets every value that is worse for its type. What the reader refuses is done with;
what it accepts is put before the commands, and none of them may end in a traceback.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from msgspec.structs import replace

from commands import Done, sab
from filed import FEW, failed, file_run, solved, two_judges
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import digest
from supportagentbench.records.transcript import RefusedCall, Transcript
from supportagentbench.records.usage import Usage
from supportagentbench.results.load import load_runs
from supportagentbench.storage.archive import read_errors, read_header, read_judgements
from supportagentbench.storage.transcripts import read_transcripts

Step = str | int
Place = tuple[Step, ...]

MISSING: Any = object()
"""In place of a value: the field is left out."""

WORDS = ("", "nobody", "tracking-1", "cancel_order", "(", "\x00", "../x", "é" * 300, "9" * 400, "resolution")
NUMBERS = (-1, 0, 1, 3, 10**6, 10**18, 2**63 - 1, -(2**63), 2**64, 0.5, -0.0, 1e300, -1e300, 5e-324)
OTHERS: tuple[Any, ...] = (None, True, False, [], {}, [[]], {"": ""}, [None])


class Mutation(NamedTuple):
    """One edit of one record."""

    place: Place
    value: Any

    def of(self, record: Any) -> Any:
        """The record with this edit; the record itself stays as it is."""
        return _edited(record, self.place, self.value)

    def __str__(self) -> str:
        value = "missing" if self.value is MISSING else repr(self.value)[:60]
        return f"{'.'.join(map(str, self.place))} = {value}"


def _edited(record: Any, place: Place, value: Any) -> Any:
    if not place:
        return value
    (step, *rest), copy = place, record.copy()
    if not rest and value is MISSING:
        del copy[step]
    else:
        copy[step] = _edited(record[step], tuple(rest), value)
    return copy


def mutations(record: Any) -> Iterator[Mutation]:
    """Every edit: of a list's members, the first that has a field stands for all."""
    seen: set[Place] = set()
    for place, value in _places(record):
        general = tuple("*" if isinstance(step, int) else step for step in place)
        if general not in seen:
            seen.add(general)
            yield from (Mutation(place, worse) for worse in _worse(value))


def _places(record: Any, place: Place = ()) -> Iterator[tuple[Place, Any]]:
    if place:
        yield place, record
    inside = (
        record.items() if isinstance(record, dict) else enumerate(record) if isinstance(record, list) else ()
    )
    for step, value in inside:
        yield from _places(value, (*place, step))


def _worse(value: Any) -> Iterator[Any]:
    """What may stand in place of a value; most of it is refused at once."""
    yield MISSING
    yield from OTHERS
    yield from WORDS
    yield from NUMBERS
    if isinstance(value, list):
        yield from (value + value, value[:1], value[1:], value[::-1])
    if isinstance(value, str):
        yield from (value + value, value[:1], value.upper(), f"{value}\n", value + "é")
    if isinstance(value, dict):
        yield dict([*value.items()][:1])


class MutatedRun:
    """A run, and one that it is compared with; one record of the first is edited at a time."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.runs = root / "runs"
        talks = [rich(failed(case)) for case in FEW[:2]] + [rich(solved(case)) for case in FEW[2:]]
        self.folder = file_run(self.runs, "edited", 1, talks, two_judges)
        self.other = file_run(self.runs, "steady", 1, map(solved, FEW), two_judges)
        self._sound = {path.name: path.read_bytes() for path in self.folder.iterdir()}
        assert sab("gate", self.folder, "--save", root / "baseline.json", cwd=root).returncode == 0

    def records(self) -> dict[str, Any]:
        """One record of every kind that is in the folder, as plain JSON."""
        found: dict[str, Any] = {"run.json": json.loads(self._sound["run.json"])}
        for name in ("transcripts.jsonl", "judgements.jsonl"):
            found[name] = json.loads(self._sound[name].splitlines()[0])
        return found

    def put(self, name: str, record: Any) -> None:
        """Put an edited record in the place of the sound one; digests fit."""
        for other, data in self._sound.items():
            (self.folder / other).write_bytes(data)
        if name == "run.json":
            (self.folder / name).write_bytes(written(record))
            return
        if name == "transcripts.jsonl" and "transcript" in record:
            record = {**record, "digest": digest(written(record["transcript"]))}
        rest = self._sound[name].splitlines(keepends=True)[1:]
        (self.folder / name).write_bytes(written(record) + b"\n" + b"".join(rest))

    def is_accepted(self) -> bool:
        """Whether all records can be read."""
        try:
            read_header(self.folder)
            list(read_transcripts(self.folder))
            read_judgements(self.folder)
            read_errors(self.folder)
        except Problem:
            return False
        return True

    def tracebacks(self, commands: Iterable[str]) -> Iterator[str]:
        """What these commands print that is no sentence; one is enough for runs that cannot be scored."""
        try:
            load_runs([self.runs])
        except Problem:
            commands = ["board"]
        for command in commands:
            done = COMMANDS[command](self)
            if "Traceback" in done.stderr or done.returncode not in EXPECTED:
                yield f"sab {command} ({done.returncode}): {' '.join(done.stderr.splitlines()[-3:])[-400:]}"


EXPECTED = (0, 1, 2, 100, 101)
"""Exit codes of commands that know what they say."""

COMMANDS: dict[str, Callable[[MutatedRun], Done]] = {
    "board": lambda one: sab("board", one.runs, cwd=one.root),
    "show": lambda one: sab("show", one.folder, FEW[0], cwd=one.root),
    "items": lambda one: sab("items", one.runs, cwd=one.root),
    "compare": lambda one: sab("compare", "edited", "steady", one.runs, cwd=one.root),
    "diff": lambda one: sab("diff", one.folder, one.other, cwd=one.root),
    "export": lambda one: sab("export", one.runs, "-o", one.root / "table.csv", cwd=one.root),
    "judges": lambda one: sab("judges", one.runs, cwd=one.root),
    "grep": lambda one: sab("grep", "order", one.runs, cwd=one.root),
    "power": lambda one: sab("power", one.runs, "edited", "steady", cwd=one.root),
    "gate": lambda one: sab("gate", one.folder, "--baseline", one.root / "baseline.json", cwd=one.root),
    "save": lambda one: sab("gate", one.folder, "--save", one.root / "new.json", cwd=one.root),
    "labels": lambda one: sab("labels", "write", one.runs, "-o", one.root / "sheet.csv", cwd=one.root),
    "site": lambda one: sab("site", "build", one.runs, "-o", one.root / "site", cwd=one.root),
    "repair": lambda one: sab("repair", one.folder, cwd=one.root),
}


def rich(transcript: Transcript) -> Transcript:
    """The same conversation with something in every field."""
    usage = Usage("some-model", input=100, output=20, cost=0.01, cost_by="table", attempts=2, lost=1)
    turns = tuple(
        replace(turn, usage=(usage,)) if turn.party == "agent" else turn for turn in transcript.turns
    )
    refused = (RefusedCall(1, "find_order", {"order": "#1101"}, "late", 1),)
    return replace(transcript, turns=turns, refused=refused, ending=replace(transcript.ending, detail="so"))


def written(record: Any) -> bytes:
    return json.dumps(record, separators=(",", ":")).encode()


def sample(run: MutatedRun, random: Random, count: int) -> Iterator[tuple[str, Mutation]]:
    """So many edits, drawn at random."""
    known = [(name, one) for name, record in run.records().items() for one in mutations(record)]
    yield from random.sample(known, min(count, len(known)))
