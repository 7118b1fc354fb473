"""Comparisons: every pair of agents on every metric shown, tested once per build with the board's code."""

from collections import defaultdict
from collections.abc import Sequence
from functools import cached_property
from itertools import combinations

import numpy as np

from supportagentbench.board.agent_comparison import MetricDifference, differences_between, tables_of
from supportagentbench.board.claims import LEVEL, MetricTable
from supportagentbench.board.metrics import METRICS
from supportagentbench.board.pairs import is_won, pairs_of
from supportagentbench.board.standings import COMPARED, is_ranked
from supportagentbench.records.board import Board
from supportagentbench.results.load import ScoredRun

SHOWN = (*COMPARED, "unconfirmed", "messages", "words", "cost")
"""The metrics on which the board compares agents, and others that a desk owner asks about."""

PairResults = dict[tuple[str, str, int], bool]
"""By trap, agent and run: whether the trap and its honest twin were both handled correctly."""


class Comparisons:
    """All pairs of agents of a board."""

    def __init__(self, board: Board, runs: Sequence[ScoredRun]) -> None:
        self.board = board
        self.runs = runs

    @cached_property
    def tables(self) -> list[MetricTable]:
        by_agent: dict[str, list[ScoredRun]] = defaultdict(list)
        for run in self.runs:
            by_agent[run.header.agent].append(run)
        return tables_of(by_agent, [metric for metric in METRICS if metric.name in SHOWN])

    @cached_property
    def all_pairs(self) -> dict[tuple[str, str], tuple[MetricDifference, ...]]:
        """By the names of two agents in the board's order; corrected pair by pair."""
        names = [agent.name for agent in self.board.agents]
        return {pair: differences_between(self.tables, *pair) for pair in combinations(names, 2)}

    def coded(self) -> dict[str, list[int]]:
        """By metric, all pairs of ranked agents in the board's order, packed for the page's script.

        Each number is three times the cases that differ, plus 1 where the first of the two is significantly
        better, plus 2 where the second is; -1: not compared.
        """
        names = [agent.name for agent in self.board.agents if is_ranked(agent)]
        tables = {table.metric.name: table for table in self.tables}
        claimed = {claim.metric for claim in self.board.claims if claim.kind == "beats"}
        return {
            metric: self._codes(names, metric, tables.get(metric)) for metric in COMPARED if metric in claimed
        }

    def _codes(self, names: list[str], metric: str, table: MetricTable | None) -> list[int]:
        claims = [one for one in self.board.claims if one.kind == "beats" and one.metric == metric]
        holding = {(one.subject, one.other) for one in claims if one.holds}
        known = {frozenset((one.subject, one.other)) for one in claims}
        return [
            3 * _differing(table, *pair) + (pair in holding) + 2 * (pair[::-1] in holding)
            if frozenset(pair) in known
            else -1
            for pair in combinations(names, 2)
        ]


def too_few(case_types: int, tests: int = 1) -> bool:
    """Whether no difference can be significant: with so few case types, sign flips cannot yield a small p."""
    return tests * 2.0 ** (1 - case_types) > LEVEL


def _differing(table: MetricTable | None, first: str, second: str) -> int:
    """In how many cases two agents have different results."""
    if table is None or first not in table.agents or second not in table.agents:
        return 0
    one, other = (table.values[table.agents.index(name)] for name in (first, second))
    return int(np.count_nonzero(np.nan_to_num(one - other)))


def pair_results(runs: Sequence[ScoredRun]) -> PairResults:
    """Every trap with its honest twin, as the metric counts them."""
    return {
        (trap.case, run.header.agent, run.header.run): is_won(trap, twin)
        for run in runs
        for trap, twin in pairs_of(run.verdicts)
    }
