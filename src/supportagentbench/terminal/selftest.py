"""Self-test: proofs and calibration."""

from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial

from rich.console import Console
from rich.table import Table
from rich.text import Text

from supportagentbench.board.standings import RANKED_FROM
from supportagentbench.calibration.blind_spots import Decided, blind_spots, deciding_facts
from supportagentbench.calibration.calibrate import DOSED, dose_response, kill_matrix, trivial_pairs
from supportagentbench.calibration.prove import drawn, prove_seed
from supportagentbench.records.counts import counted


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
    """Print kill matrix, doses and trivial agents; returns whether each metric found only its own faults."""
    table, sound = _table("single fault", "metrics that moved"), True
    with console.status("running the oracle with one fault at a time"):
        for kill in kill_matrix(world, seed):
            moved = ", ".join(f"{name} {change:+d}" for name, change in sorted(kill.moved.items()))
            moved = moved if kill.occasions else "no occasion in this world"
            wrong = [f"[missed: {name}]" for name in sorted(kill.missed)]
            wrong += [f"[stray: {name}]" for name in sorted(kill.stray)]
            sound &= not wrong
            table.add_row(kill.fault.__name__, Text(" ".join([moved, *wrong])))
    console.print(table)
    sound &= _print_blind_spots(console, world, seed)
    cases = drawn(world, seed)
    for fault, metric in DOSED:
        doses = dose_response(cases, fault, metric, (0.0, 0.1, 0.3, 0.5, 1.0))
        seen = ", ".join(f"{dose.given:g} → {dose.seen:.2f}" for dose in doses)
        sound &= all(dose.recovered for dose in doses)
        seen = seen or "no occasion in this world"
        console.print(f"{fault.__name__} at a dose, seen by {metric}: {seen}", highlight=False)
    for name, wins in trivial_pairs(cases).items():
        sound &= wins < RANKED_FROM
        console.print(f"{name} wins {wins:.0%} of pairs.", highlight=False)
    return sound


def print_deciding(console: Console, world: str, set_name: str, seed: int) -> bool:
    """Print what decides each trap of a set; returns whether every trap is decided by something."""
    decided = deciding_facts(world, seed, blind_spots(world, seed, set_name), set_name)
    if decided:
        console.print(_decided_table(decided))
    return all(one.by for one in decided)


def _decided_table(decided: Sequence[Decided]) -> Table:
    traps = _table("trap", "decided by")
    for one in decided:
        by = f"{one.by}, and its twin is served" if one.by else "nothing: no blind agent falls for it"
        traps.add_row(one.trap, by)
    return traps


def _print_blind_spots(console: Console, world: str, seed: int) -> bool:
    """The effect of hiding one value of one fact from the oracle, and which value decides each trap."""
    agents = _table("blind to", "cases", "metrics that moved")
    sound = True
    with console.status("hiding one value of one fact at a time"):
        spots = blind_spots(world, seed)
    for spot in spots:
        moved = ", ".join(f"{name} {change:+d}" for name, change in sorted(spot.moved.items())) or "none"
        wrong = [f"[stray: {name}]" for name in sorted(spot.stray)]
        sound &= not wrong
        occasions = str(len(spot.occasions)) if spot.occasions else "no occasion"
        agents.add_row(str(spot.unseen), occasions, Text(" ".join([moved if spot.occasions else "", *wrong])))
    decided = deciding_facts(world, seed, spots)
    console.print(agents)
    console.print(_decided_table(decided))
    return sound and all(one.by for one in decided)


def _table(*heads: str) -> Table:
    table = Table(box=None, padding=(0, 1), pad_edge=False, header_style="bold")
    for head in heads:
        table.add_column(head)
    return table
