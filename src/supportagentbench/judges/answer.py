"""Answer: what a judge gives to one question: reason, evidence, verdict; without the first two it is void."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from supportagentbench.judges.prompt import SHORTEST_QUOTE, BlindTranscript
from supportagentbench.models import Message, Model, ModelRequest
from supportagentbench.records.judgement import FindingOpinion, Opinion, Says, Void
from supportagentbench.records.record import readable
from supportagentbench.records.usage import Usage

AGAIN = "That could not be read. Give the same answer once more, as JSON of the form asked for."

LONGEST_QUOTE, LONGEST_REASON = 500, 300
"""Characters that are kept of a quote and of a reason."""


def instructions(name: str) -> str:
    """A judge's instructions, from the text of this name, including those for all judges."""
    text = _text(name).replace("RECORD\n", _text("record")).replace("EVIDENCE\n", _text("evidence"))
    text = text.replace("SHORTEST_QUOTE", str(SHORTEST_QUOTE)).replace("LONGEST_REASON", str(LONGEST_REASON))
    return text.strip()


def _text(name: str) -> str:
    return Path(__file__).with_name(f"{name}.txt").read_text(encoding="utf-8")


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """What every answer has; a model writes it in this order, so that it reasons before it decides."""

    id: str
    reason: str = ""
    turn: int
    quote: str

    @property
    def shown_reason(self) -> str:
        """The reason as it is kept: one line, not too long."""
        return _bounded(" ".join(readable(self.reason).split()), LONGEST_REASON)

    @property
    def shown_quote(self) -> str:
        return readable(self.quote)[:LONGEST_QUOTE]


class CriterionAnswer(Answer, frozen=True, kw_only=True):
    """One criterion as a judge answered it."""

    met: bool


class FindingAnswer(Answer, frozen=True, kw_only=True):
    """One finding as a judge settled it."""

    says: Says


Given = TypeVar("Given", bound=Answer)


def _bounded(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"


def answer_schema(name: str, asked: Sequence[str], verdict: dict[str, Any]) -> dict[str, Any]:
    """What the answers to these questions have to look like; `verdict` names the last field."""
    fields = {
        "id": {"type": "string", "enum": list(asked)},
        "reason": {"type": "string"},
        "turn": {"type": "integer"},
        "quote": {"type": "string"},
        **verdict,
    }
    one = {
        "type": "object",
        "properties": fields,
        "required": list(fields),
        "additionalProperties": False,
    }
    return {
        "type": "object",
        "properties": {name: {"type": "array", "items": one}},
        "required": [name],
        "additionalProperties": False,
    }


async def ask(
    judge: Model, request: ModelRequest, name: str, kind: type[Given]
) -> tuple[tuple[Given, ...] | None, tuple[Usage, ...]]:
    """A judge's answer and its usage; an unreadable answer is asked for a second time, and then None."""
    first = await judge.complete(request)
    answers = read_answers(first.text, name, kind)
    if answers is not None:
        return answers, (first.usage,)
    dialogue = (*request.messages, first.message, Message("user", AGAIN))
    second = await judge.complete(msgspec.structs.replace(request, messages=dialogue, step=request.step + 1))
    return read_answers(second.text, name, kind), (first.usage, second.usage)


def read_answers(text: str, name: str, kind: type[Given]) -> tuple[Given, ...] | None:
    """The answers under this name; None if they cannot be read."""
    try:
        found = msgspec.json.decode(text[text.find("{") : text.rfind("}") + 1], type=dict[str, msgspec.Raw])
        return msgspec.json.decode(found.get(name, b""), type=tuple[kind, ...])  # type: ignore[valid-type]
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return None


def the_one(
    question: str, answers: tuple[Given, ...] | None, record: BlindTranscript
) -> tuple[Given | None, Void]:
    """The one answer to a question, and why it does not count, if it does not."""
    if answers is None:
        return None, "unreadable"
    found = [answer for answer in answers if answer.id == question]
    if len(found) != 1:
        return None, "twice" if found else "unanswered"
    return found[0], flaw_in(found[0], record)


def flaw_in(answer: Answer | Opinion | FindingOpinion, record: BlindTranscript) -> Void:
    """What is wrong with an answer; nothing, if it has a reason and its words can be found."""
    if not answer.reason.strip():
        return "no_reason"
    if answer.turn is None or not record.has_turn(answer.turn):
        return "no_such_turn"
    if not record.is_long_enough(answer.turn, answer.quote):
        return "short_quote"
    return "" if record.holds(answer.turn, answer.quote) else "not_found"
