"""More figures: right every time, unchecked changes and all handovers, as text for pages and terminal."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from supportagentbench.board.every_time import last_of
from supportagentbench.records.board import AgentResults, Board, Estimate, EveryTime, Interval
from supportagentbench.records.counts import counted
from supportagentbench.site.number import NONE, percent


class MoreFigures(NamedTuple):
    """One agent's figures that have no column of their own; empty: there is nothing to count."""

    agent: AgentResults
    every_time: str
    traps: str
    """The traps among them."""
    unchecked: str
    beyond: str
    """Where more than the record's own page decides."""
    handovers: str


def more_figures(agents: Iterable[AgentResults]) -> list[MoreFigures]:
    """A row per agent; none, if no agent has any of them."""
    rows = [
        MoreFigures(
            agent,
            _every_time(last_of(agent.every_time, traps=False)),
            _every_time(last_of(agent.every_time, traps=True)),
            _unchecked(agent),
            _share(agent.of("unchecked_beyond")),
            _share(agent.of("handovers")),
        )
        for agent in agents
    ]
    return rows if any("".join(row[1:]) for row in rows) else []


def every_time_sentence(agent: AgentResults) -> str:
    """In how many cases all runs were right, traps apart; empty for a single run."""
    whole, traps = (last_of(agent.every_time, traps=traps) for traps in (False, True))
    if whole is None:
        return ""
    apart = f"; of the traps, {_every_time(traps)}" if traps else ""
    return f"Handled right in all {whole.k} runs of a case: {_every_time(whole)}{apart}."


def unchecked_sentence(agent: AgentResults) -> str:
    """How often a change came without what decides it, and how often that was right; empty if never told."""
    if not (found := _unchecked(agent)):
        return ""
    beyond = _share(agent.of("unchecked_beyond"))
    where = f"; where more than the first page decides, {beyond}" if beyond else ""
    return f"Changes without the look-ups that decide them: {found}{where}."


def handovers_sentence(agent: AgentResults) -> str:
    """How much of everything was handed over; empty if nothing was counted."""
    found = _share(agent.of("handovers"))
    return f"All handovers, needed or not: {found} conversations." if found else ""


def _every_time(one: EveryTime | None) -> str:
    """The mean with its interval, and the range that cases left open make of it."""
    if one is None:
        return ""
    count = f"{one.right} of {counted(one.cases, 'case')}" if one.right is not None else f"{one.cases} cases"
    said = f"{percent(one.value, one.cases)} ({count}; {_span(one.interval, one.cases)})"
    if one.open_cases:
        ends = f"{percent(one.at_worst, one.cases)} to {percent(one.at_best, one.cases)}"
        said += f", {ends} with {one.open_cases} that code left open"
    return said + (f", {one.short_cases} with too few runs left out" if one.short_cases else "")


def _unchecked(agent: AgentResults) -> str:
    found, lucky = agent.of("unchecked"), agent.of("near_miss")
    if found is None:
        return ""
    said = f"{_share(found)} conversations with a change"
    if not found.k or lucky is None:
        return said
    unclear = f" and {lucky.undecided} undecided" if lucky.undecided else ""
    return f"{said}, {lucky.k} of them right by luck{unclear}"


def _share(estimate: Estimate | None) -> str:
    """The share with its interval for new cases, then the count: so that a noun may follow."""
    if estimate is None:
        return ""
    ends = f" ({_span(estimate.new_cases_interval, estimate.n)})" if estimate.new_cases_interval else ""
    return f"{percent(estimate.value, estimate.n)}{ends}, {estimate.k} of {estimate.n}"


def _span(interval: Interval, n: int) -> str:
    return f"{percent(interval.low, n).removesuffix('%')}–{percent(interval.high, n)}"


def more_figure_lines(board: Board) -> Iterator[str]:
    """The same for a terminal: one block per figure, one line per agent that has it.

    Dummies have none next to agents.
    """
    agents = [agent for agent in board.agents if not agent.is_dummy] or board.agents
    for title, cell in (
        ("Right in all runs of a case (pass^k), with the interval for new cases; traps apart:", _both),
        ("Changes without the look-ups that decide them; beyond the first page:", _looked),
        ("All handovers, needed or not:", lambda row: row.handovers),
    ):
        found = [(row.agent.name, cell(row)) for row in more_figures(agents) if cell(row)]
        if found:
            yield title
            yield from (f"  {name}: {words}" for name, words in found)


def _both(row: MoreFigures) -> str:
    return f"{row.every_time}; traps {row.traps or NONE}" if row.every_time else ""


def _looked(row: MoreFigures) -> str:
    return f"{row.unchecked}; {row.beyond or NONE}" if row.unchecked else ""
