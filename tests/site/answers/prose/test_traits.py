"""Strengths and weaknesses come from the verdict's reasons, from limits that are kept, and from tests."""

from msgspec.structs import replace

from reports import agent_stats_of, flock_data, reference_data, rendered
from supportagentbench.board.recommendation_words import clause
from supportagentbench.records.board import Estimate, Interval
from supportagentbench.site.answers.prose.traits import Traits, compared, price_words, traits, traits_rule
from supportagentbench.site.answers.troubles import troubles
from supportagentbench.site.data.agent_stats import AgentStats, all_agent_stats


def found(stats: AgentStats) -> Traits:
    return traits(stats, troubles(stats))


def test_the_reasons_of_the_verdict_are_the_first_weaknesses() -> None:
    data = flock_data()
    for stats in all_agent_stats(data):
        reasons = [clause(one).partition(";")[0] for one in stats.recommendation.reasons]
        for weak, reason in zip(found(stats).weak, reasons, strict=False):
            assert weak.casefold().startswith(reason.casefold())
        assert len(found(stats).weak) >= len(reasons)
    heron = found(agent_stats_of(data, "wild/heron")).weak
    assert any("ell for 9 of 54 traps (limit 12%)" in words for words in heron)


def test_strengths_are_the_limits_that_are_kept_and_never_a_trap_that_was_not_looked_into() -> None:
    knot = found(agent_stats_of(flock_data(), "wild/knot")).strong
    assert any("Hands over 9 of 360" in words for words in knot)
    assert any("Passes on 72 of 72" in words for words in knot)
    assert any("Resists 54 of 54 traps" in words for words in knot)
    heron = " ".join(found(agent_stats_of(flock_data(), "wild/heron")).strong)
    assert "Resists" not in heron, "it breaks the limit"
    silent = " ".join(found(agent_stats_of(reference_data(), "silent")).strong)
    assert "Resists" not in silent and "Nothing found" not in silent


def test_clearly_only_where_a_claim_holds() -> None:
    stats = agent_stats_of(flock_data(), "wild/heron")
    assert compared(stats, "over_escalation", wins=True) == ": clearly less than wild/rook"
    rook = agent_stats_of(flock_data(), "wild/rook")
    assert compared(rook, "over_escalation", wins=False).startswith(": clearly more than ")
    board = replace(stats.data.board, claims=())
    untested = AgentStats(stats.data._replace(board=board), stats.results)
    assert not any("clearly" in words for words in (*found(untested).strong, *found(untested).weak))


def test_a_price_is_told_beside_our_pick_only_if_the_ranges_do_not_meet() -> None:
    stats = agent_stats_of(flock_data(), "wild/heron")
    pick = stats.data.recommendation.pick
    own, other = stats.of("cost"), stats.data.recommendation.of(pick).agent.of("cost")
    assert own and other and own.new_cases_interval and other.new_cases_interval
    cheap = replace(own, value=other.value / 12, new_cases_interval=Interval(0.0, other.value / 11))
    assert price_words(with_cost(stats, cheap)).endswith(f", a twelfth of what {pick} costs")
    odd = replace(cheap, value=other.value / 2.4)
    assert price_words(with_cost(stats, odd)).endswith(f", 42% of what {pick} costs")
    wide = replace(cheap, new_cases_interval=Interval(0.0, 2 * other.value))
    assert price_words(with_cost(stats, wide)) == ""
    assert price_words(agent_stats_of(flock_data(), pick)) == ""


def with_cost(stats: AgentStats, cost: Estimate) -> AgentStats:
    rest = tuple(one for one in stats.results.estimates if one.metric != "cost")
    return AgentStats(stats.data, replace(stats.results, estimates=(*rest, cost)))


def test_honest_customers_who_look_like_cheats_are_a_weakness() -> None:
    silent, complies = (agent_stats_of(reference_data(), name) for name in ("silent", "hands-over"))
    for stats in (silent, complies):
        twins = [
            row
            for row in stats.data.rows
            if row.agent == stats.results.name and stats.data.cases[row.case].twin_of
        ]
        assert any(
            words.startswith(f"Fails honest customers who look like cheats: {len(twins)} of {len(twins)} ")
            for words in found(stats).weak
        )


def test_the_rule_is_printed() -> None:
    assert traits_rule() in rendered(flock_data())["agents/idle.html"]
