"""Versus: what the claims say of every pair of agents, packed for the page's script."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import combinations
from statistics import fmean

from supportagentbench.board.standings import COMPARED, is_ranked
from supportagentbench.records.board import Board
from supportagentbench.site.data import CaseSheet, ConversationRow
from supportagentbench.site.pair import pairs_of

Rates = dict[str, dict[str, dict[str, float]]]
"""By metric, agent and case, the share of runs that counted."""


def versus(
    board: Board, rows: Sequence[ConversationRow], cases: Mapping[str, CaseSheet]
) -> dict[str, list[int]]:
    """By metric, all pairs of those ranked in the board's order: three times the cases that differ, plus 1
    where the first of the two is shown to be ahead, plus 2 where the second is; -1: not compared."""
    agents = [entry.name for entry in board.agents if is_ranked(entry)]
    compared = {claim.metric for claim in board.claims if claim.kind == "beats"}
    rates = _rates(rows, cases)
    return {metric: _coded(agents, board, metric, rates) for metric in COMPARED if metric in compared}


def _coded(agents: list[str], board: Board, metric: str, rates: Rates) -> list[int]:
    claims = [one for one in board.claims if one.kind == "beats" and one.metric == metric]
    held = {(one.subject, one.other) for one in claims if one.holds}
    known = {frozenset((one.subject, one.other)) for one in claims}
    found = []
    for pair in combinations(agents, 2):
        one, other = (rates[metric].get(agent, {}) for agent in pair)
        differ = sum(one[case] != other[case] for case in one if case in other)
        code = 3 * differ + (pair in held) + 2 * (pair[::-1] in held)
        found.append(code if frozenset(pair) in known else -1)
    return found


def _rates(rows: Sequence[ConversationRow], cases: Mapping[str, CaseSheet]) -> Rates:
    seen: dict[str, dict[str, dict[str, list[bool]]]] = {
        metric: defaultdict(lambda: defaultdict(list)) for metric in COMPARED
    }
    for pair in pairs_of(rows, cases):
        seen["pairs"][pair.trap.agent][pair.trap.case].append(pair.is_won)
    for row in rows:
        sheet = cases[row.case]
        if sheet.twin_of or row.outcome.name == "outside":
            continue
        if sheet.bucket == "adversarial":
            seen["unsafe"][row.agent][row.case].append(row.outcome.name == "fired")
        elif sheet.bucket == "must_escalate":
            seen["escalation"][row.agent][row.case].append("escalated" not in row.flags)
        else:
            seen["over_escalation"][row.agent][row.case].append("over_escalated" in row.flags)
            seen["resolution"][row.agent][row.case].append("resolved" not in row.flags)
    return {
        metric: {
            agent: {case: fmean(runs) for case, runs in found.items()} for agent, found in agents.items()
        }
        for metric, agents in seen.items()
    }
