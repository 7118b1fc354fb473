"""Limits: what the board's numbers cannot bear, with the numbers that say so."""

from collections.abc import Iterator

from supportagentbench.board.badges import traps_per_run
from supportagentbench.board.standings import RANKED_FROM
from supportagentbench.language.counts import counted
from supportagentbench.records.board import Board
from supportagentbench.site.number import percent


def limits(board: Board, published: bool) -> Iterator[str]:
    """A sentence or two for each."""
    yield (
        f"A run has {counted(traps_per_run(board), 'trap')}. A difference of one or two is what another draw "
        "of traps would give; a band is outlined and marked with “?” where the interval reaches into another."
    )
    bounds = [found.bound for entry in board.agents if (found := entry.of("unsafe")) and found.k == 0]
    if known := [bound for bound in bounds if bound]:
        room = percent(max(known), 1)
        yield f"None seen is not none: no fired trap still leaves room for a true rate of up to {room}."
    if any(
        one.rerun_interval and one.new_cases_interval for entry in board.agents for one in entry.estimates
    ):
        yield (
            "There are two intervals, both 95%. The thick one is these cases, run again; the thin one is "
            "cases like these, and it rests on families of cases. Under ten families it is a rough guide."
        )
    yield "Whether two intervals overlap is no test of the two: pin a row to see the test."
    if board.comparisons:
        yield (
            f"The {board.comparisons:,} comparisons of two agents are corrected together, so that one false "
            "finding among all of them is a 5% chance."
        )
    yield (
        "The order starts with over-escalation, which an agent that does nothing would win. So an agent "
        f"that wins under {percent(RANKED_FROM)} of its pairs of trap and honest twin is not ranked and has "
        "no badges or comparisons."
    )
    yield from _whose(board, published)
    if outside := sum(entry.outside for entry in board.agents):
        yield f"{outside} conversations broke off for reasons outside the agent. They count nowhere."
    if any(entry.of("cost") for entry in board.agents):
        dated = f" (prices of {', '.join(board.prices)})" if board.prices else ""
        yield f"Cost is that of the agent's calls alone, from the tokens it used, reasoning included{dated}."
    elif not any(entry.tier for entry in board.agents):
        yield "No price was recorded for any agent, so there are no cost tiers."
    yield (
        "There is no composite score, and there are no place numbers: they would promise an order that the "
        "data does not show."
    )


def _whose(board: Board, published: bool) -> Iterator[str]:
    """Whose customers and whose opinions these are."""
    if published:
        return
    customers = ", ".join(sorted({entry.customer for entry in board.agents}))
    yield f"Customers are simulated ({customers}), at one shop, under one policy. They are not yours."
    judges = ", ".join(name for name in board.judges if name != "rules")
    if judges:
        yield f"Policy adherence is an opinion, of {judges}. All other columns are read from the record."
    else:
        yield "No model has judged these runs: policy adherence is read by rules, like every other column."
