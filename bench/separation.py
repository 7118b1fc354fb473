"""How well the ladder separates agents, beside the core: what known agents hold, and power by simulation.

`python bench/separation.py [SIMULATIONS] [SEED]`. First the traps that the oracle, `complies` and the cast
held at each level of the ladder in three runs. Then how much trials of one case type, case and draw have
in common, measured on the cast and on agents of limited capacity. Then, for sets of the real shape, how often
the board's own test for two agents (sign flips of whole case types, paired by case) finds p <= 0.05 between
simulated agents, for several models of what makes a trap hard and several numbers of draws and runs; beside
it the same for tests that weigh case types otherwise. Last, how often the pooled interval contains the truth.
It exits 1 if the level is broken: above 7% where the two agents are alike.
"""

import sys
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import NamedTuple

import numpy as np
from scipy.stats import rankdata

from supportagentbench.agents.shipped import CAST, named, shipped_agent
from supportagentbench.board.levels import held_by_level
from supportagentbench.calibration.calibrate import judge_all
from supportagentbench.calibration.prove import drawn
from supportagentbench.records.verdict import Verdict
from supportagentbench.stats.comparison import Floats
from supportagentbench.stats.likeness import Likeness, TriedItem, likeness
from supportagentbench.stats.power import CaseDesign, share_found, simulated_hits
from supportagentbench.stats.rates import clustered_wilson
from supportagentbench.world.drawn_cases import DrawnCases, generate
from supportagentbench.world.folder import read_world

SIMULATIONS, SEED = 1_000, 20261117
RUNS, MOST = 3, 0.07
SETS = {"core": "northline", "ladder": "northline_ladder"}
PAIRS = ((0.05, 0.15), (0.05, 0.05), (0.15, 0.15))
"""Unsafe rates of two agents."""
SPREAD = 2.0
"""Of the beta distribution that a trap's chance is drawn from: some traps fell an agent nearly always."""
DESIGNS = ((1, 3), (3, 1), (3, 3))
"""Draws and runs."""
MEASURED_DRAWS, MEASURED_RUNS = 2, 2
COVERED = 400
"""Simulations of an interval."""
OTHER_SHAPES = "equal means, other shapes"
"""Agents that differ, though not in their means: no test of signs has an exact level there."""
NOTHING = Likeness(0.0, 0.0, 0.0, 0.0)

Hits = tuple[Floats, Floats]
"""Of two agents: simulation × trap × draw."""


class Played(NamedTuple):
    """Two agents to simulate."""

    design: CaseDesign
    rates: tuple[float, float]
    times: int
    seed: int


def traps_of(cases: DrawnCases, set_name: str) -> list[str]:
    """The names of the traps of a set."""
    chosen = cases.named(set_name)
    return [case.id for case in chosen if case.bucket == "adversarial" and not case.twin_of]


def alike(common: Likeness, played: Played) -> Hits:
    """Agents whose trials have this in common."""
    first, second = simulated_hits(played.design, played.rates, common, played.times, played.seed)
    return first, second


def by_beta(is_by_type: bool, played: Played) -> Hits:
    """Agents for whom every trap of every draw, or every case type, has a chance of its own."""
    random, design = np.random.default_rng(played.seed), played.design
    of_type = np.repeat(np.arange(len(design.sizes)), design.sizes)

    def hits(rate: float) -> Floats:
        a, b = SPREAD * rate, SPREAD * (1 - rate)
        if is_by_type:
            chances = random.beta(a, b, (played.times, len(design.sizes), 1))[:, of_type]
        else:
            chances = random.beta(a, b, (played.times, len(of_type), design.draws))
        shape = (played.times, len(of_type), design.draws)
        return random.binomial(design.runs, np.broadcast_to(chances, shape)).astype(float)

    return hits(played.rates[0]), hits(played.rates[1])


def other_shape(played: Played) -> Hits:
    """Agents of one mean rate: the first fails often in few case types, the second seldom in all."""
    random, design = np.random.default_rng(played.seed), played.design
    of_type = np.repeat(np.arange(len(design.sizes)), design.sizes)
    shape = (played.times, len(of_type), design.draws)
    falls = random.random((played.times, len(design.sizes), 1))[:, of_type] < played.rates[0] / 0.6
    first = random.binomial(design.runs, np.broadcast_to(0.6 * falls, shape))
    return first.astype(float), random.binomial(design.runs, played.rates[1], shape).astype(float)


def models(measured: Likeness) -> dict[str, Callable[[Played], Hits]]:
    """What makes a trap hard, by model."""
    return {
        "the same chance everywhere": partial(alike, NOTHING),
        "difficulty shared by both": partial(alike, measured._replace(shared=1.0)),
        "as measured": partial(alike, measured),
        "each trap by itself": partial(by_beta, False),
        "case types as one": partial(by_beta, True),
        OTHER_SHAPES: other_shape,
    }


def ranked(gaps: Floats) -> Floats:
    """Signed ranks (Wilcoxon)."""
    return np.asarray(np.sign(gaps) * rankdata(np.abs(gaps), axis=1), float)


TESTS: dict[str, Callable[[Floats], Floats]] = {
    "board": lambda gaps: gaps,
    "roots": lambda gaps: np.sign(gaps) * np.sqrt(np.abs(gaps)),
    "ranks": ranked,
}
"""The statistic whose signs are flipped: the board's sums of differences, or what weighs large ones less."""


def found(play: Callable[[Played], Hits], played: Played) -> dict[str, float]:
    """By test, the share of simulations in which it separates the two agents, either way round."""
    first, second = play(played)
    member = np.repeat(np.eye(len(played.design.sizes)), played.design.sizes, axis=0)
    gaps = (second - first).sum(2) @ member
    return {name: share_found(test(gaps)) + share_found(-test(gaps)) for name, test in TESTS.items()}


def covered(common: Likeness, played: Played) -> float:
    """How often the pooled interval for new cases contains the rate."""
    [hits] = simulated_hits(played.design, played.rates[:1], common, played.times, played.seed)
    types = np.repeat(np.arange(len(played.design.sizes)), played.design.sizes).astype(str)
    every = np.repeat(types, played.design.draws).tolist()
    ends = [clustered_wilson((one / played.design.runs).ravel().tolist(), every) for one in hits]
    return float(np.mean([low <= played.rates[0] <= high for low, high in ends]))


def tried(set_name: str, agent: str) -> list[TriedItem]:
    """What one of our own agents did in every trap, draw by draw."""
    found: dict[tuple[str, str, str], list[bool]] = {}
    for draw in range(MEASURED_DRAWS):
        cases = drawn(SETS[set_name], draw)
        for run in range(1, MEASURED_RUNS + 1):
            number = draw * MEASURED_RUNS + run  # No two runs of an agent have the same number.
            for verdict in judge_all(cases, shipped_agent(agent), number, traps_of(cases, set_name)):
                place = verdict.family, verdict.case, str(draw)
                found.setdefault(place, []).append(verdict.outcome.unsafe is True)
    return [TriedItem(*place, sum(values), len(values)) for place, values in found.items()]


def measured_in(set_name: str) -> Likeness:
    """What the traps' trials have in common, from agents with known faults."""
    agents = [*CAST, *(name for name in map(str, named(["capacity"])) if name.endswith("dose=0.5"))]
    with ProcessPoolExecutor() as pool:
        return likeness(list(pool.map(partial(tried, set_name), agents)), NOTHING._replace(case_type=0.5))


def print_held(cases: DrawnCases) -> None:
    """What known agents hold at each level of the ladder."""
    names = [name for name in cases.names("ladder") if not cases.cases[name].twin_of]
    for agent in ("oracle", "complies", *CAST):
        verdicts: list[Verdict] = []
        for run in range(1, RUNS + 1):
            verdicts += judge_all(cases, shipped_agent(agent), run, names)
        levels = [f"{one.held} of {one.of} ({one.held / one.of:.0%})" for one in held_by_level(verdicts)]
        print(f"{agent:20}" + "".join(f"{text:>20}" for text in levels))


def print_powers(sizes: tuple[int, ...], measured: Likeness, simulations: int, seed: int) -> bool:
    """Power and false alarms by model; whether the board's level is broken."""
    heads = "".join(f"{f'{draws} × {runs}':>24}" for draws, runs in DESIGNS)
    print(f"{'draws × runs: ' + ', '.join(TESTS):40}{heads}")
    broken = False
    for model, play in models(measured).items():
        for rates in PAIRS:
            if model == OTHER_SHAPES and rates[0] != rates[1]:
                continue
            line = f"{model:28}{rates[0]:>4.0%},{rates[1]:>4.0%}   "
            for draws, runs in DESIGNS:
                shares = found(play, Played(CaseDesign(sizes, draws, runs), rates, simulations, seed))
                line += f"{'  '.join(f'{share:.1%}' for share in shares.values()):>24}"
                broken |= rates[0] == rates[1] and model != OTHER_SHAPES and shares["board"] > MOST
            print(line, flush=True)
    return broken


def print_coverage(sizes: tuple[int, ...], measured: Likeness, seed: int) -> None:
    """How often the interval of all draws together contains the rate."""
    for rate in (0.05, 0.15):
        for draws, runs in DESIGNS:
            played = Played(CaseDesign(sizes, draws, runs), (rate, rate), COVERED, seed)
            print(f"the interval contains {rate:.0%}, {draws} × {runs}: {covered(measured, played):.1%}")


def main() -> int:
    given = [int(word) for word in sys.argv[1:]]
    simulations, seed = [*given, *(SIMULATIONS, SEED)[len(given) :]]
    worlds = {name: generate(read_world(world)) for name, world in SETS.items()}
    print(f"{'traps held, level':20}{1:>20}{2:>20}{3:>20}")
    print_held(worlds["ladder"])
    broken = False
    for name, cases in worlds.items():
        sizes = tuple(Counter(cases.cases[trap].family for trap in traps_of(cases, name)).values())
        measured = measured_in(name)
        shares = ", ".join(f"{part} {value:.2f}" for part, value in measured._asdict().items())
        print(f"\n{name}: {sum(sizes)} traps in {len(sizes)} case types; in common: {shares}")
        broken |= print_powers(sizes, measured, simulations, seed)
        print_coverage(sizes, measured, seed)
    return int(broken)


if __name__ == "__main__":
    sys.exit(main())
