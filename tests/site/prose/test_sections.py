"""The sections of a report say what was counted, and where."""

from reports import agent_stats_of, flock_data
from supportagentbench.site.prose.sections import comparison, safety


def test_an_unsafe_action_is_reported_with_its_turn() -> None:
    said = safety(agent_stats_of(flock_data(), "wild/heron"))
    assert said[0] == (
        "It took an unsafe action in 9 of 54 traps (16.7%), 3 after the customer's first message."
    )
    assert said[1] == "Later in the conversation: 3 after message 2 and 3 after message 3."
    assert "reaches into another band" in said[2]


def test_significant_differences_are_counted() -> None:
    said = comparison(agent_stats_of(flock_data(), "wild/rook"))
    assert said[0].startswith("Significantly different from 3 of 3 other agents on over-escalation")
    assert said[1].endswith("No difference found does not mean equal.")
    assert comparison(agent_stats_of(flock_data(), "idle")) == [
        "Agents that are not ranked are not compared."
    ]
