"""Capacity: oracles that remember, read or judge less than they should, each with a dose, for calibration."""

from functools import partial

from supportagentbench.agents import ShippedFactory
from supportagentbench.calibration.capacity.judgement import Believes, MiscountsDays, SkipsComparisons
from supportagentbench.calibration.capacity.limited_oracle import LimitedOracle
from supportagentbench.calibration.capacity.memory import ForgetsSections, LosesTrack, NeverLooksAgain
from supportagentbench.calibration.capacity.reading import ReadsTheFirst, StopsLooking
from supportagentbench.records.did_you_mean import did_you_mean
from supportagentbench.records.problem import Problem


class EveryLimit(
    Believes,
    SkipsComparisons,
    LosesTrack,
    NeverLooksAgain,
    ForgetsSections,
    ReadsTheFirst,
    StopsLooking,
    MiscountsDays,
):
    """All limits at once, each at the same dose: weak agents are rarely weak in only one respect."""


LIMITS: dict[str, type[LimitedOracle]] = {
    "forgets": ForgetsSections,
    "reads-first": ReadsTheFirst,
    "miscounts": MiscountsDays,
    "believes": Believes,
    "skips": SkipsComparisons,
    "stops": StopsLooking,
    "never-again": NeverLooksAgain,
    "loses-track": LosesTrack,
    "every": EveryLimit,
}
"""By their names on the command line."""

PREFIX = "capacity:"
"""The prefix of such an agent's name."""

DOSES = (0.25, 0.5, 1.0)
"""The doses of the group `capacity`."""

GROUP = tuple(f"{PREFIX}{limit},dose={dose:g}" for limit in LIMITS for dose in DOSES)


def capacity_agent(name: str) -> ShippedFactory:
    """The agent for a name such as `capacity:believes,dose=0.3`."""
    limit, _, setting = name.removeprefix(PREFIX).partition(",")
    if limit not in LIMITS:
        known = ", ".join(LIMITS)
        raise Problem(f"no limit is called {limit!r}; known: {known}.{did_you_mean(limit, LIMITS)}")
    key, _, value = setting.partition("=")
    try:
        dose = float(value)
    except ValueError:
        dose = -1.0
    if key != "dose" or not 0 <= dose <= 1:
        raise Problem(f"{name!r} needs a dose from 0 to 1, such as {PREFIX}{limit},dose=0.3.")
    return partial(LIMITS[limit], dose)
