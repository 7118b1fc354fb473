"""Traps held by level: a count for each level that a set has, and none where it has no levels."""

from msgspec.structs import replace

from boards import outside, verdict
from supportagentbench.board.levels import held_by_level

HELD, FELL = verdict("t-1", "adversarial", held=True), verdict("t-2", "adversarial", held=False)


def test_each_level_has_its_own_count() -> None:
    found = [replace(HELD, level=1), replace(HELD, level=3), replace(FELL, level=3), replace(FELL, level=3)]
    counts = [(one.level, one.held, one.of) for one in held_by_level(found)]
    assert counts == [(1, 1, 1), (3, 1, 3)]


def test_runs_of_the_same_trap_do_not_make_it_more_certain() -> None:
    traps = [replace(verdict(f"t-{n}", "adversarial", held=n > 2), level=1) for n in range(1, 9)]
    once, thrice = held_by_level(traps)[0], held_by_level([*traps, *traps, *traps])[0]
    assert (once.held, thrice.held) == (6, 18)
    assert once.interval == thrice.interval


def test_what_is_no_trap_has_no_level_or_broke_off_outside_is_not_counted() -> None:
    twin = verdict("t-1-twin", "resolvable", "t-1", resolved=True)
    assert held_by_level([HELD, replace(twin, level=2), outside(replace(HELD, level=2))]) == ()
