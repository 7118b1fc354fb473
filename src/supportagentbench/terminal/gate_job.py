"""A gate that runs its agent: conversations are scored as they finish, and none begins once it is decided."""

from collections.abc import Callable
from pathlib import Path

from rich.console import Console
from rich.text import Text

from supportagentbench.board.gate import Gate
from supportagentbench.concurrency.event_loop import drive
from supportagentbench.concurrency.interrupt import Interrupt
from supportagentbench.records.problem import Problem
from supportagentbench.records.run import Run
from supportagentbench.results.load import score_conversation
from supportagentbench.runner.job import Job, run_job
from supportagentbench.runner.observer import SilentObserver
from supportagentbench.storage.transcripts import Filed
from supportagentbench.terminal.escape import visible

STEP = 20
"""A line is printed each time this number of conversations is done."""


class GateObserver(SilentObserver):
    """Gives every finished conversation to the gate, and remembers once it is decided."""

    def __init__(self, gate: Gate, say: Callable[[str], None]) -> None:
        self._gate = gate
        self._say = say
        self._count = 0
        self.is_decided = False

    def filed(self, *given: object) -> None:
        """Score a conversation and look at the rules."""
        header, filed = given
        assert isinstance(header, Run) and isinstance(filed, Filed)
        verdict = score_conversation(filed, header).verdict
        if verdict.counts:
            self._gate.add(header.run, verdict)
        self._count += 1
        if self._count % STEP == 0:
            self._say(f"{self._count} of {len(self._gate.order)} conversations")
        self.is_decided = self.is_decided or self._gate.is_failed


def run_gate(job: Job, gate: Gate, console: Console) -> None:
    """Run the job as far as the gate needs it."""

    def say(words: str) -> None:
        console.print(Text(visible(f"sab: {words}")))

    observer = GateObserver(gate, say)
    interrupt = Interrupt(say)
    done = drive(run_job(job._replace(is_decided=lambda: observer.is_decided), observer, interrupt))
    for sentence in done.paused:
        say(sentence)
    if interrupt.is_requested:
        raise KeyboardInterrupt


def fresh_folder(root: Path) -> Path:
    """A new numbered folder: a gate never takes conversations of an earlier version for this one's."""
    taken = [int(one.name) for one in root.glob("*") if one.name.isdecimal()] if root.is_dir() else []
    for number in range(max(taken, default=0) + 1, 10_000):
        try:
            (root / f"{number:04d}").mkdir(parents=True)
        except FileExistsError:
            continue
        except OSError as error:
            raise Problem(f"cannot be made: {error.strerror}.", place=root) from None
        return root / f"{number:04d}"
    raise Problem("is full; delete old gate runs.", place=root)
