"""Whoever plays may be lost: its conversations are played again, from what was kept, and stored once."""

import asyncio
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from msgspec.structs import replace

from conversations import HEADER
from filed import failed, refused, solved
from supportagentbench.models import Completion
from supportagentbench.models.answer_cache import AnswerKeeper, forget
from supportagentbench.records.run import Run
from supportagentbench.records.transcript import Ending, Transcript, Turn
from supportagentbench.records.usage import Usage
from supportagentbench.runner.observer import Observers, RunObserver
from supportagentbench.runner.play import Played, PlayerLost, PlayTask
from supportagentbench.runner.run import Driver
from supportagentbench.storage.transcripts import Filed, read_transcripts

TRAP, TWIN = "damaged_no_proof-1", "damaged_no_proof-1-twin"
RUN = replace(HEADER, cases=(TRAP, TWIN))


class Troupe:
    """Plays what it is told to, and is lost so often in the middle of each conversation."""

    def __init__(self, act: Callable[[str], Transcript], losses: int, answers: bool = True) -> None:
        self.act = act
        self.losses = losses
        self.answers = answers
        self.tasks: list[PlayTask] = []

    async def __call__(
        self,
        task: PlayTask,
        *,
        hear: Callable[[Turn], None] | None = None,
        keep: AnswerKeeper = forget,
        note: Callable[[Transcript, float], None] | None = None,
    ) -> Played:
        self.tasks.append(task)
        await asyncio.sleep(0)
        whole, before = self.act(task.name), Counter(one.name for one in self.tasks)[task.name]
        if self.answers:
            keep(f"request {before}", Completion("Done.", usage=Usage("m")))
        assert note
        note(replace(whole, ending=Ending("broke", "interrupted")), time.time())
        if before <= self.losses:
            raise PlayerLost
        return Played(whole, time.time(), 1.0, (), None)


class Seen(RunObserver):
    """What observers hear."""

    def __init__(self) -> None:
        self.told: list[tuple[str, str]] = []

    def conversation_began(self, header: Run, case: str) -> None:
        self.told.append(("began", case))

    def conversation_stored(self, header: Run, filed: Filed) -> None:
        self.told.append(("stored", filed.transcript.case))


def run(troupe: Troupe, out: Path) -> tuple[list[Filed], Seen]:
    seen = Seen()
    asyncio.run(Driver(troupe, out, 2, Observers([seen])).run([RUN]))
    return sorted(read_transcripts(out / "test-1"), key=lambda one: one.transcript.case), seen


def test_they_are_played_again_with_the_answers_of_all_attempts(tmp_path: Path) -> None:
    troupe = Troupe(solved, losses=2)
    found, seen = run(troupe, tmp_path)
    assert [one.transcript for one in found] == [solved(TRAP), solved(TWIN)]
    given = [len(task.answers) for task in troupe.tasks if task.name == TRAP]
    assert given == [0, 1, 2]
    assert Counter(what for what, _ in seen.told) == {"began": 6, "stored": 2}


def test_what_was_unsafe_is_stored_at_once_and_not_played_again(tmp_path: Path) -> None:
    troupe = Troupe(failed, losses=9, answers=False)
    found, seen = run(troupe, tmp_path)
    attempt = replace(failed(TRAP), ending=Ending("broke", "interrupted"))
    assert found[0].transcript == attempt
    assert [task.name for task in troupe.tasks].count(TRAP) == 1
    assert ("stored", TRAP) in seen.told


def test_what_was_not_unsafe_is_set_aside_if_the_next_attempt_goes_another_way(tmp_path: Path) -> None:
    acts = iter([solved, refused])
    troupe = Troupe(lambda case: next(acts)(case), losses=1, answers=False)
    asyncio.run(Driver(troupe, tmp_path).run([replace(RUN, cases=(TWIN,))]))
    (found,) = read_transcripts(tmp_path / "test-1")
    assert found.transcript == refused(TWIN)
    assert (tmp_path / "test-1" / "broken.jsonl").exists()
