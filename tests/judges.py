"""Judges in tests: what a request shows, how to answer it, and a model that answers as a function says."""

import json
from collections.abc import Callable
from typing import Any

from conversations import HEADER
from supportagentbench.checks import score
from supportagentbench.judges.rule_judge import rule_judgement
from supportagentbench.models import Completion, ModelRequest
from supportagentbench.records.record import digest
from supportagentbench.records.transcript import Transcript
from supportagentbench.records.usage import Usage
from supportagentbench.storage.transcripts import Filed

REASON = "The customer's first words show it."

Says = Callable[[ModelRequest], str]


class Judge:
    """A model that answers every request as a function of it, and remembers all it was asked."""

    def __init__(self, says: Says, name: str = "judge") -> None:
        self.says = says
        self.name = name
        self.requests: list[ModelRequest] = []

    async def complete(self, request: ModelRequest) -> Completion:
        self.requests.append(request)
        return Completion(self.says(request), Usage(self.name, role="judge", input=1000, output=100))


def filed(transcript: Transcript) -> Filed:
    return Filed(transcript, digest(transcript), 0.0, 0.0)


def told_by_rules(transcript: Transcript) -> dict[str, bool | None]:
    """What the judge that is code says to every criterion."""
    one = filed(transcript)
    return {
        opinion.criterion: opinion.met
        for opinion in rule_judgement(one.transcript, HEADER, score(one, HEADER, counts_all=True)).opinions
    }


def asked_in(request: ModelRequest) -> tuple[str, ...]:
    """The criteria of a request, in its order."""
    asked = request.messages[1].text.partition("Criteria:\n")[2].partition("\n\nRecord:\n")[0]
    lines = asked.splitlines()
    return tuple(json.loads(line)["id"] for line in lines)


def record_in(request: ModelRequest) -> list[str]:
    """The lines of the record, without the marks around them."""
    return request.messages[1].text.partition("\n\nRecord:\n")[2].splitlines()[1:-1]


def an_answer(request: ModelRequest, criterion: str, met: bool = True) -> dict[str, Any]:
    """A valid answer: the customer's opening is evidence of anything."""
    opening = json.loads(record_in(request)[0])["text"]
    return {"id": criterion, "reason": REASON, "turn": 0, "quote": opening, "met": met}


def answers(request: ModelRequest, met: Callable[[str], bool] = lambda _: True) -> str:
    """A valid answer to every criterion."""
    found = [an_answer(request, criterion, met(criterion)) for criterion in asked_in(request)]
    return json.dumps({"opinions": found})
