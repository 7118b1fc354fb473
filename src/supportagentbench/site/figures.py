"""Figures: the board's numbers as files for people and programs, the same words as on the pages."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from supportagentbench.board.conversation_table import Cell
from supportagentbench.board.export import as_csv
from supportagentbench.board.standings import is_ranked
from supportagentbench.records.board import AgentResults, Board, Estimate, Interval
from supportagentbench.site.data import ConversationRow
from supportagentbench.site.links import behind
from supportagentbench.site.number import value_text

Figures = dict[str, Any]


def board_json(board: Board, slugs: Mapping[str, str]) -> bytes:
    """Every agent with every metric, laid out for people."""
    made = {
        "world": board.world,
        "world_digest": board.world_digest,
        "set": board.set,
        "agents": [_agent(entry, slugs[entry.name]) for entry in board.agents],
    }
    return msgspec.json.format(msgspec.json.encode(made), indent=1) + b"\n"


def _agent(entry: AgentResults, slug: str) -> Figures:
    return {
        "agent": entry.name,
        "slug": slug,
        "runs": entry.runs,
        "conversations": entry.conversations,
        "planned": entry.planned,
        "outside": entry.outside,
        "ranked": is_ranked(entry),
        "tier": entry.tier,
        "badges": list(entry.badges),
        "metrics": [_metric(entry, estimate, slug) for estimate in entry.estimates],
    }


def _metric(entry: AgentResults, estimate: Estimate, slug: str) -> Figures:
    return {
        "metric": estimate.metric,
        "judge": estimate.judge,
        "value": estimate.value,
        "text": value_text(estimate),
        "numerator": estimate.k,
        "denominator": estimate.n,
        "runs": list(estimate.runs),
        "inner": _ends(estimate.rerun_interval),
        "outer": _ends(estimate.new_cases_interval),
        "band": entry.band if estimate.metric == "unsafe" else None,
        "where": behind(estimate.metric, slug),
    }


def _ends(interval: Interval | None) -> list[float] | None:
    return [interval.low, interval.high] if interval else None


def board_csv(board: Board, slugs: Mapping[str, str]) -> bytes:
    """A row an agent and metric."""
    return as_csv(list(_flat(board, slugs)))


def _flat(board: Board, slugs: Mapping[str, str]) -> Iterator[dict[str, Cell]]:
    for entry in board.agents:
        agent = _agent(entry, slugs[entry.name])
        for metric in agent["metrics"]:
            inner, outer = metric["inner"] or (None, None), metric["outer"] or (None, None)
            yield {
                **{name: agent[name] for name in ("agent", "slug", "ranked", "tier")},
                **{name: metric[name] for name in ("metric", "judge", "value", "text", "numerator")},
                "denominator": metric["denominator"],
                "runs": " ".join(map(str, metric["runs"])),
                "inner_low": inner[0],
                "inner_high": inner[1],
                "outer_low": outer[0],
                "outer_high": outer[1],
                "band": metric["band"],
                "where": metric["where"],
            }


def conversations_csv(rows: Iterable[ConversationRow]) -> bytes:
    """A row a conversation, with what was found against it; `sab export` has every finding and opinion."""
    return as_csv([_told(row) for row in rows])


def _told(row: ConversationRow) -> dict[str, Cell]:
    return {
        "agent": row.agent,
        "case": row.case,
        "run": row.run,
        "outcome": row.outcome.name,
        "flags": " ".join(row.flags),
        "fired_at_turn": row.fired,
        "messages": row.messages,
        "cost": row.cost,
        "judges_differ": row.judges_differ,
        "transcript": row.digest,
    }
