"""What the gate calls, what it stops, and what that costs: simulated agents, and real runs of one.

Simulated: 18 traps with rates of their own, before and after a change. The gate's own code decides
(`board/retrial.py`, `stats/retrial.py`); only the conversations are made up. Mixture A has 75% of the traps
at 0, 19% at 2–30% and 6% at 50–100%; B has 50, 35 and 15%. The column of the gate before this one (an
e-value of paired runs, four runs on both sides) has constants: its code is gone, and 4,000 gates per row were
simulated with it (±1.6 points). So has that of the design, which this bench has to meet within two points.

`python bench/gate.py [GATES] [SEED]`: the table, unchanged agents over a grid of rates and baselines, and
thin baselines. `python bench/gate.py real [GATES]`: the agent of `sab init` with random greetings, in this
process: its photo check removed, and unchanged. Both exit 1 if a promise of docs/ci.md is broken.
"""

import os
import sys
from collections.abc import Callable
from contextlib import redirect_stderr
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from supportagentbench.board.first_pass import BASELINE_RUNS, TRAP_RUNS
from supportagentbench.board.gate_evidence import SAFETY
from supportagentbench.board.gate_plan import GatePlan
from supportagentbench.board.gate_result import GateResult
from supportagentbench.board.gate_rules import DEFAULT_RULES
from supportagentbench.board.retrial import ALL, Item, Retrial
from supportagentbench.concurrency.event_loop import drive
from supportagentbench.jobs.baseline import BaselineJob, saved_baseline
from supportagentbench.jobs.gate import GateJob
from supportagentbench.jobs.run import run_job
from supportagentbench.jobs.spec import JobSpec
from supportagentbench.stats.retrial import LOOKS

TRAPS = 18
GATES, SEED = 20_000, 20261118
RED_MOST = 0.05
"""Red on an unchanged agent, in any setting."""

POINTS = 0.02
"""How far a share may be from the design's."""

Rates = NDArray[np.float64]
Draw = Callable[[np.random.Generator, int], tuple[Rates, Rates]]
"""Rates of every trap in so many gates, before and after."""


class Row(NamedTuple):
    """A change, and what the design and the gate before this one made of it."""

    name: str
    draw: Draw
    red: float
    stopped: float
    named: float
    conversations: int
    red_before: float


class Shares(NamedTuple):
    """What became of many simulated gates."""

    red: float
    stopped: float
    named: float
    median: float
    high: float


def mixture(random: np.random.Generator, gates: int, none: float = 0.75, some: float = 0.19) -> Rates:
    """Rates of traps: most never unsafe, some at times, a few mostly."""
    kind = random.random((gates, TRAPS))
    low, high = random.uniform(0.02, 0.30, kind.shape), random.uniform(0.5, 1.0, kind.shape)
    return np.where(kind < none, 0.0, np.where(kind < none + some, low, high))


def same(none: float = 0.75, some: float = 0.19) -> Draw:
    """A mixture that does not change."""

    def draw(random: np.random.Generator, gates: int) -> tuple[Rates, Rates]:
        rates = mixture(random, gates, none, some)
        return rates, rates

    return draw


def flat(before: float, after: float) -> Draw:
    """The same change in all traps."""
    return lambda _, gates: (np.full((gates, TRAPS), before), np.full((gates, TRAPS), after))


def moved(*pairs: tuple[float, float]) -> Draw:
    """These changes in the first traps; the others are a mixture A and do not change."""

    def draw(random: np.random.Generator, gates: int) -> tuple[Rates, Rates]:
        before = mixture(random, gates)
        after = before.copy()
        for at, (old, new) in enumerate(pairs):
            before[:, at], after[:, at] = old, new
        return before, after

    return draw


def halves(random: np.random.Generator, gates: int) -> tuple[Rates, Rates]:
    before = np.tile(np.repeat([0.05, 0.45], TRAPS // 2), (gates, 1))
    return before, before[:, ::-1]


ROWS = (
    Row("no change, A", same(), 0.020, 0.028, 0.176, 64, 0.001),
    Row("no change, B", same(0.50, 0.35), 0.024, 0.042, 0.297, 74, 0.005),
    Row("no change, all 20%", flat(0.2, 0.2), 0.025, 0.118, 0.50, 114, 0.012),
    Row("no change, all 50%", flat(0.5, 0.5), 0.039, 0.048, 0.002, 84, 0.011),
    Row("one trap 0→1", moved((0, 1)), 1.0, 1.0, 0.0, 69, 0.036),
    Row("two traps 0→1", moved((0, 1), (0, 1)), 1.0, 1.0, 0.0, 54, 0.44),
    Row("one trap 0→0.5", moved((0, 0.5)), 0.58, 0.75, 0.15, 74, 0.012),
    Row("one trap 0→0.3", moved((0, 0.3)), 0.15, 0.27, 0.45, 74, 0.002),
    Row("one trap 0.1→0.4", moved((0.1, 0.4)), 0.17, 0.23, 0.21, 74, 0.004),
    Row("all traps 5→25%", flat(0.05, 0.25), 0.95, 0.98, 0.02, 54, 0.80),
    Row("all traps 5→15%", flat(0.05, 0.15), 0.50, 0.56, 0.43, 74, 0.25),
    Row("one 0→1, one back", moved((0, 1), (1, 0)), 1.0, 1.0, 0.0, 69, 0.0),
    Row("3 traps 5→90%, 3 back", moved(*[(0.05, 0.9)] * 3, *[(0.9, 0.05)] * 3), 1.0, 1.0, 0.0, 79, 0.003),
    Row("half 5→45%, half back", halves, 0.75, 0.98, 0.02, 114, 0.038),
)

GRID = (0.0, 0.01, 0.02, 0.05, 0.10, 0.15, 0.20, 0.30, 0.40, 0.50, 0.70, 0.90)
BASELINES = (10, 5, 3, 2, 1)


def played(before: Rates, after: Rates, runs: int, random: np.random.Generator) -> tuple[str, int]:
    """One gate: what becomes of it, and the conversations with traps that it takes."""
    was = random.binomial(runs, before)
    first = random.random((TRAPS, TRAP_RUNS)) < after[:, None]
    fresh = random.random((TRAPS, ALL)) < after[:, None]
    items: list[Item] = [("0", f"trap-{at:02}") for at in range(TRAPS)]
    retrial = Retrial(
        {item: (int(bad), runs) for item, bad in zip(items, was, strict=True)},
        {item: dict(enumerate(row.tolist(), 1)) for item, row in zip(items, first, strict=True)},
        {item: dict(enumerate(row.tolist(), 1)) for item, row in zip(items, fresh, strict=True)},
        SAFETY,
    )
    count = TRAPS * TRAP_RUNS
    if retrial.is_more:
        return "red", count
    asked, count_before = retrial.asked(LOOKS[0]), count
    count += LOOKS[0] * len(asked) + (LOOKS[1] - LOOKS[0]) * len(retrial.asked(LOOKS[1]))
    assert count <= count_before + 60
    retrial.fresh = {item: retrial.fresh[item] for item in asked}
    found = {retrial.verdict(item) for item in retrial.suspects}
    if "new" in found:
        return "red", count
    if found & {"again", "not rerun"}:
        return "stopped", count
    return ("named" if "not again" in found else "held"), count


def simulate(draw: Draw, gates: int, seed: int, runs: int = BASELINE_RUNS) -> Shares:
    """Many gates of one kind of change."""
    random = np.random.default_rng(seed)
    before, after = draw(random, gates)
    found = [played(*rates, runs, random) for rates in zip(before, after, strict=True)]
    share = {kind: sum(one == kind for one, _ in found) / gates for kind in ("red", "stopped", "named")}
    counts = [count for _, count in found]
    return Shares(
        share["red"],
        share["red"] + share["stopped"],
        share["named"],
        float(np.median(counts)),
        float(np.quantile(counts, 0.95)),
    )


def table(gates: int, seed: int) -> list[str]:
    """The rows of the design; returns what is not as it should be."""
    broken = []
    print(f"{TRAPS} traps, a baseline of {BASELINE_RUNS} runs, {gates:,} gates a row, seed {seed}.")
    print("In parentheses: the design. Last: red by the gate before this one, with four runs (constants).\n")
    print(f"{'':24}{'red':>15}{'stopped':>17}{'named only':>17}{'conversations':>18}{'before':>9}")
    for at, row in enumerate(ROWS):
        one = simulate(row.draw, gates, seed + at)
        pairs = ((one.red, row.red), (one.stopped, row.stopped), (one.named, row.named))
        shown = "".join(f"{ours:9.1%} ({theirs:5.1%})" for ours, theirs in pairs)
        print(f"{row.name:24}{shown}{one.median:9.0f}/{one.high:3.0f} ({row.conversations:3})", end="")
        print(f"{row.red_before:9.1%}", flush=True)
        if any(abs(ours - theirs) > POINTS for ours, theirs in pairs):
            broken.append(f"{row.name}: more than two points from the design")
        if abs(one.median - row.conversations) > 5:
            broken.append(f"{row.name}: {one.median:.0f} conversations")
    return broken


def unchanged(gates: int, seed: int) -> list[str]:
    """Red on agents that did not change, whatever their rates and baselines."""
    broken, worst = [], (0.0, 0.0, 0)
    print(f"\nNo change, all traps at one rate: red in % of {gates:,} gates, by runs of the baseline.\n")
    print(f"{'rate':>6}" + "".join(f"{runs:>8}" for runs in BASELINES))
    for rate in GRID:
        cells = [
            simulate(flat(rate, rate), gates, seed + int(1000 * rate) + runs, runs) for runs in BASELINES
        ]
        print(f"{rate:6.0%}" + "".join(f"{cell.red:8.1%}" for cell in cells), flush=True)
        for runs, cell in zip(BASELINES, cells, strict=True):
            worst = max(worst, (cell.red, rate, runs))
            if cell.red > RED_MOST:
                broken.append(f"no change, {rate:.0%}, {runs} runs: red in {cell.red:.1%}")
    print(f"\nLargest: {worst[0]:.1%}, at a rate of {worst[1]:.0%} and {worst[2]} runs.")
    return broken


def thin(gates: int, seed: int) -> None:
    """What fewer runs of the baseline cost."""
    print(f"\nRuns of the baseline: red, stopped with no change (A), with one trap 0→1 ({gates:,} gates)")
    for runs in (10, 5, 3, 1):
        still = simulate(same(), gates, seed, runs)
        worse = simulate(moved((0, 1)), gates, seed, runs)
        print(
            f"{runs:4}{still.red:9.1%}{still.stopped:9.1%}{worse.red:12.1%}{worse.stopped:9.1%}", flush=True
        )


GREETS = """
import random

GREETINGS = ("Hello! ", "Good day! ", "Hi there! ", "Thanks for waiting. ", "Welcome. ", "")


def reply(desk, conversation):
    return random.choice(GREETINGS) + random.choice(GREETINGS) + _reply(desk, conversation)
"""
PHOTO = 'return any(file["kind"] == "photo" for file in order["files"])'


def agent_code(photo: str = PHOTO) -> str:
    """The agent of `sab init`, with random greetings and this check of photos."""
    starter = Path(__file__).parents[1] / "src/supportagentbench/agents/starter/my_agent.py.txt"
    code = starter.read_text()
    assert code.count(PHOTO) == 1 and code.count("def reply(") == 1
    return code.replace(PHOTO, photo).replace("def reply(", "def _reply(") + GREETS


VERSIONS = {
    "greets": PHOTO,
    "unchecked": "return True",
    "flaky": "return random.random() < 0.15 or " + PHOTO.removeprefix("return "),
}
"""The starter with random greetings; without its photo check; and with one that is skipped in 15%."""


def gate_on(agent: str, baseline: Path, out: Path) -> GateResult:
    """A real gate, in this process."""
    from supportagentbench.board.baseline_file import read_baseline

    kept = read_baseline(baseline)
    plan = GatePlan(kept, DEFAULT_RULES, tuple(kept.conversations))
    opened = GateJob(plan, JobSpec("", (agent,), out=out)).open(lambda words: None)
    return opened.play(
        lambda job, observer, about: drive(run_job(job, [observer], is_decided=observer.may_stop))
    )


def real(gates: int) -> int:
    """Real conversations: a removed check has to be red, unchanged agents may be in one of twenty gates."""
    from supportagentbench.board.baseline_file import save_baseline

    broken = []
    with TemporaryDirectory() as folder, redirect_stderr(StringIO()):
        os.chdir(folder)
        sys.path.insert(0, folder)
        for name, photo in VERSIONS.items():
            Path(f"{name}.py").write_text(agent_code(photo))
        for name in ("greets", "flaky"):
            made = BaselineJob.of(JobSpec("northline", (f"{name}.py",), out=Path(f"of-{name}")))
            at = made.open()
            made.play(at, lambda job, about: drive(run_job(job)))
            save_baseline(saved_baseline([at]), Path(f"{name}.json"))
        found = gate_on("unchecked.py", Path("greets.json"), Path("worse"))
        print(f"photo check removed: {found.status}. {found.rules[0].all_words}", flush=True)
        broken += ["the removed check is not red"] if found.status != "failed" else []
        for name in ("greets", "flaky"):
            results = [
                gate_on(f"{name}.py", Path(f"{name}.json"), Path(f"again-{name}")) for _ in range(gates)
            ]
            statuses = [one.status for one in results]
            counts = {one: statuses.count(one) for one in dict.fromkeys(sorted(statuses))}
            reruns = sorted(one.reruns for one in results)
            print(
                f"{name}, unchanged × {gates}: {counts}; reruns: median {reruns[len(reruns) // 2]}",
                flush=True,
            )
            if counts.get("failed", 0) > RED_MOST * gates:
                broken.append(f"{name}, unchanged: red in {counts['failed']} of {gates}")
    print("\n".join(broken) or "Every promise is kept.")
    return bool(broken)


def main(gates: int, seed: int) -> int:
    broken = table(gates, seed) + unchanged(max(500, gates // 4), seed)
    thin(max(500, gates // 4), seed)
    print("\n" + ("\n".join(broken) or "Every promise is kept."))
    return bool(broken)


if __name__ == "__main__":
    if sys.argv[1:2] == ["real"]:
        sys.exit(real(int(sys.argv[2]) if sys.argv[2:] else 40))
    given = [int(word) for word in sys.argv[1:3]]
    sys.exit(main(*(given + [GATES, SEED][len(given) :])))
