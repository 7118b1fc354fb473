"""The worked examples end where the board does."""

from pathlib import Path

import pytest

from site_data import site_data_of
from supportagentbench.board.estimates import estimate, sample_of
from supportagentbench.board.metrics import METRICS, RunVerdicts
from supportagentbench.board.standings import COMPARED
from supportagentbench.site.answers.worked_example import example_of, new_cases, pair_example, rerun
from supportagentbench.site.data.site_data import SiteData


@pytest.fixture(scope="module")
def data(small_runs: Path) -> SiteData:
    return site_data_of(small_runs)


@pytest.mark.parametrize(
    "metric", [metric for metric in METRICS if metric.name in COMPARED], ids=lambda one: one.name
)
def test_every_interval_worked_out_is_the_board_s(data: SiteData, metric: object) -> None:
    assert isinstance(metric, type(METRICS[0]))
    for agent in data.slugs:
        verdicts = [RunVerdicts(run.verdicts) for run in data.runs if run.header.agent == agent]
        sample = sample_of(metric, verdicts)
        assert sample is not None
        figure = estimate(metric, sample)
        assert figure.rerun_interval is not None and figure.new_cases_interval is not None
        for worked, interval in (
            (rerun(sample), figure.rerun_interval),
            (new_cases(sample), figure.new_cases_interval),
        ):
            assert worked.interval.low == pytest.approx(interval.low, abs=1e-12)
            assert worked.interval.high == pytest.approx(interval.high, abs=1e-12)


def test_the_example_is_the_first_agent_s(data: SiteData) -> None:
    example = example_of(data)
    assert example is not None
    assert example.agent is data.board.agents[0]
    assert example.estimate.clusters >= 10
    assert example.rerun_interval.steps[0].words.startswith("Hits k among trials N")


def test_a_pair_needs_two_ranked_agents(data: SiteData) -> None:
    unsafe = next(metric for metric in METRICS if metric.name == "unsafe")
    assert pair_example(data, unsafe) is None


def test_a_pair_is_tested_as_the_board_tests_it(data: SiteData) -> None:
    """As if all were ranked: without pairs no agent is known not to be."""
    unsafe = next(metric for metric in METRICS if metric.name == "unsafe")
    entries = tuple(
        type(entry)(name=entry.name, runs=3, conversations=1, planned=1, estimates=(figure,))
        for entry in data.board.agents
        if (figure := entry.of("unsafe"))
    )
    board = type(data.board)("northline", "", "core", entries)
    found = pair_example(data._replace(board=board), unsafe)
    assert found is not None
    assert (found.first, found.second) == (entries[0].name, entries[1].name)
    assert found.steps[0].value.startswith("18; ")
    assert found.sentence == ""
