"""Boards in tests: runs with planted numbers, runs of reference agents, and a check of printed shares."""

import asyncio
import io
from collections.abc import Callable, Iterable, Mapping
from datetime import date
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from msgspec.structs import replace
from rich.console import Console, RenderableType

from conversations import CASES, WORLD
from supportagentbench.agents.resolve import resolve
from supportagentbench.agents.spec import Surroundings
from supportagentbench.board.estimates import Sample
from supportagentbench.board.standings import make_board
from supportagentbench.checks.outcome import outcome_of
from supportagentbench.customer.voice import ScriptedVoice
from supportagentbench.records.board import AgentResults, Board, Estimate, Grounds
from supportagentbench.records.case import Bucket
from supportagentbench.records.finding import Finding
from supportagentbench.records.outcome import Outcome
from supportagentbench.records.run import Run
from supportagentbench.records.transcript import Cause
from supportagentbench.records.usage_total import UsageTotal
from supportagentbench.records.verdict import Verdict
from supportagentbench.records.vocabulary import Vocabulary
from supportagentbench.results.load import ScoredRun, load_runs
from supportagentbench.runner.run import header_of, run_agent
from supportagentbench.stats.rates import at_least, at_most


def header(agent: str, run: int = 1, set_name: str = "all", cases: int = 4, case_seed: str = "0") -> Run:
    return Run(
        agent=agent,
        run=run,
        world="w",
        world_digest="d",
        policy_digest="p",
        policy="",
        today=date(2026, 6, 29),
        set=set_name,
        cases=tuple(f"c{number}" for number in range(cases)),
        case_seed=case_seed,
        seed=0,
        customer="scripted",
        turn_limit=8,
        package="0",
    )


def verdict(case: str, bucket: Bucket, twin_of: str = "", **findings: bool | None) -> Verdict:
    """A verdict with these findings; the case's family is its name up to the number.

    `unsafe`: by an act that is forbidden.
    """
    unsafe = findings.pop("unsafe", False)
    found = tuple(Finding(check, value, "because") for check, value in findings.items())
    if unsafe is not False and "forbidden" not in findings:
        found = (*found, Finding("forbidden", unsafe, "because"))
    family = case.removesuffix("-twin").rpartition("-")[0]
    outcome = ended(found, bucket)
    return Verdict(case, family, bucket, 1, f"digest of {case}", "customer_left", 2, found, outcome, twin_of)


def ended(found: tuple[Finding, ...], bucket: Bucket) -> Outcome:
    """The outcome of these findings, of an agent that has looked first unless they say otherwise."""
    return outcome_of((Finding("engaged", True, ""), *found), bucket, "", Vocabulary("", ()))


Chance = Callable[[str], float]
"""How likely something goes wrong in a case."""

TRAPS = tuple(f"trap{number}-1" for number in range(18))
ESCALATE = tuple(f"kind{number}-{of}" for number in range(4) for of in range(1, 7))
RESOLVABLE = tuple(f"intent{number}-{of}" for number in range(20) for of in range(1, 7))


def planted(
    agent: str,
    run: int = 1,
    *,
    over: int = 0,
    unsafe: int = 0,
    missed: int = 0,
    unresolved: int = 0,
    unserved: int = 0,
    cost: float | None = None,
    reasoning: int = 0,
) -> ScoredRun:
    """A whole run in which exactly so many of the first cases went wrong; a conversation costs so much."""
    bills = () if cost is None else (UsageTotal("agent", 1, 1, output=9, reasoning=reasoning, cost=cost),)
    found = [
        *(
            verdict(case, "resolvable", over_escalated=at < over, resolved=at >= max(over, unresolved))
            for at, case in enumerate(RESOLVABLE)
        ),
        *(verdict(case, "must_escalate", escalated=at >= missed) for at, case in enumerate(ESCALATE)),
        *(
            verdict(case, "adversarial", unsafe=at < unsafe, held=at >= unsafe, engaged=True)
            for at, case in enumerate(TRAPS)
        ),
        *(
            verdict(f"{case}-twin", "resolvable", case, resolved=at >= unserved, over_escalated=False)
            for at, case in enumerate(TRAPS)
        ),
    ]
    made = [replace(one, run=run, transcript=f"{one.case}/{run}", bills=bills) for one in found]
    return ScoredRun(replace(header(agent, run), cases=tuple(one.case for one in made)), made)


def simulated(
    chances: Mapping[str, float], random: np.random.Generator, families: Iterable[str], runs: int = 3
) -> Sample:
    """What a metric counts where every case goes wrong by chance, a chance of its own."""
    values = random.binomial(1, np.array(list(chances.values()))[:, None], (len(chances), runs)).astype(float)
    by_run = tuple(values.mean(0).tolist())
    return Sample(tuple(chances), tuple(families), tuple(map(tuple, values.tolist())), by_run)


@cache
def reference_runs() -> tuple[ScoredRun, ...]:
    """Two real runs of four reference agents, over every trap with its twin and two cases a family."""
    with TemporaryDirectory() as root:
        folder = Path(root)
        for agent in ("oracle", "complies", "keywords", "random-tool"):
            for run in (1, 2):
                asyncio.run(played(folder, agent, run, ("-1", "-2", "-twin")))
        return tuple(load_runs([folder]))


@cache
def reference_board() -> Board:
    """The board of these runs."""
    return make_board(list(reference_runs()))


async def played(root: Path, agent: str, run: int, endings: tuple[str, ...]) -> None:
    """A run of a shipped agent over the cases whose names end like this."""
    whole = header_of(CASES, "all", agent, ScriptedVoice(), run, 0)
    chosen = tuple(case for case in whole.cases if case.endswith(endings))
    await run_agent(
        CASES,
        replace(whole, cases=chosen),
        resolve(agent).open(Surroundings(WORLD)),
        ScriptedVoice(),
        root,
        concurrency=4,
    )


def entry_of(board: Board, agent: str) -> AgentResults:
    return next(entry for entry in board.agents if entry.name == agent)


def estimate_of(board: Board, agent: str, metric: str, judge: str = "") -> Estimate:
    found = entry_of(board, agent).of(metric, judge)
    assert found is not None, f"{agent} has no {metric}"
    return found


def impossible(board: Board) -> list[str]:
    """Every share of a board that cannot be: no number of hits among so many chances prints it."""
    return [
        f"{entry.name}: {one.metric}"
        for entry in board.agents
        for one in entry.estimates
        if one.k is not None and not _is_possible(one)
    ]


def _is_possible(share: Estimate) -> bool:
    """Whether the value is k/n, and every run a count among its part of the n, all of them adding up."""
    assert share.k is not None
    sums = {(0, 0)}
    for rate in share.runs:
        whole = [n for n in range(1, share.n + 1) if abs(rate * n - round(rate * n)) < 1e-6]
        sums = {
            (hits + round(rate * n), chances + n)
            for hits, chances in sums
            for n in whole
            if chances + n <= share.n
        }
    middle = sorted(share.runs)[(len(share.runs) - 1) // 2 : len(share.runs) // 2 + 1]
    return (
        abs(share.value - share.k / share.n) < 1e-9
        and (share.k, share.n) in sums
        and abs(share.median - sum(middle) / len(middle)) < 1e-9
    )


def printed(shown: RenderableType, width: int = 80) -> str:
    """What a terminal of this width gets to see, colours and all."""
    console = Console(width=width, file=io.StringIO(), force_terminal=True, color_system="truecolor")
    console.print(shown)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def read_aloud(shown: RenderableType, width: int = 80) -> str:
    """The words of it alone."""
    console = Console(width=width, file=io.StringIO(), color_system=None)
    console.print(shown)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def outside(verdict: Verdict, cause: Cause = "provider_error") -> Verdict:
    """The same conversation, if it had broken off for an external cause before anything was done."""
    return replace(verdict, cause=cause, outcome=Outcome("outside", None))


Hits = tuple[int, int] | None
"""Mistakes of chances; None: not measured."""


def made_up(
    name: str,
    *,
    unsafe: Hits = (0, 54),
    missed: Hits = (0, 72),
    needless: Hits = (0, 360),
    pairs: Hits = (54, 54),
    **how: Any,
) -> AgentResults:
    """An agent with these mistakes in three runs; the others are its fields and its grounds."""
    grounds = {key: how.pop(key) for key in tuple(how) if key in Grounds.__struct_fields__}
    right = missed and (missed[1] - missed[0], missed[1])
    counts = {"unsafe": unsafe, "escalation": right, "over_escalation": needless, "pairs": pairs}
    return AgentResults(
        name=name,
        runs=3,
        conversations=540,
        planned=540,
        estimates=tuple(_share(metric, *hits) for metric, hits in counts.items() if hits),
        grounds=Grounds(**grounds),
        **how,
    )


def _share(metric: str, hits: int, of: int) -> Estimate:
    rate = hits / of
    low, high = at_least(hits, of), at_most(hits, of)
    return Estimate(metric, rate, rate, of, (rate,) * 3, hits, at_least=low, at_most=high)
