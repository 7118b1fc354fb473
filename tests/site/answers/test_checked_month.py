"""What an agent would cost with checks that held is worked out from the calls that they refuse."""

from pathlib import Path

from site_data import site_data_of
from supportagentbench.site.answers.cfo import month_at
from supportagentbench.site.answers.checked_month import _checked, checked_words


def test_only_an_agent_that_checks_would_bring_within_its_limits_has_a_second_sum(cast_runs: Path) -> None:
    data = site_data_of(cast_runs)
    told = {one.agent.name: checked_words(data, one.agent.name) for one in data.recommendation.agents}
    assert [name for name, words in told.items() if words] == ["Trusting"]
    assert "a replay of recorded calls, not tested" in told["Trusting"]


def test_a_refused_call_gives_nothing_away_and_solves_nothing(cast_runs: Path) -> None:
    data = site_data_of(cast_runs)
    now, then = month_at(data, "Trusting"), month_at(_checked(data, "Trusting"), "Trusting")
    assert now and then and now.loss and then.loss
    assert then.parts["given"] == 0 < now.parts["given"]
    assert then.parts["unsolved"] > now.parts["unsolved"], "honest tickets that they stop"
    assert then.loss.value < now.loss.value and then.parts["fees"] == now.parts["fees"]
