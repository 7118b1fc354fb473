"""Restore: replay every prefix once before anything is spent; one that differs from its record is refused."""

from collections.abc import Sequence

from supportagentbench.customer.voice import ScriptedVoice
from supportagentbench.desk import Desk
from supportagentbench.desk.doors.house import HouseSeat
from supportagentbench.forks.fork import Fork, ForkPlay
from supportagentbench.forks.prefix import PrefixDiffers
from supportagentbench.records.run import Run
from supportagentbench.records.transcript import Turn
from supportagentbench.runner.stopwatch import Stopwatch


class _Reached(BaseException):
    """The decision was reached; no agent's error is mistaken for it."""


class _Witness:
    """Sits where the agent would, and ends the replay."""

    async def reply(self, turns: Sequence[Turn], desk: Desk) -> str:
        raise _Reached


async def restore(play: ForkPlay, header: Run, fork: Fork) -> None:
    """Replay a prefix up to the decision; a Problem says where it differs from the record."""
    try:
        await play(header, fork.point.id, HouseSeat(_Witness()), ScriptedVoice(), None, Stopwatch())
    except _Reached:
        return
    except PrefixDiffers as problem:
        if not fork.edit:
            raise
        facts = "; ".join(f"{name}={value}" for name, value in fork.point.facts.items())
        raise PrefixDiffers(
            f"with {facts}, what comes before reply {fork.point.turn} of {fork.point.case} would have been "
            f"another ({problem.where}); fork at an earlier reply."
        ) from None
    raise PrefixDiffers(
        f"the conversation on {fork.point.case} ends before reply {fork.point.turn} when it is replayed. "
        "Fork a run of this version and world."
    )


async def restore_all(play: ForkPlay, header: Run) -> int:
    """The same for all forks; returns how many there are."""
    for fork in play.forks.values():
        await restore(play, header, fork)
    return len(play.forks)
