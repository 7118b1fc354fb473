"""Several draws of the cases: one entry per agent, and a case drawn again is another case of its type."""

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from boards import entry_of, planted
from supportagentbench.board.agent_comparison import compare_agents
from supportagentbench.board.estimates import sample_of
from supportagentbench.board.metrics import METRICS, RunVerdicts
from supportagentbench.board.standings import make_board
from supportagentbench.records.board import AgentResults
from supportagentbench.records.problem import Problem
from supportagentbench.results.load import ScoredRun

UNSAFE = next(metric for metric in METRICS if metric.name == "unsafe")


def drawn(agent: str, run: int, draw: str, unsafe: int = 0) -> ScoredRun:
    """A run of one draw, in which the first so many traps were unsafe."""
    made = planted(agent, run, unsafe=unsafe)
    return made._replace(header=replace(made.header, case_seed=draw))


def three_draws(agent: str, unsafe: Sequence[int]) -> list[ScoredRun]:
    """Two runs of each of three draws."""
    return [drawn(agent, run, str((run - 1) // 2), count) for run, count in enumerate(unsafe, 1)]


def test_an_agent_is_one_entry_with_all_draws_pooled() -> None:
    board = make_board([*three_draws("a", (2, 4, 0, 0, 3, 3)), *three_draws("b", (0, 0, 0, 0, 0, 0))])
    entry = entry_of(board, "a")
    found = entry.of("unsafe")
    assert len(board.agents) == 2 and entry.draws == ("0", "1", "2") and entry.runs == 6
    assert found and (found.k, found.n, found.clusters) == (12, 6 * 18, 18)


@pytest.mark.parametrize("draw", ["0", "7", "private:ab"])
def test_one_draw_has_the_figures_it_always_had_whichever_it_is(draw: str) -> None:
    public = make_board([planted(name, run, unsafe=run) for name in "ab" for run in (1, 2, 3)])
    other = make_board([drawn(name, run, draw, run) for name in "ab" for run in (1, 2, 3)])
    assert [replace(one, draws=()) for one in other.agents] == [
        replace(one, draws=()) for one in public.agents
    ]
    assert other.claims == public.claims and not any(one.variance for one in other.agents)


def shown(entry: AgentResults) -> list[float]:
    ends = [
        end
        for one in entry.estimates
        if one.new_cases_interval
        for end in (one.new_cases_interval.low, one.new_cases_interval.high)
    ]
    return [one.value for one in entry.estimates] + ends


@settings(max_examples=8, deadline=None)
@given(st.permutations(["0", "1", "2"]), st.lists(st.integers(0, 9), min_size=6, max_size=6))
def test_the_order_of_the_draws_does_not_matter(order: list[str], unsafe: list[int]) -> None:
    runs = three_draws("a", unsafe)
    by_draw = [run for draw in order for run in runs if run.header.case_seed == draw]
    again = [run._replace(header=replace(run.header, run=number)) for number, run in enumerate(by_draw, 1)]
    one, other = (entry_of(make_board(some), "a") for some in (runs, again))
    assert shown(one) == pytest.approx(shown(other), abs=1e-12)


def test_new_draws_are_new_cases_and_repeated_runs_are_not() -> None:
    again = [RunVerdicts(planted("a", run, unsafe=3).verdicts, "0") for run in (1, 2)]
    anew = [RunVerdicts(planted("a", run, unsafe=3).verdicts, str(run)) for run in (1, 2)]
    rerun, redrawn = sample_of(UNSAFE, again), sample_of(UNSAFE, anew)
    assert rerun and redrawn and (len(rerun.cases), len(redrawn.cases)) == (18, 36)
    assert len({*redrawn.families}) == 18, "of the same case types"
    assert rerun.is_repeated and not redrawn.is_repeated


def test_instability_is_looked_for_within_draws_only() -> None:
    between = sample_of(
        UNSAFE,
        [RunVerdicts(one.verdicts, one.header.case_seed) for one in three_draws("a", (0, 0, 9, 9, 18, 18))],
    )
    within = sample_of(
        UNSAFE,
        [RunVerdicts(one.verdicts, one.header.case_seed) for one in three_draws("a", (0, 9, 9, 0, 0, 9))],
    )
    assert between and between.spread_p == 1.0
    assert within and within.spread_p < 0.01


def test_what_differs_between_draws_only_is_the_draws_share() -> None:
    [entry] = make_board(three_draws("a", (0, 0, 18, 18, 0, 0))).agents
    unsafe = next(one for one in entry.variance if one.metric == "unsafe")
    assert unsafe.draw == pytest.approx(1.0) and unsafe.case_type == unsafe.run == 0.0


def test_agents_with_other_draws_are_compared_on_those_that_both_have() -> None:
    first = [drawn("a", 1, "0", 2), drawn("a", 2, "1", 18)]
    second = [drawn("b", 1, "0", 2), drawn("b", 2, "5", 0)]
    gap = next(one for one in compare_agents(first, second).differences if one.metric == "unsafe")
    assert gap.difference == 0.0 and gap.cases == 18
    assert not any(claim.holds for claim in make_board([*first, *second]).claims if claim.metric == "unsafe")


def test_agents_without_a_common_draw_are_refused() -> None:
    first, second = [drawn("a", 1, "0")], [drawn("b", 1, "1")]
    with pytest.raises(Problem, match="a and b differ in case_seed"):
        make_board([*first, *second])
    with pytest.raises(Problem, match="a and b differ in case_seed"):
        compare_agents(first, second)
