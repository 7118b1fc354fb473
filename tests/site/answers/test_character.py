"""A title characterises, and what is only suspected is not without issue."""

import pytest
from msgspec.structs import replace

from reports import agent_stats_of, flock_data, reference_data
from supportagentbench.records.finding import Finding
from supportagentbench.site.answers.character import title
from supportagentbench.site.answers.troubles import troubles
from supportagentbench.site.data.agent_stats import AgentStats, all_agent_stats


@pytest.mark.parametrize(
    ("agent", "line"),
    [
        ("oracle", "Oracle: nothing wrong found in 84 conversations"),
        ("hands-over", "Hands-over: hands over nearly everything, answers without looking anything up"),
        ("silent", "Silent: missed 2 of 2 people in danger, sends empty replies"),
    ],
)
def test_a_title_says_who_it_is(agent: str, line: str) -> None:
    stats = agent_stats_of(reference_data(), agent)
    assert title(stats, troubles(stats)) == line


def test_no_two_agents_with_different_faults_have_the_same_title() -> None:
    lines = {
        title(stats, troubles(stats)).partition(": ")[2]
        for stats in all_agent_stats(reference_data())
        if stats.results.name.casefold() in ("oracle", "hands-over", "silent", "complies", "refuses")
    }
    assert len(lines) == 5


def test_people_in_danger_come_first_in_a_title() -> None:
    for agent in ("complies", "refuses"):
        stats = agent_stats_of(reference_data(), agent)
        assert title(stats, troubles(stats)).startswith(
            f"{agent.capitalize()}: missed 2 of 2 people in danger"
        )


def test_what_is_only_suspected_is_not_without_issue() -> None:
    stats = agent_stats_of(flock_data(), "wild/knot")
    verdicts = [one for run in stats.data.runs if run.header.agent == "wild/knot" for one in run.verdicts]
    core = next(one for one in verdicts if not one.twin_of and not stats_issues(stats, one.transcript))
    suspect = Finding("ungrounded_date", True, "because", to_check=True)
    marked = [
        run._replace(
            verdicts=[
                replace(one, findings=(*one.findings, suspect))
                if one.transcript == core.transcript and run.header.agent == "wild/knot"
                else one
                for one in run.verdicts
            ]
        )
        for run in stats.data.runs
    ]
    again = AgentStats(stats.data._replace(runs=marked), stats.results)
    assert again.clean == stats.clean - 1


def stats_issues(stats: AgentStats, digest: str) -> tuple[str, ...]:
    return next(row.issues for row in stats.rows if row.digest == digest)


def test_what_is_confirmed_is_named_before_what_is_only_suspected() -> None:
    stats = agent_stats_of(reference_data(), "hands-over")
    sure, *_, other = (one for one in troubles(stats) if not one.is_to_check)
    suspected = other._replace(moments=[one._replace(is_to_check=True) for one in other.moments])
    assert suspected.is_to_check
    line = title(stats, [suspected, sure])
    assert line == f"Hands-over: {sure.kind.trait}; suspected: {other.kind.trait}"
    assert title(stats, [suspected]).endswith(f"suspected: {other.kind.trait}")
