"""Self-test: its results as a record, for pages that show it and must not run agents themselves."""

import re

from supportagentbench.calibration.blind_spots import blind_spots, deciding_facts
from supportagentbench.calibration.calibrate import DOSED, dose_response, kill_matrix, trivial_pairs
from supportagentbench.calibration.faults import FAULTS
from supportagentbench.calibration.faults.single_fault import SingleFault
from supportagentbench.calibration.prove import drawn
from supportagentbench.records.selftest import BlindAgent, DecidedTrap, Dosed, DoseRead, Killed, SelfTest
from supportagentbench.records.version import __version__

DOSES = (0.0, 0.1, 0.3, 0.5, 1.0)


def self_test(world: str, seed: int) -> SelfTest:
    """Run every agent with a known fault on all cases, and record which metrics moved."""
    cases, spots = drawn(world, seed), blind_spots(world, seed)
    return SelfTest(
        package=__version__,
        world=cases.world.name,
        world_digest=cases.world.digest,
        case_seed=seed,
        cases=len(cases.cases),
        kills=tuple(
            Killed(_words(kill.fault), *declared()[_words(kill.fault)], kill.occasions, kill.moved)
            for kill in kill_matrix(world, seed)
        ),
        blind=tuple(BlindAgent(str(spot.unseen), len(spot.occasions), spot.moved) for spot in spots),
        traps=tuple(DecidedTrap(one.trap, str(one.by or "")) for one in deciding_facts(world, seed, spots)),
        doses=tuple(
            Dosed(
                _words(fault),
                metric,
                tuple(
                    DoseRead(dose.given, dose.seen, dose.low, dose.high)
                    for dose in dose_response(cases, fault, metric, DOSES)
                ),
            )
            for fault, metric in DOSED
        ),
        pairs=trivial_pairs(cases),
    )


def declared() -> dict[str, tuple[str, tuple[str, ...], tuple[str, ...]]]:
    """What every known fault declares: what is wrong, which metrics must notice, and which may."""
    return {
        _words(fault): (about_of(fault), tuple(sorted(fault.moves)), tuple(sorted(fault.entails)))
        for fault in FAULTS
    }


def about_of(fault: type[SingleFault]) -> str:
    """What is wrong with an agent: its docstring in one line."""
    return " ".join((fault.__doc__ or "").split())


def _words(fault: type[SingleFault]) -> str:
    """The name of a fault in plain words."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ", fault.__name__).casefold()
