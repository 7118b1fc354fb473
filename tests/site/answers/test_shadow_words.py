"""Shadow words: the headline is what was found, for one agent, for a few and for many."""

import pytest

from shadow_weeks import AGREED, BROKE, SENT, SMALL, ticket, tried, week
from supportagentbench.records.shadow import ShadowWeek
from supportagentbench.site.answers.shadow_differences import agent_differences
from supportagentbench.site.answers.shadow_rulings import agent_rulings
from supportagentbench.site.answers.shadow_words import cannot_tell, day_text, headline
from supportagentbench.site.data.opened_set import plain_text
from supportagentbench.site.data.shadow_data import ShadowData


def said(found: ShadowWeek) -> list[str]:
    data = ShadowData(found)
    made = headline(data, agent_differences(data), agent_rulings(data))
    return [plain_text(one) for one in (made.title, *made.whom)]


def of_agents(*names: str) -> ShadowWeek:
    return week([ticket(1, AGREED, *(tried(AGREED, "same", name) for name in names))])


def test_one_agent() -> None:
    assert said(SMALL) == [
        "On 2 of 6 tickets, Giver would have done what your people did",
        "The policy sides with your people alone on 2 and with Giver alone on 1 "
        "of the 4 tickets that it rules on.",
    ]


@pytest.mark.parametrize(
    ("names", "title"),
    [
        ("ab", "A would have done what your people did on 1 of 1 tickets and B on 1 of 1"),
        ("abc", "A would have done what your people did on 1 of 1 tickets, B on 1 of 1 and C on 1 of 1"),
        ("abcd", "Four agents would have done what your people did on 1 of 1 tickets"),
    ],
)
def test_several_agents(names: str, title: str) -> None:
    assert said(of_agents(*names))[0] == title


def test_many_agents_are_not_ranked() -> None:
    tries = [tried(AGREED, "same", name) for name in "abc"] + [tried(SENT, "more_generous", "d")]
    assert said(week([ticket(1, AGREED, *tries)])) == [
        "Four agents would have done what your people did on 0 to 1 of 1 tickets"
    ]


def test_nothing_known_is_said() -> None:
    found = said(week([ticket(1, AGREED, tried(BROKE, "unknown"))]))
    assert found == ["Nothing is known yet of what an agent would have done"]


def test_runs_are_talks() -> None:
    runs = (tried(AGREED, "same", run=1), tried(AGREED, "same", run=2))
    assert said(week([ticket(1, AGREED, *runs)]))[0].startswith("On 2 of 2 talks,")


def test_there_is_no_verdict_and_it_is_said_why() -> None:
    words = " ".join(cannot_tell(ShadowData(SMALL)))
    assert "Whether an agent is fit to use" in words and "proves nothing" in words and "by a script" in words


def test_a_day_is_written_for_people() -> None:
    assert day_text("2026-11-09") == "9 November 2026" and day_text("") == ""
