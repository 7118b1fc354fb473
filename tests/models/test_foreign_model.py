"""A model from somebody's Python code: what it gives can be stored, or is refused in one sentence."""

import asyncio

import pytest

from supportagentbench.models import Completion, ModelError, ModelRequest
from supportagentbench.models.foreign_model import ForeignModel
from supportagentbench.records.problem import Problem
from supportagentbench.records.transcript import EXTERNAL_CAUSES, Cause
from supportagentbench.records.usage import Usage


class Gives:
    """A model that gives or raises this, whatever it is asked."""

    def __init__(self, given: object, name: object = "guest") -> None:
        self.given = given
        self.name = name

    async def complete(self, request: ModelRequest) -> Completion:
        if isinstance(self.given, Exception):
            raise self.given
        return self.given  # type: ignore[return-value]


def asked(given: object, role: str = "customer") -> Completion:
    model = ForeignModel(Gives(given), "guests:Guest", role)  # type: ignore[arg-type]
    return asyncio.run(model.complete(ModelRequest(())))


def test_a_completion_is_passed_on() -> None:
    assert asked(Completion("hello", Usage("guest", input=3))).text == "hello"


@pytest.mark.parametrize(
    "given",
    [
        *("tweet", None, 7, Ellipsis),
        Completion("\ud800", Usage("guest")),
        Completion(None, Usage("guest")),  # type: ignore[arg-type]
        Completion("x", Usage("guest", input=12.5)),  # type: ignore[arg-type]
        Completion("x", None),  # type: ignore[arg-type]
        Completion("x", Usage("guest"), stop="tired"),  # type: ignore[arg-type]
    ],
    ids=repr,
)
def test_what_cannot_be_stored_is_refused(given: object) -> None:
    with pytest.raises(Problem, match="the model 'guests:Guest' gave an answer that cannot be stored"):
        asked(given)


def test_negative_tokens_are_refused() -> None:
    with pytest.raises(Problem, match=r">= 0 - at `\$\.usage\.input`"):
        asked(Completion("x", Usage("guest", input=-1)))


def test_a_failure_has_a_cause_that_readers_know() -> None:
    with pytest.raises(ModelError) as caught:
        asked(ModelError("tired", "zzz", Usage("guest")))  # type: ignore[arg-type]
    assert (caught.value.cause, caught.value.detail) == ("provider_error", "tired: zzz")
    with pytest.raises(ModelError) as caught:
        asked(ModelError("refusal", "no", Usage("guest")))
    assert (caught.value.cause, caught.value.detail) == ("refusal", "no")


@pytest.mark.parametrize("name", [7, "\x1b[31m"])
def test_a_name_that_cannot_be_printed_is_refused(name: object) -> None:
    with pytest.raises(Problem, match="has no printable name"):
        ForeignModel(Gives("x", name), "guests:Guest", "judge")  # type: ignore[arg-type]


@pytest.mark.parametrize("cause", EXTERNAL_CAUSES)
def test_in_the_agent_s_seat_no_cause_that_it_names_excuses_the_agent(cause: Cause) -> None:
    for role in ("customer", "judge", "second_judge"):
        with pytest.raises(ModelError) as caught:
            asked(ModelError(cause, "zzz", Usage("guest")), role)
        assert caught.value.cause == cause
    with pytest.raises(ModelError) as caught:
        asked(ModelError(cause, "zzz", Usage("guest")), "agent")
    assert (caught.value.cause, caught.value.detail) == ("agent_error", f"{cause}: zzz")
    with pytest.raises(ModelError) as caught:
        asked(ModelError("context_overflow", "zzz", Usage("guest")), "agent")
    assert caught.value.cause == "context_overflow", "it counts"
