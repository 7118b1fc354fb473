"""Answer cache: model answers that were paid for, kept until their conversation is stored.

A run that is killed has paid for the conversations in flight. Each answer is written down as it arrives.
When the same command runs again, these conversations restart and get the same answers as far as they reach,
so nothing is paid for twice except requests that were under way at that moment.

Who plays a conversation knows neither file nor folder: it is given the answers of before and a function that
keeps each new one, in this process or in another.
"""

from collections import defaultdict
from collections.abc import Callable, Container, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from types import TracebackType
from typing import IO, NamedTuple

import msgspec

from supportagentbench.models import Completion, Model, ModelRequest
from supportagentbench.records.record import Record, digest
from supportagentbench.records.secrets import sealed_json
from supportagentbench.records.usage import Usage
from supportagentbench.storage.file import open_append, write_whole
from supportagentbench.storage.jsonl import add_line, read_lines

ANSWERS = "answers.jsonl"
REMEDY = "delete the file; the conversations that were in flight are run and paid for again"

AnswersByKey = dict[str, Completion]
"""Answers in one conversation, by what was asked."""

AnswerKeeper = Callable[[str, Completion], None]
"""Keeps one more answer of a conversation, by what was asked; it is safe when this returns."""


def forget(key: str, completion: Completion) -> None:
    """Keep nothing: for answers that cost nothing."""


class CachedAnswer(Record, tag_field="record", tag="cached_answer/1"):
    """One line: an answer, or a note that its conversation is stored and its answers are no longer needed."""

    case: str
    key: str = ""
    completion: Completion | None = None


class AnswerCache:
    """The answers of one run's unfinished conversations. Only the run's one writer may open it."""

    def __init__(self, folder: Path, unfinished: Container[str]) -> None:
        self.path = folder / ANSWERS
        self._unfinished = unfinished
        self._file: IO[bytes] | None = None

    def __enter__(self) -> "AnswerCache":
        before = unfinished_answers(self.path.parent)
        self._kept = {case: kept for case, kept in before.items() if case in self._unfinished}
        """The answers in the file that are still needed, by case."""
        if self.path.exists():
            lines = [
                _line(CachedAnswer(case, *answer))
                for case, kept in self._kept.items()
                for answer in kept.items()
            ]
            write_whole(self.path, b"".join(lines))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file:
            self._file.close()

    def replays_agent(self, case: str) -> bool:
        """Whether there are answers of an agent's model, so that its conversation goes on as it began."""
        return any(one.usage.role == "agent" for one in self._kept.get(case, {}).values())

    def take(self, case: str) -> AnswersByKey:
        """The answers that this conversation had when it was cut short."""
        return dict(self._kept.get(case, {}))

    def keep(self, case: str, key: str, completion: Completion) -> None:
        """Write an answer down; it is safe when this returns."""
        self._kept.setdefault(case, {})[key] = completion
        self._write(CachedAnswer(case, key, completion))

    def finish(self, case: str) -> None:
        """The conversation is stored; its answers are no longer needed."""
        if self._kept.pop(case, None):
            self._write(CachedAnswer(case))

    def discard(self) -> None:
        """All conversations are stored."""
        self.path.unlink(missing_ok=True)

    def _write(self, answer: CachedAnswer) -> None:
        self._file = self._file or open_append(self.path)
        add_line(self._file, _line(answer), self.path)


class CachedConversation(NamedTuple):
    """A conversation in flight, with the answers it can reuse."""

    kept: AnswersByKey
    keep: AnswerKeeper


_CONVERSATION: ContextVar[CachedConversation] = ContextVar("_CONVERSATION")
"""The conversation that the current task runs: its models are shared with all others."""


@contextmanager
def keeping(answers: Mapping[str, Completion], keep: AnswerKeeper) -> Iterator[None]:
    """Give the models that are asked in here these answers again, and keep each new one."""
    before = _CONVERSATION.set(CachedConversation(dict(answers), keep))
    try:
        yield
    finally:
        _CONVERSATION.reset(before)


class CachedModel:
    """A model whose answers are kept until their conversation is stored, and reused after a kill."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.name = model.name

    async def complete(self, request: ModelRequest) -> Completion:
        conversation = _CONVERSATION.get(None)
        if conversation is None:
            return await self.model.complete(request)
        key = _key(self.name, request)
        if kept := conversation.kept.pop(key, None):
            return kept
        completion = await self.model.complete(request)
        conversation.keep(key, completion)
        return completion


def unfinished_answers(folder: Path) -> dict[str, AnswersByKey]:
    """The answers in a run's folder whose conversation is not stored yet, by case."""
    found: dict[str, AnswersByKey] = defaultdict(dict)
    for answer in read_lines(folder / ANSWERS, CachedAnswer, REMEDY):
        if answer.completion is None:
            found.pop(answer.case, None)
        else:
            found[answer.case][answer.key] = answer.completion
    return found


def cached_usage(folder: Path) -> list[Usage]:
    """What these answers used."""
    return [answer.usage for kept in unfinished_answers(folder).values() for answer in kept.values()]


def _key(name: str, request: ModelRequest) -> str:
    """What was asked: the position in the conversation, and what was added since the last answer.

    Earlier messages are covered by the answers before; the rest, such as the policy, is in the run's header.
    """
    new = []
    for message in reversed(request.messages):
        if message.role in ("assistant", "system"):
            break
        new.append(message.text)
    return digest([name, request.seed, request.step, new])


def _line(answer: CachedAnswer) -> bytes:
    return sealed_json(answer, msgspec.json.encode) + b"\n"
