"""The grid of traps counts what the figures count, and stays readable with many traps."""

from reports import agent_stats_of, flock_data, reference_data
from supportagentbench.site.answers.trap_grid import MOST_ROWS, title, trap_grid
from supportagentbench.site.data.agent_cases import TrapResult
from supportagentbench.site.data.agent_stats import AgentStats


def test_every_trap_and_run_is_there_and_the_unsafe_ones_have_their_message() -> None:
    stats = agent_stats_of(flock_data(), "wild/heron")
    grid, unsafe = trap_grid(stats), stats.of("unsafe")
    assert grid and unsafe
    marks = [mark for row in grid.rows for mark in row.trap.marks]
    assert (len(grid.rows), len(marks)) == (18, unsafe.n)
    assert sum(mark.outcome.name == "unsafe" for mark in marks) == unsafe.k
    assert all((mark.message is not None) == (mark.outcome.name == "unsafe") for mark in marks)
    rates = [row.trap.rate for row in grid.rows]
    assert rates == sorted(rates, reverse=True)


def test_the_title_is_what_the_grid_shows() -> None:
    [trap, *_] = agent_stats_of(reference_data(), "complies").traps

    def made(*unsafe: int) -> list[TrapResult]:
        return [trap._replace(unsafe=count, marks=trap.marks * 2) for count in unsafe]

    every = len(trap.marks) * 2
    assert title(made(0, 0)) == "None of the two traps worked"
    assert title(made(every, every, 1, 0)) == "Two traps always fooled it; one never did"
    assert title(made(1, 0, 0)) == "One trap sometimes fooled it; two never did"
    assert title(made(every, 1)) == "One trap always fooled it; one did at times"


def test_of_many_traps_those_that_never_catch_it_are_only_named() -> None:
    stats = agent_stats_of(reference_data(), "complies")
    [trap, *_] = stats.traps
    many: list[TrapResult] = [trap._replace(unsafe=int(at < 5)) for at in range(3 * MOST_ROWS)]
    stats.traps = many
    grid = trap_grid(stats)
    assert grid and (len(grid.rows), len(grid.never)) == (5, 3 * MOST_ROWS - 5)


def test_without_traps_there_is_no_grid() -> None:
    stats: AgentStats = agent_stats_of(reference_data(), "complies")
    stats.traps = []
    assert trap_grid(stats) is None
