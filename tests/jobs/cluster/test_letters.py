"""Letters are checked when they are read: a worker's process also runs the code of agents."""

import pytest

from supportagentbench.jobs.cluster.letters import (
    AnswerLetter,
    CostLetter,
    Letter,
    OpenLetter,
    PaceLetter,
    RetryLetter,
    read_letters,
    written,
)
from supportagentbench.models import Completion
from supportagentbench.models.http_client import Retry
from supportagentbench.records.problem import Problem
from supportagentbench.records.secrets import keep_secret
from supportagentbench.records.usage import Usage
from supportagentbench.storage.file import LARGEST_RECORD

LETTERS: list[Letter] = [
    OpenLetter(problem="no key"),
    AnswerLetter(1, "what was asked", Completion("Hello.", Usage("m"), native={"b": 1, "a": [None]})),
    RetryLetter(2, Retry("busy", 1, 8, 0.5)),
    CostLetter(None),
    PaceLetter("api.example", 3.0),
]


def test_letters_are_read_as_they_were_written_and_in_order() -> None:
    found = read_letters([written(letter) for letter in LETTERS])
    assert found == LETTERS
    assert isinstance(found[1], AnswerLetter)
    assert [*(found[1].completion.native or ())] == ["b", "a"], "a provider's own message stays as it was"


@pytest.mark.parametrize(
    "sent",
    [
        b"{}",
        [{}],
        [b"{"],
        [b'{"letter":"CostLetter","cost":-1}'],
        [b'{"letter":"CostLetter","cost":1,"more":1}'],
        [b'{"letter":"PaceLetter","host":"a","wait":1e9}'],
        [b'{"letter":"AskLetter","number":-1}'],
        [b'{"letter":"RunLetter"}'],
        [b'{"letter":"PlayedLetter","play":1,"played":[]}'],
        [written(CostLetter(1.0)) + b" " * LARGEST_RECORD],
    ],
)
def test_anything_else_is_refused(sent: object) -> None:
    with pytest.raises(Problem, match="a worker of the cluster sent what cannot be read"):
        read_letters(sent)


def test_no_letter_has_a_key_that_only_the_worker_knows() -> None:
    keep_secret("sk-worker-0123456789")
    data = written(AnswerLetter(1, "k", Completion("It is sk-worker-0123456789.", Usage("m"))))
    assert b"0123456789" not in data
