"""Restore: replay every prefix once before anything is spent; one that differs from its record is refused."""

from supportagentbench.customer.voice import ScriptedVoice
from supportagentbench.forks.fork import Fork, ForkPlay
from supportagentbench.forks.grafted_agent import repeat_calls
from supportagentbench.forks.prefix import PrefixDiffers
from supportagentbench.records.run import Run


async def restore(play: ForkPlay, header: Run, fork: Fork) -> None:
    """Bring desk and customer to the decision; a Problem says where they differ from the record."""
    try:
        found = await play.at_decision(header, fork.point.id, ScriptedVoice())
        repeat_calls(fork.point, fork.recorded.begun, found.conversation.session.open_turn(fork.point.place))
    except PrefixDiffers as problem:
        if not fork.edit:
            raise
        facts = "; ".join(f"{name}={value}" for name, value in fork.point.facts.items())
        raise PrefixDiffers(
            f"with {facts}, the part before reply {fork.point.turn} of {fork.point.case} would have been "
            f"different ({problem.where}); fork at an earlier reply."
        ) from None


async def restore_all(play: ForkPlay, header: Run) -> int:
    """The same for all forks; returns how many there are."""
    for fork in play.forks.values():
        await restore(play, header, fork)
    return len(play.forks)
