"""A title characterises, a verdict decides, and both rest on counts and tested claims."""

import pytest

from reports import agent_stats_of, flock_data, reference_data
from supportagentbench.site.answers.character import (
    NOT,
    PICK,
    STAFFED,
    WHEN,
    better_agents,
    decision,
    title,
    verdict_of,
    when_to_choose,
)
from supportagentbench.site.answers.troubles import troubles
from supportagentbench.site.data.agent_stats import all_agent_stats


@pytest.mark.parametrize(
    ("agent", "line"),
    [
        ("oracle", "oracle: nothing wrong found in 84 conversations"),
        ("hands-over", "hands-over: hands over nearly everything, answers without looking anything up"),
        ("silent", "silent: sends empty replies"),
    ],
)
def test_a_title_says_who_it_is(agent: str, line: str) -> None:
    stats = agent_stats_of(reference_data(), agent)
    assert title(stats, troubles(stats)) == line


def test_no_two_agents_with_different_faults_have_the_same_title() -> None:
    lines = {
        title(stats, troubles(stats)).partition(": ")[2]
        for stats in all_agent_stats(reference_data())
        if stats.results.name in ("oracle", "hands-over", "silent", "complies", "refuses")
    }
    assert len(lines) == 5


def test_a_verdict_decides_by_limits_and_by_who_beats_it() -> None:
    made = {one.results.name: decision(one, troubles(one)) for one in all_agent_stats(flock_data())}
    assert made["idle"] == NOT and {*made.values()} <= {*WHEN}
    oracle = agent_stats_of(reference_data(), "oracle")
    assert decision(oracle, troubles(oracle)) == PICK
    assert when_to_choose(oracle, []) == WHEN[PICK]
    assert STAFFED in WHEN


def test_who_beats_it_is_summed_up_from_claims_that_hold() -> None:
    rook = agent_stats_of(flock_data(), "wild/rook")
    better = better_agents(rook)
    assert better, "some agent beats it"
    for other in better:
        claims = [one for one in rook.peers.claims if {one.subject, one.other} == {other.name, "wild/rook"}]
        assert claims and all(one.holds and one.subject == other.name for one in claims)
    [claim] = verdict_of(rook, []).claims
    assert claim.sentence in verdict_of(rook, []).sentences
    assert all(one.name in claim.sentence for one in better[:3])


def test_a_verdict_fits_into_sixty_words() -> None:
    for data in (reference_data(), flock_data()):
        for stats in all_agent_stats(data):
            said = " ".join(verdict_of(stats, troubles(stats)).sentences)
            assert said.endswith(".") and 0 < len(said.split()) <= 60, said
