"""Receipt: an answer that was paid for, kept until its conversation is on file.

A run that is killed has paid for the conversations in flight. Here each answer is written down as it comes.
When the same command runs again, these conversations begin anew and are given the same answers as far as they
go, so that nothing is paid twice but the requests under way at that moment.
"""

from collections import defaultdict
from collections.abc import Container
from contextvars import ContextVar
from pathlib import Path
from types import TracebackType
from typing import IO, NamedTuple

import msgspec

from supportagentbench.models import Completion, Model, ModelRequest
from supportagentbench.records.record import Record, digest
from supportagentbench.storage.jsonl import add_line, disk_problem, read_lines

RECEIPTS = "receipts.jsonl"
REMEDY = "delete the file, and the conversations that were in flight are held and paid for again"

Kept = dict[str, Completion]
"""Answers to one conversation, by what was asked."""


class Receipt(Record, tag_field="record", tag="receipt/1"):
    """One line: an answer, or the note that a conversation is on file and its answers are settled."""

    case: str
    key: str = ""
    completion: Completion | None = None


class AnswerCache:
    """The answers of one run that are not settled. Whoever opens them has to be the run's only writer."""

    def __init__(self, folder: Path, unfinished: Container[str]) -> None:
        self.path = folder / RECEIPTS
        self._unfinished = unfinished
        self._file: IO[bytes] | None = None

    def __enter__(self) -> "AnswerCache":
        before = unsettled(self.path.parent)
        self._kept = {case: kept for case, kept in before.items() if case in self._unfinished}
        self._noted = set(self._kept)
        """Cases with answers that are not settled."""
        draft = self.path.with_suffix(".draft")
        if self.path.exists():
            lines = [_line(Receipt(case, *one)) for case, kept in self._kept.items() for one in kept.items()]
            try:
                draft.write_bytes(b"".join(lines))
                draft.replace(self.path)
            except OSError as error:
                raise disk_problem(self.path, error) from None
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file:
            self._file.close()

    def open(self, case: str) -> None:
        """From here on, the present task holds this conversation."""
        _TALK.set(CachedConversation(case, self, self._kept.pop(case, {})))

    def keep(self, case: str, key: str, completion: Completion) -> None:
        """Put an answer on file; it is safe when this returns."""
        self._noted.add(case)
        self._write(Receipt(case, key, completion))

    def settle(self, case: str) -> None:
        """The conversation is on file."""
        if case in self._noted:
            self._noted.remove(case)
            self._write(Receipt(case))

    def discard(self) -> None:
        """All conversations are on file."""
        self.path.unlink(missing_ok=True)

    def _write(self, receipt: Receipt) -> None:
        try:
            self._file = self._file or self.path.open("ab", buffering=0)
        except OSError as error:
            raise disk_problem(self.path, error) from None
        add_line(self._file, _line(receipt), self.path)


class CachedConversation(NamedTuple):
    """A conversation in flight, with the answers it can have again."""

    case: str
    receipts: AnswerCache
    kept: Kept


_TALK: ContextVar[CachedConversation] = ContextVar("_TALK")
"""The conversation that the present task holds."""


class Receipted:
    """A model whose answers are kept until their conversation is on file, and given again after a kill."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.name = model.name

    async def complete(self, request: ModelRequest) -> Completion:
        talk = _TALK.get(None)
        if talk is None:
            return await self.model.complete(request)
        key = _key(self.name, request)
        if kept := talk.kept.pop(key, None):
            return kept
        completion = await self.model.complete(request)
        talk.receipts.keep(talk.case, key, completion)
        return completion


def unsettled(folder: Path) -> dict[str, Kept]:
    """The answers in a run's folder whose conversation is not on file, case by case."""
    found: dict[str, Kept] = defaultdict(dict)
    for receipt in read_lines(folder / RECEIPTS, Receipt, REMEDY):
        if receipt.completion is None:
            found.pop(receipt.case, None)
        else:
            found[receipt.case][receipt.key] = receipt.completion
    return found


def owed(folder: Path) -> float:
    """Dollars that these answers have cost."""
    return sum(answer.usage.cost or 0.0 for kept in unsettled(folder).values() for answer in kept.values())


def _key(name: str, request: ModelRequest) -> str:
    """What was asked: the place in the conversation, and what came since the last answer.

    What came before is in the receipts before; the rest, such as the policy, is in the run's header.
    """
    new = []
    for message in reversed(request.messages):
        if message.role in ("assistant", "system"):
            break
        new.append(message.text)
    return digest([name, request.seed, request.step, new])


def _line(receipt: Receipt) -> bytes:
    return msgspec.json.encode(receipt) + b"\n"
