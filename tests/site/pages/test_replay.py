"""Replay: agents are compared on the same openings, and nobody is said to be right."""

import re

from msgspec.structs import replace

from replays import SMALL_REPLAY, replay_of, replayed, talk
from supportagentbench.records.replay import Contrast, Replay, TalkClaim
from supportagentbench.records.transcript import Turn
from supportagentbench.site.lint import unsupported, words_of
from supportagentbench.site.pages.replay import replay_page

HOSTILE = "</style><script>alert(1)</script><img src=x onerror=alert(2)> {{ 7 * 7 }} \" ' &lt;b&gt;"


def page_of(replay: Replay) -> str:
    return replay_page(replay).decode()


def words(replay: Replay) -> str:
    return " ".join(words_of(page_of(replay)).split())


def test_the_headline_counts_what_can_be_compared() -> None:
    page = words(SMALL_REPLAY)
    assert "On 2 of 3 openings, A and B differ" in page
    assert "On 1 in what they do, on 1 in what they tell." in page


def test_more_than_two_agents_are_counted() -> None:
    three = replay_of(replayed(1, "same", *map(talk, "abc")), agents=("a", "b", "c"))
    assert "On 0 of 1 openings, the three agents differ" in words(three)


def test_nobody_is_said_to_be_right_or_better() -> None:
    page = page_of(SMALL_REPLAY)
    assert "What is right is unknown here" in page and 'class="chip' not in page.partition("<main")[2]
    assert unsupported(page, (), ["A", "B"]) == []


def test_every_set_of_a_number_has_its_tickets_on_the_page() -> None:
    page = page_of(SMALL_REPLAY)
    places = set(re.findall(r'href="#(s\d+)"', page))
    assert len(places) > 4
    for opened in places:
        [(told, on)] = re.findall(rf'id="{opened}"><p><b>(\d+) [a-z]+</b>(?: on (\d+))?', page)
        assert len(re.findall(rf'<li id="t-\d+" class="[^"]*\b{opened}\b', page)) == int(on or told)


def test_look_ups_are_no_acts() -> None:
    page = page_of(SMALL_REPLAY)
    assert "→ send the goods again" in page and "→ find order" not in page


def test_talks_that_the_record_has_not_are_said_to_be_in_the_runs() -> None:
    assert page_of(SMALL_REPLAY).count("The talks are in the runs") == 1
    assert page_of(SMALL_REPLAY).count("The books have no record of it") == 1


def test_what_an_agent_cost_is_unknown_if_one_price_is() -> None:
    unknown = replay_of(replayed(1, "same", talk("a", cost=None), talk("b")))
    assert "unknown</td>" in page_of(unknown) and "$0.01</td>" in page_of(unknown)


def test_nothing_to_compare_is_a_page() -> None:
    assert "No two talks can be compared yet" in page_of(replay_of())


def test_what_anybody_wrote_stays_text() -> None:
    turns = (Turn("agent", HOSTILE), Turn("customer", HOSTILE))
    hostile = talk(HOSTILE, turns=turns, asked=(HOSTILE,), claims=(TalkClaim("date", HOSTILE, HOSTILE),))
    one = replayed(
        1,
        "acts",
        hostile,
        talk("b"),
        request=HOSTILE,
        opening=Turn("customer", HOSTILE),
        contrasts=(Contrast("acts", HOSTILE),),
        pair=(HOSTILE, "b"),
    )
    page = page_of(
        replace(
            replay_of(one), agents=(HOSTILE, "b"), left_out={HOSTILE: 1}, notes=(HOSTILE,), source=HOSTILE
        )
    )
    assert "<script" not in page and "<img" not in page and " 49 " not in page
    assert page.count("</style>") == 1
