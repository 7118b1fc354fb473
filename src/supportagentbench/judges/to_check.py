"""To check: findings that code reads with too little precision, each a question for a judge.

They go in a separate request: a program's suspicion must not colour the opinions on rules.
"""

from typing import Any, NamedTuple

from supportagentbench.checks.catalogue import CATALOGUE
from supportagentbench.judges.answer import LONGEST_QUOTE, FindingAnswer, answer_schema, instructions, the_one
from supportagentbench.judges.prompt import BlindTranscript, encoded
from supportagentbench.models import Message, ModelRequest
from supportagentbench.records.finding import Finding
from supportagentbench.records.judgement import FindingOpinion
from supportagentbench.records.record import digest
from supportagentbench.records.verdict import Verdict

NAME = "findings"
"""Of the answers."""

CLAUSES = {check.name: check.clause for check in CATALOGUE.values() if check.to_check}
"""What a judge may be asked, check by check."""

SYSTEM = instructions("to_check")

VERDICT: dict[str, Any] = {"says": {"type": "string", "enum": ["confirm", "drop", "cannot_tell"]}}


class FindingQuestion(NamedTuple):
    """A finding as a judge is asked about it; the check's own sentence might tell what was right."""

    id: str
    statement: str
    turns: tuple[int, ...]
    quote: str


def questions_in(verdict: Verdict) -> tuple[FindingQuestion, ...]:
    """Every finding against the agent that is to check."""
    return tuple(map(_question, filter(_is_asked, verdict.findings)))


def _is_asked(finding: Finding) -> bool:
    return finding.to_check and finding.value is (not CATALOGUE[finding.check].duty)


def _question(finding: Finding) -> FindingQuestion:
    statement = f"The agent {CATALOGUE[finding.check].clause}."
    return FindingQuestion(finding.question, statement, finding.turns, finding.quote[:LONGEST_QUOTE])


def request_to_check(
    asked: tuple[FindingQuestion, ...], record: BlindTranscript, seed: str, step: int
) -> ModelRequest:
    """Everything a judge gets about findings to check."""
    statements = "\n".join(
        encoded(
            {
                "id": one.id,
                "statement": one.statement,
                "turns": one.turns,
                "words": record.nameless(one.quote),
            }
        )
        for one in asked
    )
    return ModelRequest(
        messages=(
            Message("system", SYSTEM),
            Message(
                "user",
                f"Rules:\n{record.rules}\n\n{record.setting}\n\nStatements:\n{statements}\n\n"
                f"Record:\n{record.fenced(seed)}",
            ),
        ),
        schema=answer_schema(NAME, [one.id for one in asked], VERDICT),
        seed=int(digest(seed), 16) % 2**31,
        step=step,
    )


def opinion_on_finding(
    question: str, answers: tuple[FindingAnswer, ...] | None, record: BlindTranscript
) -> FindingOpinion:
    """What a judge says to one finding, if its words are where it says; anything else is void."""
    answer, void = the_one(question, answers, record)
    if answer is None:
        return FindingOpinion(question, None, void=void)
    return FindingOpinion(
        question,
        says=None if void else answer.says,
        turn=answer.turn,
        quote=answer.shown_quote,
        void=void,
        reason=answer.shown_reason,
    )
