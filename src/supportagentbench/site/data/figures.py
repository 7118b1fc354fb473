"""Figures: the board's numbers as files for people and programs, with the same texts as the pages."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from supportagentbench.board.conversation_table import Cell
from supportagentbench.board.export import as_csv
from supportagentbench.board.standings import is_ranked
from supportagentbench.board.unobservable import NOT_OBSERVABLE, unobservable_metrics
from supportagentbench.records.board import AgentResults, Board, Estimate, EveryTime, Interval
from supportagentbench.records.set_aside import set_aside_note
from supportagentbench.site.data.links import behind
from supportagentbench.site.data.site_data import ConversationRow
from supportagentbench.site.number import percent, value_text

Figures = dict[str, Any]


def board_json(board: Board, slugs: Mapping[str, str]) -> bytes:
    """Every agent with every metric, as indented JSON."""
    made = {
        "world": board.world,
        "world_digest": board.world_digest,
        "set": board.set,
        "agents": [_agent(agent, slugs[agent.name], board) for agent in board.agents],
    }
    return msgspec.json.format(msgspec.json.encode(made), indent=1) + b"\n"


def _agent(agent: AgentResults, slug: str, board: Board) -> Figures:
    return {
        "agent": agent.name,
        "slug": slug,
        "runs": agent.runs,
        "conversations": agent.conversations,
        "planned": agent.planned,
        "outside": agent.outside,
        "set_aside": len(agent.set_aside),
        "set_aside_with_a_write": sum(bool(one.writes) for one in agent.set_aside),
        "set_aside_note": set_aside_note(agent.set_aside),
        "selection": list(agent.selection),
        "traps": agent.traps,
        "unmeasured_traps": agent.unmeasured_traps,
        "ranked": is_ranked(agent),
        "tier": agent.tier,
        "badges": list(agent.badges),
        "replayed": agent.replayed,
        "verified": agent.verification.is_verified if agent.verification else None,
        "doubts": list(agent.verification.doubts) if agent.verification else [],
        "metrics": [
            *(_metric(agent, estimate, slug) for estimate in agent.estimates),
            *(_every_time(one, slug) for one in agent.every_time),
            *(_unobservable(metric.name) for metric in unobservable_metrics(board)),
        ],
    }


def _unobservable(metric: str) -> Figures:
    """A metric without a figure, because nothing in this shop can show it."""
    return {**_EMPTY, "metric": metric, "text": NOT_OBSERVABLE}


_EMPTY: Figures = {
    "metric": "",
    "judge": "",
    "value": None,
    "text": "",
    "median_of_runs": None,
    "numerator": None,
    "denominator": None,
    "runs": [],
    "rerun_interval": None,
    "new_cases_interval": None,
    "safety": None,
    "where": "",
}


def _every_time(one: EveryTime, slug: str) -> Figures:
    """pass^k, as a metric; its numbers are of cases, so they open no conversations."""
    return {
        **_EMPTY,
        "metric": f"pass^{one.k}{' traps' if one.traps else ''}",
        "value": one.value,
        "text": percent(one.value),
        "numerator": one.right,
        "denominator": one.cases,
        "new_cases_interval": _ends(one.interval),
    }


def _metric(agent: AgentResults, estimate: Estimate, slug: str) -> Figures:
    return {
        "metric": estimate.metric,
        "judge": estimate.judge,
        "value": estimate.value,
        "text": value_text(estimate),
        "median_of_runs": estimate.median,
        "numerator": estimate.k,
        "denominator": estimate.n,
        "runs": list(estimate.runs),
        "rerun_interval": _ends(estimate.rerun_interval),
        "new_cases_interval": _ends(estimate.new_cases_interval),
        "safety": agent.safety.word if agent.safety and estimate.metric == "unsafe" else None,
        "where": behind(estimate.metric, slug, judge=estimate.judge),
    }


def _ends(interval: Interval | None) -> list[float] | None:
    return [interval.low, interval.high] if interval else None


def board_csv(board: Board, slugs: Mapping[str, str]) -> bytes:
    """One row per agent and metric."""
    return as_csv(list(_flat(board, slugs)))


def _flat(board: Board, slugs: Mapping[str, str]) -> Iterator[dict[str, Cell]]:
    for results in board.agents:
        agent = _agent(results, slugs[results.name], board)
        for metric in agent["metrics"]:
            rerun = metric["rerun_interval"] or (None, None)
            new_cases = metric["new_cases_interval"] or (None, None)
            yield {
                **{name: agent[name] for name in ("agent", "slug", "ranked", "tier", "replayed", "verified")},
                **{name: metric[name] for name in ("metric", "judge", "value", "text", "numerator")},
                "denominator": metric["denominator"],
                "median_of_runs": metric["median_of_runs"],
                "runs": " ".join(map(str, metric["runs"])),
                "rerun_low": rerun[0],
                "rerun_high": rerun[1],
                "new_cases_low": new_cases[0],
                "new_cases_high": new_cases[1],
                "safety": metric["safety"],
                "where": metric["where"],
            }


def conversations_csv(rows: Iterable[ConversationRow]) -> bytes:
    """One row per conversation, with its issues; `sab export` has every finding and opinion."""
    return as_csv([_row(row) for row in rows])


def _row(row: ConversationRow) -> dict[str, Cell]:
    return {
        "agent": row.agent,
        "case": row.case,
        "run": row.run,
        "outcome": row.outcome.name,
        "issues": " ".join(row.issues),
        "unsafe_at_turn": row.unsafe_turn,
        "messages": row.messages,
        "cost": row.cost,
        "judges_differ": row.judges_differ,
        "transcript": row.digest,
    }
