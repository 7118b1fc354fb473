"""Shortlist: the agents to look at, and which of them are safe enough to try."""

from collections.abc import Mapping
from typing import NamedTuple

from supportagentbench.board.dominance import covered_by
from supportagentbench.board.limits import is_surely_within, is_within, limits_of
from supportagentbench.board.standings import is_ranked
from supportagentbench.records.board import AgentResults, Board


class LeftOut(NamedTuple):
    """A ranked agent that is not on the shortlist."""

    agent: AgentResults
    covered_by: AgentResults | None
    """Who is at least as good on every headline figure; None: it is left out because it is reckless."""


class Shortlist(NamedTuple):
    """The ranked agents of a board, grouped for a reader who chooses one."""

    contenders: tuple[AgentResults, ...]
    """Every ranked agent that is not a dummy and was run on whole sets."""
    limits: Mapping[str, float]
    """The limits of what these cases measure."""
    within: tuple[AgentResults, ...]
    """Contenders within all of these limits as measured: those that are not dominated first."""
    surely_within: tuple[AgentResults, ...]
    """The same by the upper end of the interval."""
    ahead: tuple[AgentResults, ...]
    """Contenders outside the limits that are neither dominated nor reckless."""
    covers: Mapping[str, AgentResults]
    """By the name of an agent that is covered, who covers it."""
    left_out: tuple[LeftOut, ...]

    @property
    def listed(self) -> tuple[AgentResults, ...]:
        return (*self.within, *self.ahead)


def shortlist(board: Board) -> Shortlist:
    """Who of this board is worth a look."""
    agents = tuple(
        agent for agent in board.agents if is_ranked(agent) and not (agent.is_dummy or agent.is_part)
    )
    limits = limits_of(agents)
    covers = {agent.name: one for agent in agents if (one := covered_by(agent, agents))}
    within = [agent for agent in agents if is_within(agent, limits)]
    outside = [agent for agent in agents if agent not in within]
    ahead = tuple(agent for agent in outside if agent.name not in covers and agent.band != "reckless")
    return Shortlist(
        agents,
        limits,
        tuple(sorted(within, key=lambda agent: agent.name in covers)),
        tuple(agent for agent in agents if is_surely_within(agent, limits)),
        ahead,
        covers,
        tuple(LeftOut(agent, covers.get(agent.name)) for agent in outside if agent not in ahead),
    )
