"""Selection: signs that the runs or the cases of an agent are a choice from more."""

from collections.abc import Collection, Iterable, Mapping

from supportagentbench.records.counts import counted
from supportagentbench.records.gaps import gaps, not_here
from supportagentbench.records.run import Run

DEFAULT_SEED = 0
"""The seed of runs for which nobody asked for another one."""


def selection_signs(headers: Collection[Run]) -> tuple[str, ...]:
    """What in the headers of one agent's runs suggests that there were more runs, one clause each.

    Runs of an agent are numbered from 1 without gaps, whatever their draw.
    """
    seeds = sorted({header.seed for header in headers} - {DEFAULT_SEED})
    other = f"seed {', '.join(map(str, seeds))} instead of {DEFAULT_SEED}: others may have been tried"
    missing = not_here("run", gaps(header.run for header in headers))
    return tuple(sign for sign in (missing, other if seeds else "") if sign)


def planned_cases(headers: Iterable[Run]) -> dict[str, frozenset[str]]:
    """By draw, every case that any of these runs planned."""
    found: dict[str, frozenset[str]] = {}
    for header in headers:
        found[header.case_seed] = found.get(header.case_seed, frozenset()).union(header.cases)
    return found


def part_sign(headers: Iterable[Run], planned: Mapping[str, frozenset[str]]) -> str:
    """That one agent's cases are a part of a set; empty: of the sets that the board knows, they are not.

    They were chosen by name or by type, or other agents of the board `planned` more cases of the same draw.
    """
    for header in headers:
        count = counted(len(header.cases), "case")
        chosen = {name.strip() for name in header.set.split(",")}
        if any(case == name or case.startswith(f"{name}-") for case in header.cases for name in chosen):
            return f"only {count}, chosen by name: a part of the set, which suggests no agent"
        if missing := len(planned.get(header.case_seed, frozenset()).difference(header.cases)):
            return f"only {count}, {missing} fewer than others: a part of the set, which suggests no agent"
    return ""
