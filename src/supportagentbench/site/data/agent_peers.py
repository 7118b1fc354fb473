"""Agent peers: one agent compared with the other ranked agents of the board."""

from collections.abc import Mapping
from functools import cached_property
from statistics import fmean
from typing import NamedTuple

from supportagentbench.board.badges import TIERS
from supportagentbench.board.metrics import METRICS
from supportagentbench.board.standings import COMPARED, is_ranked
from supportagentbench.records.board import AgentResults, Board
from supportagentbench.records.claim import Claim
from supportagentbench.site.data.term import as_term
from supportagentbench.site.number import value_text

DISTANCE = ("over_escalation", "unsafe", "escalation", "resolution")
"""How similar two agents are is their mean distance on these metrics."""

NEAREST = 3

_TITLES = {metric.name: metric.term for metric in METRICS}


class PairedComparison(NamedTuple):
    """This agent and another on one metric."""

    title: str
    ours: str
    theirs: str
    claim: Claim | None


class Alternative(NamedTuple):
    """Another agent with similar figures."""

    results: AgentResults
    slug: str
    distance: float
    pairs: tuple[PairedComparison, ...]
    costs_less: bool
    """In a lower cost tier, with no significant difference on any metric."""


class Peers:
    """One agent and the other ranked agents."""

    def __init__(self, board: Board, slugs: Mapping[str, str], results: AgentResults) -> None:
        self.board = board
        self.slugs = slugs
        self.results = results

    @cached_property
    def others(self) -> list[AgentResults]:
        """All other ranked agents."""
        return [one for one in self.board.agents if one.name != self.results.name and is_ranked(one)]

    @cached_property
    def claims(self) -> list[Claim]:
        """Claims about this agent that hold."""
        return [one for one in self.board.claims if one.holds and self.results.name in named_in(one)]

    def differing(self, metric: str) -> int:
        """From how many others it differs significantly on this metric."""
        return sum(one.kind == "beats" and one.metric == metric for one in self.claims)

    @cached_property
    def compared(self) -> list[str]:
        """The metrics on which it was compared with at least one agent."""
        known = {
            one.metric
            for one in self.board.claims
            if one.kind == "beats" and self.results.name in named_in(one)
        }
        return [metric for metric in COMPARED if metric in known]

    @cached_property
    def nearest(self) -> list[Alternative]:
        """The ranked agents with the most similar figures; none for an agent that is not ranked."""
        if not is_ranked(self.results):
            return []
        near = sorted(self.others, key=lambda other: (self._distance(other), other.name))[:NEAREST]
        return [self._alternative(other) for other in near]

    @cached_property
    def cheaper(self) -> list[AgentResults]:
        """Agents in a lower cost tier with no significant difference on any metric."""
        return [one for one in self.others if self._costs_less(one)] if is_ranked(self.results) else []

    def claim(self, kind: str, metric: str, other: str = "") -> Claim | None:
        """The claim of this kind about this agent, and the other if there is one."""
        wanted = {self.results.name, other} - {""}
        return next(
            (
                one
                for one in self.board.claims
                if one.kind == kind and one.metric == metric and named_in(one) == wanted
            ),
            None,
        )

    def _alternative(self, other: AgentResults) -> Alternative:
        pairs = tuple(
            PairedComparison(
                _TITLES[metric],
                value_text(as_term(self.results.of(metric))),
                value_text(as_term(other.of(metric))),
                self.claim("beats", metric, other.name),
            )
            for metric in COMPARED
            if self.results.of(metric) or other.of(metric)
        )
        return Alternative(
            other, self.slugs[other.name], self._distance(other), pairs, self._costs_less(other)
        )

    def _distance(self, other: AgentResults) -> float:
        both = [(self.results.of(metric), other.of(metric)) for metric in DISTANCE]
        gaps = [abs(ours.value - theirs.value) for ours, theirs in both if ours and theirs]
        return fmean(gaps) if gaps else 1.0

    def _costs_less(self, other: AgentResults) -> bool:
        tiers = list(TIERS)
        if other.tier is None or self.results.tier is None:
            return False
        differs = any(other.name in named_in(one) for one in self.claims)
        return not differs and tiers.index(other.tier) < tiers.index(self.results.tier)


def named_in(claim: Claim) -> set[str]:
    """The agents that a claim is about."""
    return {claim.subject, claim.other} - {""}
