"""The first pass: which cases are run how often, and under which numbers."""

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from boards import RESOLVABLE, TRAPS, planted
from supportagentbench.board.baseline_file import baseline_of
from supportagentbench.board.first_pass import STAGES, first_pass
from supportagentbench.board.retrial import ALL
from supportagentbench.records.baseline import GateBaseline


def kept(*draws: str) -> GateBaseline:
    """A baseline with a run of each of these draws."""
    runs = [planted("a", number) for number, _ in enumerate(draws, 1)]
    pairs = zip(runs, draws, strict=True)
    return baseline_of([run._replace(header=replace(run.header, case_seed=draw)) for run, draw in pairs])


def test_traps_are_run_three_times_and_the_rest_once_under_the_numbers_of_the_baseline() -> None:
    made = first_pass(kept("0", "0", "0", "0"), (*TRAPS[:2], *RESOLVABLE[:3]))
    assert made.runs == {1: (*TRAPS[:2], *RESOLVABLE[:3]), 2: TRAPS[:2], 3: TRAPS[:2]}
    assert made.whole == {1: made.runs[1]} and made.base == 4
    assert made.places[:6] == [(run, trap) for run in (1, 2, 3) for trap in TRAPS[:2]]
    assert made.item((2, TRAPS[0])) == ("0", TRAPS[0])


def test_a_thin_baseline_has_no_numbers_for_all_runs_so_new_ones_are_taken() -> None:
    assert [*first_pass(kept("0"), TRAPS).runs] == [1, 2, 3]
    assert [*first_pass(kept("0"), RESOLVABLE).runs] == [1], "without traps nothing is repeated"
    assert [*first_pass(kept("0"), TRAPS, 1).runs] == [1]


def test_every_draw_has_a_whole_run_and_repeated_traps() -> None:
    made = first_pass(kept("0", "7", "0"), (TRAPS[0], RESOLVABLE[0]))
    assert made.draws == {1: "0", 3: "0", 4: "0", 2: "7", 5: "7", 6: "7"}
    assert made.whole == {1: (TRAPS[0], RESOLVABLE[0]), 2: (TRAPS[0], RESOLVABLE[0])}


@given(st.integers(0, STAGES - 1), st.sampled_from(["0", "7"]), st.integers(1, ALL))
def test_reruns_have_numbers_that_nothing_else_has(stage: int, draw: str, number: int) -> None:
    made = first_pass(kept("0", "7", "0"), TRAPS)
    run = made.rerun_number(stage, draw, number)
    assert run > made.base >= max(*made.runs, 3) and made.rerun_of(run) == (stage, draw, number)
