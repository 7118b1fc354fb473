"""Observers are a list: each sees everything, and one that fails is dropped, said, and stops nothing."""

from collections.abc import Callable, Collection, Sequence
from pathlib import Path

from conversations import job_on
from supportagentbench.concurrency.event_loop import drive
from supportagentbench.jobs.run import run_job
from supportagentbench.records.run import Run
from supportagentbench.records.transcript import Turn
from supportagentbench.runner.observer import RunObserver
from supportagentbench.storage.transcripts import Filed


class Notes(RunObserver):
    """Writes down what it is told."""

    def __init__(self, wants_turns: bool = False, fails_at: str = "") -> None:
        self.wants_turns = wants_turns
        self.fails_at = fails_at
        self.seen: list[str] = []

    def _note(self, what: str) -> None:
        self.seen.append(what)
        if what == self.fails_at:
            raise LookupError("no room for sk-test-0123456789-secret")

    def job_planned(self, headers: Sequence[Run], spent: Callable[[], float]) -> None:
        self._note(f"planned {len(headers)}")

    def run_opened(self, header: Run, finished: Collection[str]) -> None:
        self._note(f"opened {header.run}")

    def conversation_began(self, header: Run, case: str) -> None:
        self._note(f"began {case}")

    def turn_said(self, header: Run, case: str, turn: Turn) -> None:
        self._note(f"turn {turn.party}")

    def conversation_stored(self, header: Run, filed: Filed) -> None:
        self._note(f"stored {filed.transcript.case}")


CASE = "tracking-1"
STEPS = ["planned 1", "opened 1", f"began {CASE}", f"stored {CASE}"]


def test_every_observer_is_told_and_turns_only_to_those_who_want_them(tmp_path: Path) -> None:
    plain, curious = Notes(), Notes(wants_turns=True)
    drive(run_job(job_on(CASE, ["oracle"], out=tmp_path), [plain, curious]))
    assert plain.seen == STEPS
    assert [one for one in curious.seen if not one.startswith("turn")] == STEPS
    assert curious.seen[3:5] == ["turn customer", "turn agent"]


def test_one_that_raises_is_dropped_and_said_and_the_others_and_the_run_go_on(tmp_path: Path) -> None:
    said: list[str] = []
    first, broken, last = Notes(), Notes(fails_at=f"began {CASE}"), Notes(wants_turns=True)
    job = job_on(CASE, ["oracle"], out=tmp_path)
    done = drive(run_job(job, [first, broken, last], say=said.append))
    assert done.outcome == "complete" and done.endings.total() == 1
    assert broken.seen == STEPS[:3] and first.seen == STEPS and last.seen[-1] == STEPS[-1]
    (sentence,) = said
    assert sentence.startswith("Notes failed") and "LookupError" in sentence


def test_nobody_has_to_observe(tmp_path: Path) -> None:
    assert drive(run_job(job_on(CASE, ["oracle"], out=tmp_path))).outcome == "complete"
