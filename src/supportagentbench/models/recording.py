"""Recording: a model's answers on disk, to be replayed. Replaying a run costs nothing and changes nothing.

An answer is found by everything that was asked, by the conversation it was asked in and by its position
there. So repetitions of a case stay independent, and a replayed run is the same run.
"""

import os
from pathlib import Path
from types import TracebackType

import msgspec

from supportagentbench.models import Completion, Model, ModelError, ModelRequest
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import Record, digest, from_json, to_json
from supportagentbench.records.secrets import sealed_json
from supportagentbench.records.transcript import Cause
from supportagentbench.records.usage import Usage
from supportagentbench.storage.jsonl import add_line, whole_lines


class RecordedFailure(Record):
    """A request that got no answer."""

    cause: Cause
    detail: str
    usage: Usage


class RecordedAnswer(Record, tag_field="record", tag="recorded_answer/1"):
    """One line of a recording."""

    key: str
    completion: Completion | None = None
    failure: RecordedFailure | None = None


class Recording:
    """An open recording. New answers are appended if it is open for recording."""

    def __init__(self, path: Path, *, records: bool) -> None:
        self.path = path
        self.records = records
        self._spans: dict[str, tuple[int, int]] = {}
        """Offset and length of each answer."""

    def __enter__(self) -> "Recording":
        try:
            if self.records:
                self.path.parent.mkdir(parents=True, exist_ok=True)
            self._file = self.path.open("ab+" if self.records else "rb", buffering=0)
        except OSError as error:
            raise Problem(f"cannot be opened ({error.strerror}).", place=self.path) from None
        try:
            self._end = self._index()
        except Problem:
            self._file.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def find(self, key: str) -> RecordedAnswer | None:
        """The answer recorded under this key."""
        if key not in self._spans:
            return None
        start, length = self._spans[key]
        return from_json(os.pread(self._file.fileno(), length, start), RecordedAnswer)

    def add(self, answer: RecordedAnswer) -> None:
        """Append an answer; it is safe when this returns."""
        line = sealed_json(answer, to_json) + b"\n"
        add_line(self._file, line, self.path)
        self._spans[answer.key] = self._end, len(line)
        self._end += len(line)

    def _index(self) -> int:
        """Note where every answer is, and cut off a torn last line. Returns the offset of the next answer."""
        offset = 0
        for number, line in whole_lines(self.path):
            try:
                self._spans[from_json(line, RecordedAnswer).key] = offset, len(line)
            except msgspec.MsgspecError as error:
                raise Problem(
                    f"cannot be read: {error}; record again with --record to a new file.",
                    place=self.path,
                    line=number,
                ) from None
            offset += len(line)
        if self.records:
            self._file.truncate(offset)
        return offset


class RecordedModel:
    """A model whose answers are recorded; the model itself is asked only for missing ones."""

    def __init__(self, name: str, recording: Recording, model: Model | None) -> None:
        self.name = name
        self.recording = recording
        self.model = model

    async def complete(self, request: ModelRequest) -> Completion:
        key = digest([self.name, request])
        answer = self.recording.find(key) or await self._ask(key, request)
        if answer.failure:
            raise ModelError(answer.failure.cause, answer.failure.detail, answer.failure.usage)
        if answer.completion is None:
            raise Problem(f"has an empty answer for {self.name}.", place=self.recording.path)
        return answer.completion

    async def _ask(self, key: str, request: ModelRequest) -> RecordedAnswer:
        if self.model is None:
            raise Problem(
                f"has no answer to a request that {self.name} gets now; replay with the agent, world, seed "
                "and settings of the recording, or record again with --record.",
                place=self.recording.path,
            )
        try:
            answer = RecordedAnswer(key, completion=await self.model.complete(request))
        except ModelError as error:
            answer = RecordedAnswer(key, failure=RecordedFailure(error.cause, error.detail, error.usage))
            if error.cause not in ("refusal", "context_overflow"):
                raise  # An outage is not recorded: the next run asks again.
        self.recording.add(answer)
        return answer
