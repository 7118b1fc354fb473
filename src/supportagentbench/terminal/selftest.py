"""Proofs and calibration."""

from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial

from rich.console import Console
from rich.table import Table
from rich.text import Text

from supportagentbench.board.standings import RANKED_FROM
from supportagentbench.language.counts import counted
from supportagentbench.selftest import drawn, prove_seed
from supportagentbench.selftest.calibrate import DOSED, dose_response, kill_matrix, trivial_pairs


def print_proofs(console: Console, world: str, set_name: str, seeds: Sequence[int]) -> bool:
    """Prove the cases of every seed and print what fails; returns whether all pass."""
    sound = total = 0
    with console.status("playing solutions, mistakes and the oracle"), ProcessPoolExecutor() as pool:
        for seed, found in zip(seeds, pool.map(partial(prove_seed, world, set_name), seeds), strict=True):
            for case, faults in found:
                total += 1
                sound += not faults
                for fault in faults:
                    console.print(f"seed {seed}: {case}: {fault}", highlight=False, soft_wrap=True)
    console.print(
        f"{sound} of {counted(total, 'case')} proved, over {counted(len(seeds), 'seed')}.", highlight=False
    )
    return sound == total


def print_calibration(console: Console, world: str, seed: int) -> bool:
    """Print kill matrix, doses and trivial agents; returns whether each metric found its own faults only."""
    table = Table(box=None, padding=(0, 1), pad_edge=False, header_style="bold")
    for head in ("single fault", "metrics that moved"):
        table.add_column(head)
    sound = True
    with console.status("running the oracle with one fault at a time"):
        for kill in kill_matrix(world, seed):
            moved = ", ".join(f"{name} {change:+d}" for name, change in sorted(kill.moved.items()))
            wrong = [f"[missed: {name}]" for name in sorted(kill.missed)]
            wrong += [f"[stray: {name}]" for name in sorted(kill.stray)]
            sound &= not wrong
            table.add_row(kill.fault.__name__, Text(" ".join([moved, *wrong])))
    console.print(table)
    cases = drawn(world, seed)
    for fault, metric in DOSED:
        doses = dose_response(cases, fault, metric, (0.0, 0.1, 0.3, 0.5, 1.0))
        seen = ", ".join(f"{dose.given:g} → {dose.seen:.2f}" for dose in doses)
        sound &= all(dose.recovered for dose in doses)
        console.print(f"{fault.__name__} at a dose, seen by {metric}: {seen}", highlight=False)
    for name, wins in trivial_pairs(cases).items():
        sound &= wins < RANKED_FROM
        console.print(f"{name} wins {wins:.0%} of pairs.", highlight=False)
    return sound
