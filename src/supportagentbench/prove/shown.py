"""Proofs and calibration for people who read them in a terminal."""

from collections.abc import Iterable

from rich.console import Console
from rich.table import Table
from rich.text import Text

from supportagentbench.prove import prove
from supportagentbench.prove.calibrate import DOSED, dose_response, kill_matrix, trivial_pairs
from supportagentbench.tally.standings import ON_DUTY
from supportagentbench.world.generate import CaseSet


def print_proofs(console: Console, drawn: Iterable[CaseSet], set_name: str) -> bool:
    """Prove every set and say what does not stand; whether all of it does."""
    sound, total, sets = 0, 0, 0
    with console.status("playing solutions, mistakes and the oracle"):
        for cases in drawn:
            sets += 1
            for proof in prove(cases, set_name):
                total += 1
                sound += not proof.faults
                for fault in proof.faults:
                    console.print(f"seed {cases.seed}: {proof.case.id}: {fault}", highlight=False)
    console.print(f"{sound} of {total} cases prove themselves, over {sets} seeds.", highlight=False)
    return sound == total


def print_calibration(console: Console, cases: CaseSet) -> bool:
    """The kill matrix, the doses and the trivial agents; whether each metric noticed its own and no other."""
    table = Table(box=None, padding=(0, 1), pad_edge=False, header_style="bold")
    for head in ("single fault", "metrics that moved"):
        table.add_column(head)
    sound = True
    with console.status("giving the oracle one fault at a time"):
        for kill in kill_matrix(cases):
            moved = ", ".join(f"{name} {change:+d}" for name, change in sorted(kill.moved.items()))
            wrong = [f"[missed: {name}]" for name in sorted(kill.missed)]
            wrong += [f"[stray: {name}]" for name in sorted(kill.stray)]
            sound &= not wrong
            table.add_row(kill.fault.__name__, Text(" ".join([moved, *wrong])))
    console.print(table)
    for fault, metric in DOSED:
        doses = dose_response(cases, fault, metric, (0.0, 0.1, 0.3, 0.5, 1.0))
        seen = ", ".join(f"{dose.given:g} → {dose.seen:.2f}" for dose in doses)
        sound &= all(dose.recovered for dose in doses)
        console.print(f"{fault.__name__} at a dose, seen by {metric}: {seen}", highlight=False)
    for name, wins in trivial_pairs(cases).items():
        sound &= wins < ON_DUTY
        console.print(f"{name} wins {wins:.0%} of pairs.", highlight=False)
    return sound
