"""Tape: a model's answers on disk, to be given again. Replaying a run costs nothing and changes nothing.

An answer is found by everything that was asked, by the conversation it was asked in and by its place
there; so repetitions of a case stay independent, and a run that is replayed is the same run.
"""

import os
from pathlib import Path
from types import TracebackType

import msgspec

from supportagentbench.models import Completion, Model, ModelError, ModelRequest
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import Record, digest, from_json, to_json
from supportagentbench.records.transcript import Cause
from supportagentbench.records.usage import Usage
from supportagentbench.storage.jsonl import add_line, whole_lines


class RecordedFailure(Record):
    """An answer that did not come."""

    cause: Cause
    detail: str
    usage: Usage


class Take(Record, tag_field="record", tag="take/1"):
    """One line of a tape."""

    key: str
    completion: Completion | None = None
    failure: RecordedFailure | None = None


class Recording:
    """An open recording. New answers are added to its end, if it is recording."""

    def __init__(self, path: Path, *, records: bool) -> None:
        self.path = path
        self.records = records
        self._places: dict[str, tuple[int, int]] = {}

    def __enter__(self) -> "Recording":
        try:
            if self.records:
                self.path.parent.mkdir(parents=True, exist_ok=True)
            self._file = self.path.open("ab+" if self.records else "rb", buffering=0)
        except OSError as error:
            raise Problem(f"cannot be opened ({error.strerror}).", place=self.path) from None
        self._end = self._index()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def find(self, key: str) -> Take | None:
        """The answer recorded under this key."""
        if key not in self._places:
            return None
        start, length = self._places[key]
        return from_json(os.pread(self._file.fileno(), length, start), Take)

    def add(self, take: Take) -> None:
        """Put an answer on the tape; it is safe when this returns."""
        line = to_json(take) + b"\n"
        add_line(self._file, line, self.path)
        self._places[take.key] = self._end, len(line)
        self._end += len(line)

    def _index(self) -> int:
        """Note where every answer lies; a torn last line is cut off. Where the next one goes."""
        at = 0
        for number, line in whole_lines(self.path):
            try:
                self._places[from_json(line, Take).key] = at, len(line)
            except msgspec.MsgspecError as error:
                raise Problem(f"cannot be read: {error}.", place=self.path, line=number) from None
            at += len(line)
        if self.records:
            self._file.truncate(at)
        return at


class Recorded:
    """A model whose answers are on tape; only what is not there yet is asked of the model itself."""

    def __init__(self, name: str, tape: Recording, model: Model | None) -> None:
        self.name = name
        self.tape = tape
        self.model = model

    async def complete(self, request: ModelRequest) -> Completion:
        key = digest([self.name, request])
        take = self.tape.find(key)
        if take is None:
            take = await self._ask(key, request)
        if take.failure:
            raise ModelError(take.failure.cause, take.failure.detail, take.failure.usage)
        if take.completion is None:
            raise Problem(f"has an empty answer for {self.name}.", place=self.tape.path)
        return take.completion

    async def _ask(self, key: str, request: ModelRequest) -> Take:
        if self.model is None:
            raise Problem(
                f"lacks an answer that {self.name} is asked for now; replay it with the agent, world, seed "
                "and settings of the recording, or record again with --record.",
                place=self.tape.path,
            )
        try:
            take = Take(key, completion=await self.model.complete(request))
        except ModelError as error:
            take = Take(key, failure=RecordedFailure(error.cause, error.detail, error.usage))
            if error.cause not in ("refusal", "context_overflow"):
                raise  # An outage is nothing to keep: the next run asks again.
        self.tape.add(take)
        return take
