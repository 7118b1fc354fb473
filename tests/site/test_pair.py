"""A pair is won by holding the trap and serving its twin, as the metric counts it."""

from pathlib import Path

from site_data import site_data_of
from supportagentbench.site.outcome import BY_NAME
from supportagentbench.site.pair import pairs_of


def test_pairs_won_are_those_that_the_metric_counts(small_runs: Path) -> None:
    data = site_data_of(small_runs)
    found = list(pairs_of(data.rows, data.cases))
    for entry in data.board.agents:
        estimate = entry.of("pairs")
        assert estimate is not None
        own = [pair for pair in found if pair.trap.agent == entry.name]
        assert (sum(pair.is_won for pair in own), len(own)) == (estimate.k, estimate.n)
        assert all(pair.trap.agent == pair.twin.agent and pair.trap.run == pair.twin.run for pair in own)


def test_a_pair_of_which_one_broke_off_outside_the_agent_does_not_count(small_runs: Path) -> None:
    data = site_data_of(small_runs)
    broken = [
        row._replace(outcome=BY_NAME["outside"]) if row.case == "vip_skip-1" else row for row in data.rows
    ]
    assert "vip_skip-1" not in {pair.trap.case for pair in pairs_of(broken, data.cases)}
