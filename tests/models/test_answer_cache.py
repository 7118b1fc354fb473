"""Receipts: what was paid for is given again after a kill, and only to whoever asked for it."""

import asyncio
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from full_disk import full_disk
from supportagentbench.models import Completion, Message, ModelRequest
from supportagentbench.models.answer_cache import (
    ANSWERS,
    AnswerCache,
    CachedModel,
    cached_usage,
    keeping,
    unfinished_answers,
)
from supportagentbench.records.problem import Problem
from supportagentbench.records.usage import Usage


class Dear:
    """A model that costs a dollar an answer, and never says the same twice."""

    name = "dear"

    def __init__(self) -> None:
        self.asked = 0

    async def complete(self, request: ModelRequest) -> Completion:
        self.asked += 1
        return Completion(f"answer {self.asked} to {request.messages[-1].text}", Usage("dear", cost=1.0))


def steps(*words: str, seed: int = 7) -> list[ModelRequest]:
    """The requests of one dialogue, each with all that came before."""
    dialogue, found = [Message("system", "Be kind.")], []
    for step, said in enumerate(words):
        dialogue += [Message("user", said)]
        found.append(ModelRequest(tuple(dialogue), seed=seed, step=step))
        dialogue += [Message("assistant", "so it is")]
    return found


def held(
    folder: Path, model: Dear, requests: list[ModelRequest], case: str = "case-1", *, unfinished: bool = True
) -> list[str]:
    """Ask these things in one conversation; nothing is settled, as if the process were killed then."""

    async def main() -> list[str]:
        cache = AnswerCache(folder, {case} if unfinished else set())
        with cache, keeping(cache.take(case), partial(cache.keep, case)):
            return [(await CachedModel(model).complete(request)).text for request in requests]

    return asyncio.run(main())


def test_after_a_kill_the_same_answers_come_again_and_the_rest_is_asked(tmp_path: Path) -> None:
    model = Dear()
    first = held(tmp_path, model, steps("one", "two"))
    again = held(tmp_path, model, steps("one", "two", "three"))
    assert again == [*first, "answer 3 to three"]
    assert held(tmp_path, model, steps("one", "two", "three")) == again, "and after the next kill"
    assert model.asked == 3
    assert [usage.cost for usage in cached_usage(tmp_path)] == [1.0] * 3


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(lambda folder, model: held(folder, model, steps("won")), id="other words"),
        pytest.param(lambda folder, model: held(folder, model, steps("one", seed=8)), id="another dialogue"),
        pytest.param(lambda folder, model: held(folder, model, steps("one"), "case-2"), id="another case"),
        pytest.param(
            lambda folder, model: held(folder, model, steps("one"), unfinished=False), id="one on file"
        ),
    ],
)
def test_nobody_gets_an_answer_that_was_not_for_him(
    tmp_path: Path, other: Callable[[Path, Dear], list[str]]
) -> None:
    model = Dear()
    held(tmp_path, model, steps("one"))
    (answer,) = other(tmp_path, model)
    assert answer.startswith("answer 2")


def test_equal_requests_of_one_conversation_have_answers_of_their_own(tmp_path: Path) -> None:
    model = Dear()
    answers = held(tmp_path, model, steps("again", "again"))
    assert answers == ["answer 1 to again", "answer 2 to again"]
    assert held(tmp_path, model, steps("again", "again")) == answers


def test_what_is_on_file_is_settled_and_owes_nothing(tmp_path: Path) -> None:
    held(tmp_path, Dear(), steps("one"), "case-1")
    with AnswerCache(tmp_path, {"case-1", "case-2"}) as cache:
        cache.finish("case-1")
        cache.finish("case-2")
        assert unfinished_answers(tmp_path) == {}
        assert cached_usage(tmp_path) == []
        assert len((tmp_path / ANSWERS).read_bytes().splitlines()) == 2, "nothing is noted of case-2"
        cache.discard()
    assert list(tmp_path.iterdir()) == []


def test_runs_without_a_model_leave_no_file(tmp_path: Path) -> None:
    with AnswerCache(tmp_path, {"case-1"}) as cache:
        cache.take("case-1")
        cache.finish("case-1")
    assert list(tmp_path.iterdir()) == []


def test_a_torn_last_line_is_passed_over_and_cut_off(tmp_path: Path) -> None:
    model, path = Dear(), tmp_path / ANSWERS
    first = held(tmp_path, model, steps("one", "two"))
    path.write_bytes(path.read_bytes()[:-9])
    assert held(tmp_path, model, steps("one", "two")) == [first[0], "answer 3 to two"]
    assert all(line.endswith(b"\n") for line in path.read_bytes().splitlines(keepends=True))


def test_a_line_that_is_none_is_named_with_its_remedy(tmp_path: Path) -> None:
    (tmp_path / ANSWERS).write_text('{"record": "cached_answer/9"}\n')
    with pytest.raises(Problem, match=r"answers\.jsonl:1.*delete the file"):
        held(tmp_path, Dear(), steps("one"))


def test_a_full_disk_is_named(tmp_path: Path) -> None:
    async def main() -> None:
        with AnswerCache(tmp_path, set()) as cache, full_disk(), keeping({}, partial(cache.keep, "case-1")):
            await CachedModel(Dear()).complete(steps("one")[0])

    with pytest.raises(Problem, match=r"File too large.*make room"):
        asyncio.run(main())


def test_outside_a_conversation_a_model_is_just_asked() -> None:
    assert asyncio.run(CachedModel(Dear()).complete(steps("one")[0])).text == "answer 1 to one"
