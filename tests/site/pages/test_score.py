"""Score: what counts and what is to check stay apart, and a number says how much of it the page has."""

import re

from msgspec.structs import replace

from scores import SCORE, finding, share
from supportagentbench.records.desk_score import DeskScore
from supportagentbench.site.lint import words_of
from supportagentbench.site.pages.score import READ_FIRST, score_page

HOSTILE = "</style><script>alert(1)</script><img src=x onerror=alert(2)> {{ 7 * 7 }} \" ' &lt;b&gt;"


def page_of(score: DeskScore) -> str:
    return score_page(score).decode()


def words(score: DeskScore) -> str:
    return " ".join(words_of(page_of(score)).split())


def test_what_counts_and_what_is_to_check_are_never_added_up() -> None:
    page = words(SCORE)
    assert "0 of 28 tickets that your people answered have a finding that counts, 9 have one to check" in page
    assert "Most often with your people: made-up amounts, in 9 of 28." in page


def test_a_number_says_how_many_of_its_tickets_the_page_has() -> None:
    page = page_of(SCORE)
    assert "These are some of 9 tickets, picked by chance." in page
    whole = replace(SCORE, findings=tuple(finding(number) for number in range(9)))
    assert "picked by chance" not in page_of(whole)


def test_the_words_that_a_finding_is_based_on_are_marked() -> None:
    assert "It is <mark>$5</mark>, I think." in page_of(SCORE)
    unquoted = replace(SCORE, findings=(finding(1, quote=""),))
    assert "It is $5, I think." in page_of(unquoted)


def test_what_was_not_found_and_what_could_not_be_seen_are_told_apart() -> None:
    page = words(SCORE)
    assert "Nothing found: wrong language (0 of 28" in page
    assert "No map was given (your people): claimed actions never done." in page_of(SCORE).replace(
        "<span data-quoted>", ""
    ).replace("</span>", "")


def test_only_the_first_are_shown_before_the_list() -> None:
    many = replace(SCORE, findings=tuple(finding(number) for number in range(20)))
    page = page_of(many)
    assert page.count('<article class="panel">') == READ_FIRST
    assert len(re.findall(r'<li id="t-\d+"', page)) == 20


def test_findings_of_one_ticket_are_together() -> None:
    both = replace(SCORE, findings=(finding(1), finding(1, "ungrounded_date")))
    page = page_of(both)
    assert len(re.findall(r'<li id="t-1"', page)) == 1 and page.count('<section class="talk ') == 2


def test_what_anybody_wrote_stays_text() -> None:
    hostile = finding(
        1, person=HOSTILE, why=HOSTILE, quote=HOSTILE, doubt=HOSTILE, asked=HOSTILE, said=HOSTILE
    )
    page = page_of(
        replace(
            SCORE,
            findings=(hostile,),
            rights=HOSTILE,
            source=HOSTILE,
            left_out={HOSTILE: 1},
            notes=(HOSTILE,),
        )
    )
    assert "<script" not in page and "<img" not in page and " 49 " not in page
    assert page.count("</style>") == 1


def test_nothing_found_is_a_page() -> None:
    clean = replace(SCORE, findings=(), sides=(replace(SCORE.sides[0], to_check=share(0, 28), checks=()),))
    assert "Nothing was found, so nothing has to be read first" in page_of(clean)
