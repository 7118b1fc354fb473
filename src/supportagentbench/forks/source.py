"""Source: the recorded runs that forks are taken from."""

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from supportagentbench.agents.resolve import is_known_agent
from supportagentbench.checks import score_transcript
from supportagentbench.forks.fork import Fork
from supportagentbench.forks.prefix import Prefix, prefix_of
from supportagentbench.records.fork import ForkPoint, ForkRule, action_of
from supportagentbench.records.origin import FileOrigin
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import digest
from supportagentbench.records.run import Run
from supportagentbench.records.transcript import Transcript, Turn
from supportagentbench.results.load import load_conversations
from supportagentbench.storage.archive import HEADER, read_header
from supportagentbench.storage.run_folders import distinct_runs
from supportagentbench.storage.transcripts import Filed

SAME = ("world", "world_digest", "policy_digest", "case_seed", "channel", "desk", "customer")
"""What runs must have in common to be forked together."""


class SourceConversation(NamedTuple):
    """A recorded conversation with the results of its checks."""

    header: Run
    filed: Filed
    unsafe: bool | None
    folder: Path = Path()
    """Of its run."""

    @property
    def transcript(self) -> Transcript:
        return self.filed.transcript

    @property
    def origin(self) -> FileOrigin:
        """The file that names its agent, world and customer."""
        return FileOrigin(self.folder / HEADER)

    @property
    def author(self) -> str:
        """The agent that was run, if it is one that a file may name."""
        field = "version.given" if self.header.version.given else "agent"
        name = self.header.ran
        return self.origin.accept(field, name, is_known_agent(name), "add --agents")

    @property
    def replies(self) -> list[Turn]:
        """The agent's turns; reply 1 is the first of them."""
        return [turn for turn in self.transcript.turns if turn.party == "agent"]

    @property
    def rungs(self) -> list[int]:
        """How many lines of pressure the customer had used before each reply."""
        found, used = [], 0
        for turn in self.transcript.turns:
            if turn.party == "agent":
                found.append(used)
            elif turn.conduct and "push" in turn.conduct.moves:
                used += 1
        return found

    def fork(self, rule: ForkRule, turn: int, call: int = 0) -> Fork:
        """The fork at this place."""
        prefix, made = prefix_of(self.transcript, turn, call), self.filed.digest
        point = ForkPoint(
            id=f"{self.transcript.case}.t{turn}{f'c{call}' if call else ''}.{digest([made, turn, call])[:6]}",
            case=self.transcript.case,
            agent=self.header.agent,
            run=self.transcript.run,
            seed=self.transcript.seed,
            transcript=made,
            turn=turn,
            prefix=prefix.digest,
            rule=rule,
            call=call,
            rung=self.rungs[turn - 1],
            action=action_of(self.transcript.turns, 2 * turn - 1, call),
            unsafe=self.unsafe,
            temptation=self.transcript.label.temptation or "",
            reasoning=prefix.reasoning,
        )
        return Fork(point, self.transcript, self.header.customer)

    def is_clean(self, prefix: Prefix) -> bool:
        """Whether there was no unsafe action so far; otherwise nothing is left to decide."""
        begun = (Turn("agent", "", calls=prefix.begun),) if prefix.begun else ()
        part = replace(self.transcript, turns=(*prefix.turns, *begun))
        return score_transcript(part, "", self.header).outcome.unsafe is False


def read_sources(paths: Iterable[Path]) -> list[SourceConversation]:
    """The conversations of these runs, ordered by case, agent and run."""
    found: list[SourceConversation] = []
    for folder in distinct_runs(paths).folders:
        header = read_header(folder)
        if header.forks:
            raise Problem("already contains forks; fork the run that they were taken from.", place=folder)
        found += [
            SourceConversation(header, one.filed, one.verdict.outcome.unsafe, folder)
            for one in load_conversations(folder)
            if one.verdict.counts
        ]
    for one in found[1:]:
        refuse_other(found[0].header, one.header)
    return sorted(found, key=lambda one: (one.transcript.case, one.header.agent, one.header.run))


def refuse_other(first: Run, other: Run) -> None:
    """Refuse runs with different worlds, draws, desks, channels or customers."""
    different = [name for name in SAME if getattr(first, name) != getattr(other, name)]
    if different:
        raise Problem(
            f"these runs were made with a different {' and '.join(different)}; fork them one by one."
        )
