"""Fork board: every decision with its replays, then the summary of all."""

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from rich.console import Console, Group
from rich.text import Text

from supportagentbench.board.fork_board import (
    AgentForks,
    ForkBoard,
    ForkPath,
    RungHazard,
    TemptationCurve,
    fork_board,
)
from supportagentbench.jobs.run import JobResult
from supportagentbench.records.counts import counted
from supportagentbench.records.fork import RULES, ForkPoint
from supportagentbench.stats.forks import CLEAN, HIGH
from supportagentbench.storage.archive import HEADER, folder_name
from supportagentbench.terminal.escape import on_one_line, visible

MOST_SIGNS = 30
"""Replays that are shown one by one."""


def print_forks(console: Console, out: Path, done: JobResult) -> None:
    """The results of a fork job."""
    folders = [out / folder_name(header) for header in done.headers]
    board = fork_board([folder for folder in folders if (folder / HEADER).exists()])
    if board.results:
        console.print("", forks_view(board))


def forks_view(board: ForkBoard) -> Group:
    """Every fork with a line per agent, then hazards, commitments and pooled rates."""
    return Group(
        Text(visible("\n".join(_lines(board)))), "", Text(visible("\n".join(_remarks(board))), style="dim")
    )


def _lines(board: ForkBoard) -> Iterator[str]:
    name = max((len(on_one_line(one.agent)) for one in board.results), default=0)
    most = max((len(one.replays[:MOST_SIGNS]) for one in board.results), default=0)
    for _, rows in groupby(board.results, key=lambda one: one.fork.id):
        found = list(rows)
        yield _title(found[0].fork)
        for one in found:
            signs = "".join(_sign(replay.unsafe) for replay in one.replays[:MOST_SIGNS])
            agent = f"{on_one_line(one.agent)}{'*' * one.is_own}"
            figures = f"{one.hits:3} of {one.trials:<3} {one.low:4.0%}–{one.high:<4.0%}"
            yield f"  {agent:{name + 1}}  {signs:{most}} {figures} {one.verdict}"


def _title(fork: ForkPoint) -> str:
    edits = "".join(f", {name}={value}" for name, value in sorted(fork.facts.items()))
    call = f".{fork.call}" if fork.call else ""
    return on_one_line(f"{fork.case}:{fork.turn}{call} after {fork.agent}, run {fork.run}{edits}")


def _sign(unsafe: bool | None) -> str:
    return "?" if unsafe is None else "x" if unsafe else "."


def _remarks(board: ForkBoard) -> Iterator[str]:
    rules = dict.fromkeys(RULES[one.fork.rule] for one in board.results)
    yield f"Forks: {'; '.join(rules)}. x: unsafe action, dot: none, ?: undecided by code; *: its own words."
    yield "A rate at a fork holds for conversations that got that far; it is not an overall failure rate."
    if any(one.decision == "undecided" and one.trials and not one.hits for one in board.results):
        yield f"It takes {CLEAN} clean replays to hold; fewer do not rule out {HIGH:.0%}."
    for agent in board.agents:
        yield from _of_agent(agent)
    for hazard in board.hazards:
        yield _hazard(hazard)
    for path in board.paths:
        yield _path(path)
    for curve in board.curves:
        yield _curve(curve)
    yield from (f"{words}, so nothing is decided there." for words in board.missing)
    repeated = [one for one in board.results if one.trials > 1 and one.distinct == 1]
    if repeated:
        yield f"All replays are word for word the same in {counted(len(repeated), 'row')}."
    if left_out := {one.fork.id: one.fork.reasoning for one in board.results if one.fork.reasoning}:
        yield f"The prefixes had {sum(left_out.values()):,} tokens of reasoning, not sent to agents."


def _of_agent(agent: AgentForks) -> Iterator[str]:
    if found := agent.pooled:
        yield (
            f"{agent.agent}: unsafe in {found.hits} of {found.trials} replays of "
            f"{counted(found.forks, 'fork')} chosen blindly, {found.rate:.0%} "
            f"({found.rerun[0]:.0%}–{found.rerun[1]:.0%} for these forks, "
            f"{found.new_forks[0]:.0%}–{found.new_forks[1]:.0%} for new ones)."
        )
    if effect := agent.effect:
        yield (
            f"{agent.agent}: {effect.own:.0%} after its own words, {effect.foreign:.0%} after others'; "
            f"difference {effect.difference:+.0%} ({effect.low:+.0%} to {effect.high:+.0%}), "
            f"{counted(effect.cases, 'case')}."
        )


def _hazard(one: RungHazard) -> str:
    steps = ", ".join(f"{k} of {n}" for k, n in zip(one.hits, one.trials, strict=True))
    return (
        f"{one.agent}, {one.case} (prefix by {one.source}): {steps} along the lines of pressure; "
        f"together about {one.total:.0%} ({one.low:.0%}–{one.high:.0%}, approximate)."
    )


def _path(one: ForkPath) -> str:
    natural = ", ".join(f"{k} of {n}" for k, n in zip(one.natural, one.trials, strict=True))
    where = (
        "no reply changes the outcome when it is decided again"
        if one.committed is None
        else f"reply {one.committed} is the last that changes the outcome when it is decided again"
    )
    return f"{one.agent}, {one.case} (by {one.source}): did as recorded in {natural}; {where}."


def _curve(one: TemptationCurve) -> str:
    parts = []
    for point in one.points:
        facts = "; ".join(f"{name}={value}" for name, value in sorted(point.facts.items())) or "as it was"
        allowed = "forbidden" if point.forbidden else "allowed"
        parts.append(f"{facts}: {point.taken} of {point.trials} ({allowed})")
    return f"{one.agent}, {one.case}:{one.turn}, {one.action}: {', '.join(parts)}."
