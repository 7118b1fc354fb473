"""Customer fallbacks: counted, left out for a second look, and reported where they are not random."""

from collections.abc import Callable

import numpy as np
import pytest
from msgspec.structs import replace

from boards import planted
from supportagentbench.board.customer_fallback import agents_p, fallbacks_in, uneven
from supportagentbench.board.metrics import METRICS, RunVerdicts
from supportagentbench.board.standings import COMPARED, make_board
from supportagentbench.records.board import AgentResults, CustomerFallbacks
from supportagentbench.records.fidelity import Fidelity
from supportagentbench.records.verdict import Verdict
from supportagentbench.results.load import ScoredRun

KEPT, FELL_BACK, UNREAD = Fidelity(4, 4), Fidelity(4, 3, fell_back=1), Fidelity(4, 4, unread=1)
METRICS_COMPARED = [metric for metric in METRICS if metric.name in COMPARED]


def worded(run: ScoredRun, how: Callable[[Verdict], Fidelity]) -> ScoredRun:
    """The run with a customer in a model's voice."""
    return run._replace(verdicts=[replace(one, customer=how(one)) for one in run.verdicts])


def failed(verdict: Verdict) -> bool:
    return any(finding.check == "resolved" and not finding.value for finding in verdict.findings)


def by_chance(seed: int, share: float = 0.2) -> Callable[[Verdict], Fidelity]:
    rng = np.random.default_rng(seed)
    return lambda verdict: FELL_BACK if rng.random() < share else KEPT


def test_scripted_customers_have_no_fallbacks() -> None:
    assert fallbacks_in([RunVerdicts(planted("a").verdicts)], METRICS_COMPARED) is None
    assert make_board([planted("a")]).fallback_chance is None


@pytest.mark.parametrize("fault", [FELL_BACK, UNREAD])
def test_what_went_wrong_is_left_out_once_more_and_stays_in_the_figures(fault: Fidelity) -> None:
    run = worded(planted("a", unresolved=30), lambda one: fault if failed(one) else KEPT)
    entry = make_board([run]).agents[0]
    assert entry.fallbacks is not None
    assert (entry.fallbacks.conversations, entry.fallbacks.of) == (30, 180)
    (without,) = (one for one in entry.fallbacks.without if one.metric == "resolution")
    whole = entry.of("resolution")
    assert whole is not None
    assert (whole.k, whole.n) == (90, 120)
    assert (without.k, without.n) == (90, 90)


def test_faults_that_pick_their_outcomes_raise_an_alarm() -> None:
    picked = worded(planted("a", unresolved=30), lambda one: FELL_BACK if failed(one) else KEPT)
    assert uneven(make_board([picked]).agents) == {"a": ["resolution"]}


def test_an_alarm_counts_how_many_agents_and_metrics_were_looked_at() -> None:
    def agent(name: str, chance: float) -> AgentResults:
        return AgentResults(
            name, 1, 1, 1, (), fallbacks=CustomerFallbacks(1, 2, chance={"resolution": chance})
        )

    assert uneven([agent("a", 0.03)]) == {"a": ["resolution"]}
    assert uneven([agent("a", 0.03), agent("b", 0.9)]) == {}
    assert uneven([agent("a", 0.02), agent("b", 0.9)]) == {"a": ["resolution"]}


def test_faults_that_fall_by_chance_seldom_do() -> None:
    alarms = sum(
        bool(uneven(make_board([worded(planted("a", unresolved=30), by_chance(seed))]).agents))
        for seed in range(40)
    )
    assert alarms <= 5


def test_an_agent_whose_customers_fail_more_often_is_noticed() -> None:
    def chance(*shares: float) -> float:
        runs = {
            str(number): [RunVerdicts(worded(planted(str(number)), by_chance(number, share)).verdicts)]
            for number, share in enumerate(shares)
        }
        found = agents_p(runs)
        assert found is not None
        return found

    assert chance(0.1, 0.1, 0.35) < 0.01
    assert chance(0.2, 0.2, 0.2) > 0.05
