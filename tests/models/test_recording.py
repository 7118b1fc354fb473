"""A recording gives the same answers again, keeps repetitions apart, and says when it lacks one."""

import asyncio
from pathlib import Path

import pytest

from supportagentbench.models import Completion, Message, ModelError, ModelRequest
from supportagentbench.models.recording import RecordedModel, Recording
from supportagentbench.records.problem import Problem
from supportagentbench.records.transcript import Cause
from supportagentbench.records.usage import Usage


class Counting:
    """A model that never says the same thing twice."""

    name = "counting"

    def __init__(self) -> None:
        self.asked = 0

    async def complete(self, request: ModelRequest) -> Completion:
        self.asked += 1
        return Completion(f"Answer {self.asked}.", Usage("counting", output=self.asked))


class Failing:
    name = "counting"

    def __init__(self, cause: Cause) -> None:
        self.cause: Cause = cause

    async def complete(self, request: ModelRequest) -> Completion:
        raise ModelError(self.cause, "No.", Usage("counting", attempts=3))


HELLO = (Message("user", "Hello?"),)


def say(model: RecordedModel, **fields: int) -> str:
    return asyncio.run(model.complete(ModelRequest(HELLO, **fields))).text  # type: ignore[arg-type]


def test_what_was_recorded_is_replayed_and_nobody_is_asked(tmp_path: Path) -> None:
    with Recording(tmp_path / "recording.jsonl", records=True) as recording:
        first = say(RecordedModel("counting", recording, Counting()))
    with Recording(tmp_path / "recording.jsonl", records=False) as recording:
        assert say(RecordedModel("counting", recording, None)) == first


def test_repetitions_and_steps_stay_independent(tmp_path: Path) -> None:
    model = Counting()
    with Recording(tmp_path / "recording.jsonl", records=True) as recording:
        recorded = RecordedModel("counting", recording, model)
        keys = [{"seed": 1}, {"seed": 2}, {"seed": 1, "step": 1}]
        answers = [say(recorded, **key) for key in keys]
        assert len(set(answers)) == 3
        assert [say(recorded, **key) for key in keys] == answers
    assert model.asked == 3


def test_a_recording_that_lacks_an_answer_says_so(tmp_path: Path) -> None:
    (tmp_path / "recording.jsonl").write_text("")
    with (
        Recording(tmp_path / "recording.jsonl", records=False) as recording,
        pytest.raises(Problem, match="--record"),
    ):
        say(RecordedModel("counting", recording, None))


def test_there_is_nothing_to_replay_from_a_file_that_is_not_there(tmp_path: Path) -> None:
    with (
        pytest.raises(Problem, match="there is no such file"),
        Recording(tmp_path / "none.jsonl", records=False),
    ):
        pass


def test_a_torn_last_line_is_cut_off_and_recorded_again(tmp_path: Path) -> None:
    path = tmp_path / "recording.jsonl"
    with Recording(path, records=True) as recording:
        recorded = RecordedModel("counting", recording, Counting())
        say(recorded, seed=1)
        say(recorded, seed=2)
    whole = path.read_bytes()
    path.write_bytes(whole[:-20])
    model = Counting()
    with Recording(path, records=True) as recording:
        recorded = RecordedModel("counting", recording, model)
        assert say(recorded, seed=1) == "Answer 1."
        say(recorded, seed=2)
        assert say(recorded, seed=2) == "Answer 1."
    assert model.asked == 1


def test_a_refusal_is_an_answer_but_an_outage_is_none(tmp_path: Path) -> None:
    with Recording(tmp_path / "recording.jsonl", records=True) as recording:
        with pytest.raises(ModelError):
            say(RecordedModel("counting", recording, Failing("refusal")), seed=1)
        with pytest.raises(ModelError):
            say(RecordedModel("counting", recording, Failing("provider_error")), seed=2)
        with pytest.raises(ModelError) as caught:
            say(RecordedModel("counting", recording, None), seed=1)
        assert (caught.value.cause, caught.value.usage.attempts) == ("refusal", 3)
        assert say(RecordedModel("counting", recording, Counting()), seed=2) == "Answer 1."
