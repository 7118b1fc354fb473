"""pass^k by case: exact, with undecided runs as a range, and never a power of the mean."""

from itertools import combinations
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from supportagentbench.board.every_time import every_time, last_of
from supportagentbench.board.metrics import RunVerdicts
from supportagentbench.records.case import Bucket
from supportagentbench.records.outcome import Outcome, OutcomeKind
from supportagentbench.records.verdict import Verdict

KINDS: dict[str, OutcomeKind] = {"r": "resolved", "w": "unresolved", "u": "undecided", "o": "outside"}


def verdict(case: str, kind: OutcomeKind, bucket: Bucket = "resolvable", twin_of: str = "") -> Verdict:
    family = case.partition("-")[0]
    return Verdict(case, family, bucket, 1, "", "customer_left", 1, (), Outcome(kind), twin_of)


def runs(cases: dict[str, str], traps: frozenset[str] = frozenset(), draw: str = "0") -> list[RunVerdicts]:
    """One run per letter; each case has as many."""
    count = max(map(len, cases.values()))
    return [
        RunVerdicts(
            [
                verdict(case, KINDS[letters[run]], "adversarial" if case in traps else "resolvable")
                for case, letters in cases.items()
                if run < len(letters)
            ],
            draw,
        )
        for run in range(count)
    ]


@given(st.lists(st.text("rw", min_size=4, max_size=4), min_size=1, max_size=6))
def test_it_is_the_share_of_ways_to_choose_k_runs_that_are_all_right(letters: list[str]) -> None:
    cases = {f"a-{number}": one for number, one in enumerate(letters)}
    for found in every_time(runs(cases)):
        ways = [
            fmean(set(chosen) == {"r"} for chosen in combinations(one, found.k)) for one in cases.values()
        ]
        assert found.value == pytest.approx(fmean(ways))
        assert found.at_worst == found.at_best == found.value and found.open_cases == 0
        assert found.interval.low <= found.value <= found.interval.high


@given(st.lists(st.text("rwu", min_size=3, max_size=3), min_size=1, max_size=6))
def test_whatever_the_undecided_turn_out_to_be_lies_in_the_range(letters: list[str]) -> None:
    cases = {f"a-{number}": one for number, one in enumerate(letters)}
    best, worst = ({case: one.replace("u", as_) for case, one in cases.items()} for as_ in "rw")
    found = {one.k: one for one in every_time(runs(cases))}
    for k, one in found.items():
        assert one.at_worst == pytest.approx(every_time(runs(worst))[k - 1].value)
        assert one.at_best == pytest.approx(every_time(runs(best))[k - 1].value)
        assert one.cases + one.open_cases == len(cases)


def test_one_wrong_run_makes_a_case_wrong_whatever_is_undecided() -> None:
    (found,) = [one for one in every_time(runs({"a-1": "rwu", "a-2": "rrr", "b-1": "rru"})) if one.k == 3]
    assert (found.value, found.cases, found.open_cases, found.right) == (0.5, 2, 1, 1)
    assert [found.at_worst, found.at_best] == pytest.approx([1 / 3, 2 / 3])


def test_it_is_not_a_power_of_the_mean() -> None:
    found = last_of(every_time(runs({"a-1": "rrr", "b-1": "www"})), traps=False)
    assert found and found.value == 0.5 != 0.5**3


def test_traps_stand_apart_and_twins_and_outside_runs_do_not_count() -> None:
    made = runs({"a-1": "rrr", "t-1": "rww", "t-2": "rro"}, frozenset({"t-1", "t-2"}))
    for run in made:
        run.append(verdict("t-1-twin", "unresolved", twin_of="t-1"))
    whole, traps = (last_of(every_time(made), traps=which) for which in (False, True))
    assert whole and traps
    assert (whole.right, whole.cases, whole.short_cases) == (1, 2, 1)
    assert (traps.right, traps.cases, traps.k) == (0, 1, 3)


def test_a_case_of_another_draw_is_another_case_and_k_is_what_every_draw_has() -> None:
    made = [*runs({"a-1": "rr"}), *runs({"a-1": "www"}, draw="1")]
    found = every_time(made)
    assert max(one.k for one in found) == 2
    assert [(one.right, one.cases) for one in found if one.k == 2] == [(1, 2)]


def test_a_single_run_is_the_plain_share_and_is_not_called_every_time() -> None:
    assert last_of(every_time(runs({"a-1": "r"})), traps=False) is None
    assert every_time([]) == ()
