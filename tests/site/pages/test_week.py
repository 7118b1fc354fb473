"""Week: what the page says is what the record holds, and all text of tickets stays text."""

import re

from shadow_weeks import AGREED, MISSED, PASSED_ON, SENT, SMALL, ticket, tried, week
from supportagentbench.records.shadow import ShadowWeek
from supportagentbench.records.transcript import Attachment, Turn
from supportagentbench.site.lint import unsupported, words_of
from supportagentbench.site.pages.week import week_page

HOSTILE = "</style><script>alert(1)</script><img src=x onerror=alert(2)> {{ 7 * 7 }} {% raw %} \" ' &lt;b&gt;"


def page_of(found: ShadowWeek) -> str:
    return week_page(found).decode()


def words(found: ShadowWeek) -> str:
    """The page's own text, on one line."""
    return " ".join(words_of(page_of(found)).split())


def test_it_says_what_these_tickets_are() -> None:
    told = week(
        SMALL.resumed, tickets=10, left_out={"spam": 2, "too long": 1}, dropped={"no text": 4}, rights="ours"
    )
    page = words(told)
    assert "10 tickets of a Zendesk export, imported on 19 November 2026. 7 tickets went to the agent" in page
    assert "3 were left out" in page and "1 of them are not approved yet" in page
    assert "On 1 no order is known, so the agent could look nothing up." in page
    assert "rights: ours" in page
    assert "2 tickets: spam." in page_of(told) and "At the import, 4 ×: no text." in page_of(told)


def test_every_set_of_a_number_has_its_tickets_on_the_page() -> None:
    page = page_of(SMALL)
    for opened in set(re.findall(r'href="#(s\d+)"', page)):
        [told] = re.findall(rf'id="{opened}"><p><b>(\d+) ticket', page)
        rows = re.findall(rf'<li id="t-\d+" class="[^"]*\b{opened}\b', page)
        assert len(rows) == int(told)


def test_no_agent_is_said_to_be_better() -> None:
    both = [
        ticket(one, AGREED, tried(AGREED, "same", "first"), tried(SENT, "more_generous", "second"))
        for one in range(30)
    ]
    assert unsupported(page_of(week(both)), (), ["First", "Second"]) == []


def test_there_is_no_verdict() -> None:
    main = page_of(SMALL).partition("<main")[2]
    assert 'class="chip' not in main and "data-decision" not in main


def test_invented_agents_are_said_to_be() -> None:
    assert "These agents are invented" in page_of(week(SMALL.resumed, invented=("giver",)))
    assert "Pseudonymised, not anonymous" in page_of(SMALL)


def test_what_anybody_wrote_stays_text() -> None:
    turns = (
        Turn("customer", HOSTILE, attachments=(Attachment(HOSTILE, "photo", ""),)),
        Turn("agent", HOSTILE),
    )
    hostile = ticket(
        1,
        AGREED,
        tried(SENT, "more_generous", HOSTILE, dollars=80),
        request=HOSTILE,
        person=HOSTILE,
        facts={HOSTILE: HOSTILE},
        unknown=(HOSTILE,),
        history=turns,
        human=turns,
    )
    page = page_of(
        week([hostile], rights=HOSTILE, left_out={HOSTILE: 1}, rules={"R2": HOSTILE}, source=HOSTILE)
    )
    assert "<script" not in page and "<img" not in page and " 49 " not in page
    assert page.count("</style>") == 1


def test_what_a_person_in_danger_wrote_is_shown_only_on_request() -> None:
    told = ticket(7, PASSED_ON, tried(MISSED, "taken_on"), is_danger=True)
    page = page_of(week([told]))
    exhibit = page.partition('<article class="panel exhibit">')[2].partition("</article>")[0]
    assert "This is ticket 7." not in exhibit.partition("<details>")[0] and "findahelpline.com" in exhibit
    assert '<span class="gist" data-quoted>Content note: a person is in danger.</span>' in page


def test_without_agents_there_is_a_page() -> None:
    assert "Nothing is known yet" in page_of(week([ticket(1, AGREED)]))
    assert "Nothing is known yet" in page_of(week([]))
