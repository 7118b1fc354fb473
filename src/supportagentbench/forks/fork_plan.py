"""ForkPlan: the forks of one command, and who decides them."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from supportagentbench.agents.resolve import resolve
from supportagentbench.agents.shipped import named
from supportagentbench.agents.spec import AskedAgent
from supportagentbench.desk.doors.process import Isolation
from supportagentbench.forks.choice import chosen_forks
from supportagentbench.forks.fork import Fork, ForkPlay
from supportagentbench.forks.fork_edit import read_facts
from supportagentbench.forks.restore import restore_all
from supportagentbench.forks.source import SourceConversation, read_sources
from supportagentbench.records.fork import ForkRule
from supportagentbench.records.origin import FileOrigin
from supportagentbench.records.problem import Problem
from supportagentbench.records.run import Run
from supportagentbench.world.drawn_cases import DrawnCases
from supportagentbench.world.redraw import redrawn


class ForkWishes(NamedTuple):
    """Which forks are wanted."""

    rule: ForkRule = "before_first_write"
    at: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    """Each makes a variant of every fork, in addition to the unchanged fork."""
    within: bool = False
    matching: str = ""
    all_cases: bool = False
    sample: int = 0
    seed: int = 0


class ForkPlan(NamedTuple):
    """What is decided again."""

    cases: DrawnCases
    header: Run
    """From one of the runs that the forks are taken from."""
    forks: dict[str, Fork]
    """By id."""
    authors: tuple[SourceConversation, ...]
    """A conversation of each agent that wrote a prefix."""
    seed: int
    origin: FileOrigin
    """Of the header."""

    @classmethod
    def of(cls, folders: Sequence[Path], wishes: ForkWishes, world: str = "", secret: str = "") -> "ForkPlan":
        """The requested forks of these runs."""
        sources = [one for one in read_sources(folders) if wishes.matching in one.transcript.case]
        if not wishes.all_cases and not wishes.at:
            sources = [one for one in sources if one.transcript.bucket == "adversarial"]
        if not sources:
            raise Problem("no conversation of these runs is left to fork; leave -k out, or add --all-cases.")
        found = chosen_forks(
            sources, wishes.rule, wishes.at, within=wishes.within, sample=wishes.sample, seed=wishes.seed
        )
        header, origin = sources[0].header, sources[0].origin
        remedy = "run the agents again, and fork those runs."
        (cases,) = redrawn(header, [header.case_seed], world, secret, remedy=remedy, origin=origin)
        if unknown := sorted({fork.point.case for fork in found} - cases.places.keys()):
            raise Problem(
                f"these runs have a conversation about {unknown[0]!r}, which this world does not have."
            )
        facts = [read_facts(given) for given in wishes.facts]
        found += [fork.having(cases, one) for fork in found for one in facts]
        by_agent = {one.header.agent: one for one in sources}
        authors = tuple(by_agent[name] for name in dict.fromkeys(fork.point.agent for fork in found))
        return cls(cases, header, {fork.point.id: fork for fork in found}, authors, wishes.seed, origin)

    @property
    def play(self) -> ForkPlay:
        """How these forks are played."""
        return ForkPlay(self.cases, self.forks)

    def agents(self, asked: Sequence[AskedAgent]) -> list[AskedAgent]:
        """Who decides: the requested agents, by default those of the prefixes."""
        return named(list(asked) or [one.author for one in self.authors])

    def check_agents(self, names: Sequence[AskedAgent], isolation: Isolation | None, seconds: float) -> None:
        """Refuse agents that do not exist, and forks that an agent cannot continue."""
        within = [fork for fork in self.forks.values() if fork.point.call]
        for name in names:
            spec = resolve(name)
            spec.check(isolation, seconds)
            if within and not spec.can_resume_within_reply:
                point = within[0].point
                raise Problem(
                    f"{spec.name} cannot continue in the middle of a reply (call {point.call} of "
                    f"{point.case}:{point.turn}); fork before the reply: leave out --within and the call in "
                    "--at."
                )

    async def restore(self) -> int:
        """Replay every prefix once; a Problem if one differs from its record."""
        return await restore_all(self.play, self.header)
