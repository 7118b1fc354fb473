"""Judge: a model's opinion of a conversation, criterion by criterion, each with its evidence or void.

What code can read is read by checks; a judge is asked for the rest, and beside them, so that both can be
compared. It is told neither who the agent is nor what was expected of it.
"""

from pathlib import Path
from typing import Any

import msgspec

from supportagentbench.judges.prompt import SHORTEST_QUOTE, BlindTranscript, encoded
from supportagentbench.judges.rubric import WORDING, Criterion, criteria, shuffled
from supportagentbench.models import Message, Model, ModelRequest
from supportagentbench.models.family import EVERYDAY, FAMILIES
from supportagentbench.records.judgement import Judgement, Opinion, Void
from supportagentbench.records.record import digest
from supportagentbench.records.run import Run
from supportagentbench.records.usage import Usage
from supportagentbench.storage.transcripts import Filed

SYSTEM = Path(__file__).with_name("judge.txt").read_text(encoding="utf-8")
SYSTEM = SYSTEM.replace("SHORTEST_QUOTE", str(SHORTEST_QUOTE)).strip()
"""What every judge is told first, whatever it judges."""

DAY = "At the desk it is the day"

AGAIN = "That could not be read. Give the same answer once more, as JSON of the form asked for."

LONGEST_QUOTE = 500
"""Characters of a quote that are kept."""

RETEST_SHARE, RETESTS = 0.1, 3
"""How much is judged more than once, and how often then."""


class CriterionAnswer(msgspec.Struct, frozen=True):
    """One criterion as a judge answered it; where the words are comes before what follows from them."""

    id: str
    turn: int
    quote: str
    met: bool


class Answers(msgspec.Struct, frozen=True):
    """All a judge answered."""

    opinions: tuple[CriterionAnswer, ...]


def answer_schema(asked: tuple[str, ...]) -> dict[str, Any]:
    """What an answer to these criteria has to look like."""
    fields = {
        "id": {"type": "string", "enum": list(asked)},
        "turn": {"type": "integer"},
        "quote": {"type": "string"},
        "met": {"type": "boolean"},
    }
    one = {
        "type": "object",
        "properties": fields,
        "required": list(fields),
        "additionalProperties": False,
    }
    return {
        "type": "object",
        "properties": {"opinions": {"type": "array", "items": one}},
        "required": ["opinions"],
        "additionalProperties": False,
    }


VERSION = digest([SYSTEM, DAY, AGAIN, WORDING, answer_schema(()), sorted(FAMILIES.items()), sorted(EVERYDAY)])
"""Names all a judge is told, save the rules and the record; another version is another series."""


async def judge_one(judge: Model, filed: Filed, header: Run, sample: int = 0) -> Judgement:
    """This judge's opinions on one conversation; a ModelError means that there are none yet."""
    asked = shuffled(criteria(filed.transcript, header), filed.digest, judge.name)
    record = BlindTranscript(filed.transcript, header)
    request = request_for(asked, record, f"{filed.digest}/{judge.name}/{sample}", 2 * sample)
    answers, usage = await ask(judge, request)
    known = {criterion.id for criterion in asked}
    return Judgement(
        transcript=filed.digest,
        judge=judge.name,
        version=VERSION,
        opinions=tuple(opinion_on(criterion.id, answers, record) for criterion in asked),
        sample=sample,
        unasked=sum(answer.id not in known for answer in answers or ()),
        usage=usage,
    )


async def ask(
    judge: Model, request: ModelRequest
) -> tuple[tuple[CriterionAnswer, ...] | None, tuple[Usage, ...]]:
    """What a judge answers, and what it used; what cannot be read is asked for once more, and then None."""
    first = await judge.complete(request)
    answers = read_answers(first.text)
    if answers is not None:
        return answers, (first.usage,)
    dialogue = (*request.messages, first.message, Message("user", AGAIN))
    second = await judge.complete(msgspec.structs.replace(request, messages=dialogue, step=request.step + 1))
    return read_answers(second.text), (first.usage, second.usage)


def request_for(asked: tuple[Criterion, ...], record: BlindTranscript, seed: str, step: int) -> ModelRequest:
    """All a judge is told."""
    questions = "\n".join(map(_question, asked))
    return ModelRequest(
        messages=(
            Message("system", SYSTEM),
            Message(
                "user", f"{DAY} {record.today}.\n\nCriteria:\n{questions}\n\nRecord:\n{record.fenced(seed)}"
            ),
        ),
        schema=answer_schema(tuple(criterion.id for criterion in asked)),
        seed=int(digest(seed), 16) % 2**31,
        step=step,
    )


def _question(criterion: Criterion) -> str:
    rule = {"rule": criterion.rule.text} if criterion.rule else {}
    return encoded({"id": criterion.id, "criterion": criterion.text, **rule})


def read_answers(text: str) -> tuple[CriterionAnswer, ...] | None:
    """What a judge answered; None if it cannot be read."""
    try:
        found = msgspec.json.decode(text[text.find("{") : text.rfind("}") + 1], type=Answers)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return None
    return found.opinions


def opinion_on(
    criterion: str, answers: tuple[CriterionAnswer, ...] | None, record: BlindTranscript
) -> Opinion:
    """The one answer to a criterion, if its words are where it says; anything else is void."""
    if answers is None:
        return Opinion(criterion, None, void="unreadable")
    found = [answer for answer in answers if answer.id == criterion]
    if len(found) != 1:
        return Opinion(criterion, None, void="twice" if found else "unanswered")
    [answer] = found
    void = flaw_in(answer, record)
    return Opinion(
        criterion,
        met=None if void else answer.met,
        turn=answer.turn,
        quote=answer.quote[:LONGEST_QUOTE],
        void=void,
    )


def flaw_in(answer: CriterionAnswer, record: BlindTranscript) -> Void:
    """What is wrong with the evidence of an answer; nothing, if it can be found."""
    if not record.has_turn(answer.turn):
        return "no_such_turn"
    if not record.is_long_enough(answer.turn, answer.quote):
        return "short_quote"
    return "" if record.holds(answer.turn, answer.quote) else "not_found"


def samples_of(transcript: str) -> range:
    """How often a transcript is judged, by its digest alone: whatever came out, a tenth is judged again."""
    drawn = int(digest(f"{transcript}/retest"), 16) / 16**16
    return range(RETESTS if drawn < RETEST_SHARE else 1)
