"""Links: the addresses in the reader that list exactly the conversations that a number counts."""

from typing import Literal

from supportagentbench.board.metrics import METRICS
from supportagentbench.records.board import Estimate
from supportagentbench.site.data.counted import ALL, key_of
from supportagentbench.site.naming import where
from supportagentbench.site.number import whole

Part = Literal["", "no", "open", "all"]
"""Of the conversations that a figure is about: its hits, its misses, the undecided ones, or all."""

_MEANS = frozenset(metric.name for metric in METRICS if metric.unit != "share") | {"adherence"}
"""Figures that are amounts, so that all their conversations are behind them."""


def behind(metric: str, slug: str, part: Part = "", judge: str = "", **more: str) -> str:
    """A link to the conversations of an agent that a figure counts; without a figure, to all that count."""
    suffix = "all" if metric in _MEANS else part
    name = key_of(metric, judge) if metric else ALL
    return where(agent=slug, counted=f"{name}.{suffix}" if suffix else name, **more)


def counted_words(title: str, agent: str, estimate: Estimate | None, part: Part = "") -> str:
    """What a number counts, for readers who do not see where it is: `unsafe actions, hasty: 6 of 54`."""
    if estimate is None:
        return f"{title}, {agent}"
    things = "pairs" if estimate.metric == "pairs" else "conversations"
    hits = estimate.k if part != "no" or estimate.k is None else estimate.n - estimate.k
    count = f"all {whole(estimate.n)}" if hits is None else f"{whole(hits)} of {whole(estimate.n)}"
    return f"{title}, {agent}: {count} {things}"
