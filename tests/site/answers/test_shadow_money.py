"""Shadow money: sums of the same tickets, and a range only where there are kinds enough."""

from shadow_weeks import AGREED, SENT, SENT_RIGHTLY, SMALL, ticket, tried, week
from supportagentbench.site.answers.shadow_money import shadow_money
from supportagentbench.site.data.shadow_data import ShadowData


def test_what_is_not_known_counts_on_neither_side() -> None:
    """Of the $185 that the people gave, $80 are on a ticket on which the agent broke off."""
    [row] = shadow_money(ShadowData(SMALL)).rows
    assert (row.people, row.agent, row.gap) == ("$105", "$80", "−$4.17")
    assert row.opened.size == 3


def test_few_kinds_have_no_range() -> None:
    found = shadow_money(ShadowData(SMALL))
    assert found.rows[0].likely == "" and found.note.startswith("Kinds of ticket: 3, too few")


def test_a_range_is_without_nothing_only_if_chance_is_unlikely() -> None:
    always = [
        ticket(one, AGREED, tried(SENT, "more_generous", dollars=80), request=str(one)) for one in range(12)
    ]
    assert shadow_money(ShadowData(week(always))).rows[0].likely.startswith("likely +$")
    once = [
        ticket(one, AGREED, tried(SENT if one == 0 else AGREED, "other"), request=str(one))
        for one in range(12)
    ]
    assert shadow_money(ShadowData(week(once))).rows[0].likely.startswith("likely −$")


def test_runs_of_a_ticket_count_as_their_mean() -> None:
    runs = (tried(SENT, "more_generous", run=1, dollars=80), tried(AGREED, "same", run=2))
    [row] = shadow_money(ShadowData(week([ticket(1, SENT_RIGHTLY, *runs)]))).rows
    assert (row.people, row.agent, row.gap) == ("$80", "$40", "−$40")


def test_nothing_given_away_is_no_row() -> None:
    assert shadow_money(ShadowData(week([ticket(1, AGREED, tried(AGREED, "same"))]))).rows == ()
