"""Judge: a model's opinion of a conversation, criterion by criterion, each with its evidence or void.

Checks cover what code can read; a judge answers the rest, and some of the same so that both can be compared.
It knows neither the agent nor the expected result. Findings that code reads with too little precision are
asked separately, see `to_check.py`.
"""

from typing import Any, NamedTuple

from supportagentbench.judges import to_check
from supportagentbench.judges.answer import (
    AGAIN,
    CriterionAnswer,
    FindingAnswer,
    answer_schema,
    ask,
    instructions,
    the_one,
)
from supportagentbench.judges.prompt import DAY, ENDS, BlindTranscript, encoded
from supportagentbench.judges.rubric import WORDING, Criterion, shuffled
from supportagentbench.judges.to_check import FindingQuestion, opinion_on_finding, request_to_check
from supportagentbench.models import Message, Model, ModelRequest
from supportagentbench.models.family import EVERYDAY, FAMILIES
from supportagentbench.records.judgement import Judgement, Opinion
from supportagentbench.records.record import digest
from supportagentbench.records.run import Run
from supportagentbench.records.usage import Usage
from supportagentbench.storage.transcripts import Filed

NAME = "opinions"
"""Of the answers."""

SYSTEM = instructions("judge")
"""The instructions of every judge."""

VERDICT: dict[str, Any] = {"met": {"type": "boolean"}}

RETEST_SHARE, RETESTS = 0.1, 3
"""How much is judged more than once, and how often then."""

VERSION = digest(
    [
        *(SYSTEM, DAY, ENDS, AGAIN, WORDING, answer_schema(NAME, (), VERDICT)),
        *(to_check.SYSTEM, to_check.CLAUSES, answer_schema(to_check.NAME, (), to_check.VERDICT)),
        *(sorted(FAMILIES.items()), sorted(EVERYDAY)),
    ]
)
"""Names everything a judge is given, except the rules and the record; another version is another series."""


class JudgeQuestions(NamedTuple):
    """What one judge is to be asked about one conversation."""

    criteria: tuple[Criterion, ...]
    """Empty, if it answered them before."""
    findings: tuple[FindingQuestion, ...] = ()


async def judge_one(
    judge: Model, filed: Filed, header: Run, questions: JudgeQuestions, sample: int = 0, host: str = ""
) -> Judgement:
    """This judge's opinions on one conversation; a ModelError means that there are none yet."""
    asked = shuffled(questions.criteria, filed.digest, judge.name)
    record = BlindTranscript(filed.transcript, header)
    seed = f"{filed.digest}/{judge.name}/{sample}"
    answers: tuple[CriterionAnswer, ...] | None = ()
    settled: tuple[FindingAnswer, ...] | None = ()
    usage: tuple[Usage, ...] = ()
    if asked:
        answers, usage = await ask(judge, request_for(asked, record, seed, 4 * sample), NAME, CriterionAnswer)
    if questions.findings:
        request = request_to_check(questions.findings, record, seed, 4 * sample + 2)
        settled, more = await ask(judge, request, to_check.NAME, FindingAnswer)
        usage += more
    known = {criterion.id for criterion in asked}
    return Judgement(
        transcript=filed.digest,
        judge=judge.name,
        version=VERSION,
        opinions=tuple(opinion_on(criterion.id, answers, record) for criterion in asked),
        sample=sample,
        unasked=sum(answer.id not in known for answer in answers or ()),
        usage=usage,
        findings=tuple(opinion_on_finding(one.id, settled, record) for one in questions.findings),
        host=host,
    )


def request_for(asked: tuple[Criterion, ...], record: BlindTranscript, seed: str, step: int) -> ModelRequest:
    """Everything a judge is given."""
    questions = "\n".join(encoded({"id": one.id, "criterion": one.text}) for one in asked)
    return ModelRequest(
        messages=(
            Message("system", SYSTEM),
            Message(
                "user",
                f"Rules:\n{record.rules}\n\n{record.setting}\n\nCriteria:\n{questions}\n\n"
                f"Record:\n{record.fenced(seed)}",
            ),
        ),
        schema=answer_schema(NAME, [criterion.id for criterion in asked], VERDICT),
        seed=int(digest(seed), 16) % 2**31,
        step=step,
    )


def opinion_on(
    criterion: str, answers: tuple[CriterionAnswer, ...] | None, record: BlindTranscript
) -> Opinion:
    """The one answer to a criterion, if its words are where it says; anything else is void."""
    answer, void = the_one(criterion, answers, record)
    if answer is None:
        return Opinion(criterion, None, void=void)
    return Opinion(
        criterion,
        met=None if void else answer.met,
        turn=answer.turn,
        quote=answer.shown_quote,
        void=void,
        reason=answer.shown_reason,
    )


def samples_of(transcript: str) -> range:
    """How often a transcript is judged, by its digest alone: whatever came out, a tenth is judged again."""
    drawn = int(digest(f"{transcript}/retest"), 16) / 16**16
    return range(RETESTS if drawn < RETEST_SHARE else 1)
