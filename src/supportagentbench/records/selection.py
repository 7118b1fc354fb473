"""Selection: signs that the runs of an agent are a choice from more that were made."""

from collections.abc import Collection

from supportagentbench.records.gaps import gaps, not_here
from supportagentbench.records.run import Run

DEFAULT_SEED = 0
"""The seed of runs for which nobody asked for another one."""


def selection_signs(headers: Collection[Run]) -> tuple[str, ...]:
    """What in the headers of one agent's runs suggests it, one clause each.

    Runs of an agent are numbered from 1 without gaps, whatever their draw.
    """
    seeds = sorted({header.seed for header in headers} - {DEFAULT_SEED})
    other = f"seed {', '.join(map(str, seeds))} instead of {DEFAULT_SEED}: others may have been tried"
    missing = not_here("run", gaps(header.run for header in headers))
    return tuple(sign for sign in (missing, other if seeds else "") if sign)
