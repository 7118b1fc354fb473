"""Synthetic: an archive of invented agents, each an oracle that lapses in its own way. Nobody's results.

Conversations are real ones of the harness; only the agents are made up, so that pages, budgets and
speed can be tried on a board of full size without paying anybody.
"""

import asyncio
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from random import Random
from typing import NamedTuple

from supportagentbench.agents import ShippedFactory
from supportagentbench.calibration.blind import Blind, FactValue
from supportagentbench.calibration.dummies import HandsOver
from supportagentbench.calibration.faults import (
    ActsBeforeConfirming,
    AsksAndDoesWithout,
    ClaimsWithoutDoing,
    ClosesUnresolved,
    InventsADate,
    InventsADuration,
    InventsALink,
    LoopsGoodbyes,
    MakesExceptions,
    NeverActs,
    NeverHandsOver,
    ThinksAloud,
)
from supportagentbench.calibration.oracle import Oracle
from supportagentbench.customer.voice import ScriptedVoice
from supportagentbench.desk import Desk
from supportagentbench.records.transcript import Turn
from supportagentbench.records.usage import Usage
from supportagentbench.runner.run import header_of, run_agent
from supportagentbench.world.drawn_cases import generate
from supportagentbench.world.folder import World, read_world

BIRDS = (
    *("avocet", "bittern", "curlew", "dunlin", "egret", "fieldfare", "godwit", "heron", "ibis", "jackdaw"),
    *(
        "knot",
        "lapwing",
        "merlin",
        "nightjar",
        "osprey",
        "plover",
        "quail",
        "redstart",
        "siskin",
        "turnstone",
    ),
    *("uguisu", "verdin", "wheatear", "yellowhammer"),
)

OVERLOOKED = (
    *(("proof", "none"), ("delivery", "signed"), ("packing", "as_ordered"), ("claims", "many")),
    *(("age", "open"), ("use", "used")),
)
CREDULOUS: tuple[ShippedFactory, ...] = (
    *(partial(Blind, FactValue(fact, value)) for fact, value in OVERLOOKED),
    *(AsksAndDoesWithout, MakesExceptions, ClosesUnresolved),
)
CARELESS: tuple[ShippedFactory, ...] = (
    *(ActsBeforeConfirming, InventsADate, InventsADuration, InventsALink, ClaimsWithoutDoing, LoopsGoodbyes),
    ThinksAloud,
)


class Temper(NamedTuple):
    """How often an invented agent makes which mistake, and what it costs."""

    timid: float
    """Hands over what it could settle."""
    credulous: float
    """Believes a story."""
    stubborn: float
    """Keeps what belongs to a human."""
    careless: float
    harsh: float
    """Refuses what it could grant."""
    dollars: float
    """A call."""


def temper_of(number: int) -> Temper:
    """The temper of one invented agent, the same every time."""
    rng = Random(f"temper/{number}")
    return Temper(
        timid=rng.choice([0.01, 0.03, 0.06, 0.1, 0.18]),
        credulous=rng.choice([0.1, 0.3, 0.6, 0.9, 1.0]),
        stubborn=rng.choice([0.0, 0.03, 0.1, 0.2]),
        careless=rng.choice([0.02, 0.08, 0.2]),
        harsh=rng.choice([0.0, 0.02, 0.05]),
        dollars=rng.choice([0.0002, 0.0006, 0.0011, 0.003, 0.009, 0.02]),
    )


class Lapsing:
    """An oracle that lapses: which way is drawn for each conversation."""

    def __init__(self, world: World, name: str, temper: Temper, seed: int) -> None:
        rng = Random(f"{name}/{seed}")
        self.name, self.dollars, self.tokens = name, temper.dollars, rng.randint(1500, 4000)
        self.agent = self._choose(temper, rng)(world, seed)

    def _choose(self, temper: Temper, rng: Random) -> ShippedFactory:
        drawn = rng.random()
        for chance, kinds in (
            (temper.timid, (HandsOver,)),
            (temper.stubborn, (NeverHandsOver,)),
            (temper.harsh, (NeverActs,)),
            (temper.careless, CARELESS),
            (temper.credulous, CREDULOUS),
        ):
            if drawn < chance:
                return rng.choice(kinds)
            drawn -= chance
        return Oracle

    async def reply(self, turns: Sequence[Turn], desk: Desk) -> str:
        words = await self.agent.reply(turns, desk)
        desk.spend(
            Usage(self.name, input=self.tokens, output=len(words) // 4, cost=self.dollars, cost_by="table")
        )
        return words


def write_archive(out: Path, agents: int = 24, runs: int = 3, world: str = "northline") -> None:
    """Run invented agents over all cases, stored below `out`."""
    with ProcessPoolExecutor() as pool:
        list(pool.map(partial(_write, out, runs, world), range(agents)))


def _write(out: Path, runs: int, world: str, number: int) -> None:
    name, temper = f"invented/{BIRDS[number]}", temper_of(number)
    cases, voice = generate(read_world(world)), ScriptedVoice()
    for run in range(1, runs + 1):
        header = header_of(cases, "all", name, voice, run, 0)
        make = partial(Lapsing, cases.world, name, temper)
        asyncio.run(run_agent(cases, header, make, voice, out, concurrency=8))


if __name__ == "__main__":
    write_archive(Path(sys.argv[1]), agents=int(sys.argv[2]) if len(sys.argv) > 2 else 24)
