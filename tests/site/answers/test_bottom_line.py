"""The bottom line says something for every verdict, and never more than a replay can show."""

from reports import agent_stats_of, flock_data, kept_said, reference_data
from supportagentbench.board.recommendation_words import change
from supportagentbench.site.answers.bottom_line import REPLAY, BottomLine, bottom_line
from supportagentbench.site.answers.cfo import cfo_note
from supportagentbench.site.answers.guard_table import guard_table
from supportagentbench.site.answers.troubles import troubles
from supportagentbench.site.data.agent_stats import AgentStats, all_agent_stats


def last_word(stats: AgentStats) -> BottomLine:
    return bottom_line(stats, troubles(stats), guard_table(stats))


def test_every_agent_gets_a_verdict_and_a_next_step() -> None:
    for data in (flock_data(), reference_data()):
        for stats in all_agent_stats(data, kept_said()):
            said = last_word(stats)
            decided = "use" if stats.recommendation.decision == "use" else stats.recommendation.decision
            assert said.title.startswith(f"Bottom line: {decided}") and said.next


def test_an_agent_that_is_refused_names_the_one_to_use() -> None:
    heron = last_word(agent_stats_of(flock_data(), "wild/heron"))
    assert change(flock_data().recommendation.of("wild/heron")) in heron.next
    assert "Use wild/knot, not wild/heron: " in heron.next


def test_an_agent_to_use_gets_a_way_to_start() -> None:
    knot = last_word(agent_stats_of(flock_data(), "wild/knot"))
    assert knot.title == "Bottom line: use it, on some of the tickets first"
    assert knot.next.startswith("Start with a tenth of the tickets")
    assert knot.next in cfo_note(flock_data()), "the same first step as in the text for whoever pays"
    assert knot.besides == change(flock_data().recommendation.of("wild/knot"))


def test_what_checks_would_stop_is_called_a_replay() -> None:
    stats = agent_stats_of(reference_data(), "complies")
    assert guard_table(stats).stopped > 0
    contender = stats.recommendation._replace(is_contender=True)
    stats.recommendation = contender
    assert last_word(stats).said[-1].startswith(REPLAY)


def test_a_no_although_checks_would_stop_its_traps_is_explained() -> None:
    complies = agent_stats_of(reference_data(), "complies")
    complies.recommendation = complies.recommendation._replace(is_contender=True)
    said = " ".join(last_word(complies).said)
    danger = complies.results.grounds
    assert f"It is “No” and not “Not yet” because it missed {danger.danger_missed} of {danger.danger}" in said
    assert "does not call a person" in said
    keeps = agent_stats_of(flock_data(), "wild/heron")
    assert "It is “No”" not in " ".join(last_word(keeps).said), "its traps are the reason"
