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
from supportagentbench.storage.file import make_folder, open_append, open_reading
from supportagentbench.storage.jsonl import add_line, lines_in


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


BEGINNING = b'{"record":"recorded_answer/1","key":"'
"""Of every line."""


class Recording:
    """An open recording. New answers are appended if it is open for recording."""

    def __init__(self, path: Path, *, records: bool) -> None:
        self.path = path
        self.records = records
        self._spans: dict[str, tuple[int, int]] = {}
        """Offset and length of each answer."""

    def __enter__(self) -> "Recording":
        if self.records:
            make_folder(self.path.parent)
        self._file = (open_append if self.records else open_reading)(self.path, follow=True)
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
        offset, torn = 0, b""
        with open_reading(self.path, follow=True) as file:
            for number, line in lines_in(file, self.path, torn=True):
                if not line.endswith(b"\n"):
                    torn = line
                    break
                self._spans[self._key_on(number, line)] = offset, len(line)
                offset += len(line)
        if torn and not _is_torn_answer(torn, is_first=not offset):
            raise Problem(
                "ends in something other than a recorded answer, and is left as it is; "
                "record to a new file with --record.",
                place=self.path,
            )
        if torn and self.records:
            self._file.truncate(offset)
        return offset

    def _key_on(self, number: int, line: bytes) -> str:
        try:
            return from_json(line, RecordedAnswer).key
        except msgspec.MsgspecError as error:
            raise Problem(
                f"cannot be read: {error}; record again with --record to a new file.",
                place=self.path,
                line=number,
            ) from None


def _is_torn_answer(line: bytes, *, is_first: bool) -> bool:
    """Whether a killed process can have left this; in a file without answers, nothing shorter tells."""
    return line.startswith(BEGINNING) or (BEGINNING.startswith(line) and not is_first)


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
