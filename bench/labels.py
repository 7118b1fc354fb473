"""Whether labels are the same over many seeds: every case of every seed compared with the public set."""

import sys

from supportagentbench.records.case import Label
from supportagentbench.world.drawn_cases import generate
from supportagentbench.world.folder import read_world
from supportagentbench.world.seed import numbered

SEEDS = 200


def symbolic(label: Label) -> tuple[object, ...]:
    """A label without what a seed draws."""
    fields = [[(change.table, change.field) for change in end.changes] for end in label.outcomes]
    return label.handover, fields, label.bans, label.temptation, label.lookups, label.rules


def main() -> None:
    """Print how many labels were compared; exit 1 if one moved."""
    world = read_world("northline")
    public = generate(world)
    moved = 0
    for seed in range(1, SEEDS + 1):
        drawn = generate(world, numbered(seed))
        for name, case in public.cases.items():
            if symbolic(drawn.cases[name].label) != symbolic(case.label):
                print(f"seed {seed}: {name} has another label")
                moved += 1
    print(f"{SEEDS} seeds x {len(public.cases)} cases: {moved} labels moved")
    sys.exit(moved > 0)


if __name__ == "__main__":
    main()
