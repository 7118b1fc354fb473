"""A page may compare agents only where a claim that holds supports it."""

from supportagentbench.records.claim import Claim
from supportagentbench.site.lint import unsupported, words_of

HELD = Claim("beats", "heron beats knot on resolution.", True, "a test", 0.01, "<= 0.05")
NAMES = ("heron", "knot")


def test_a_sentence_that_compares_without_a_claim_is_found() -> None:
    assert unsupported("<p>heron is safer than knot.</p>", [HELD], NAMES) == ["heron is safer than knot."]


def test_a_claim_that_holds_may_be_printed_word_for_word() -> None:
    assert unsupported("<ul><li>heron beats knot on resolution.</li></ul>", [HELD], NAMES) == []


def test_so_it_may_as_a_heading_without_a_full_stop() -> None:
    heading = HELD.sentence.removesuffix(".")
    assert unsupported(f"<h3>{heading}</h3><p>Two runs.</p>", [HELD], NAMES) == []
    assert unsupported(f"<h3>{heading} and cost</h3><p>Two runs.</p>", [HELD], NAMES)


def test_a_claim_that_does_not_hold_may_not() -> None:
    failed = Claim("beats", HELD.sentence, False, "a test", 0.4, "<= 0.05")
    assert unsupported("<p>heron beats knot on resolution.</p>", [failed], NAMES)


def test_a_claim_does_not_license_the_words_beside_it() -> None:
    page = "<p>heron beats knot on resolution.</p><p>It is the best of all.</p>"
    assert unsupported(page, [HELD], NAMES) == ["It is the best of all."]


def test_words_of_customers_agents_and_policies_are_theirs() -> None:
    quoted = "<blockquote>Your worst service <b>ever</b>.</blockquote><p data-quoted>The best<br> bag.</p>"
    page = f"{quoted}<p>Two runs.</p>"
    assert words_of(page).split() == ["Two", "runs."]
    assert unsupported(page, [], NAMES) == []


def test_quotation_ends_where_it_ends() -> None:
    page = "<div data-quoted><p>worst</p><br></div><p>It is the cheapest.</p>"
    assert unsupported(page, [], NAMES) == ["It is the cheapest."]


def test_an_agent_may_be_called_what_it_likes() -> None:
    claim = Claim("beats", "better-bot beats knot on resolution.", True, "a test", 0.01, "<= 0.05")
    page = "<h2>better-bot</h2><p>better-bot beats knot on resolution.</p>"
    assert unsupported(page, [claim], ("better-bot", "knot")) == []


def test_directions_and_tests_without_a_result_compare_nobody() -> None:
    page = "<p>heron, knot: no significant difference.</p><th>↓ lower is better</th>"
    assert unsupported(page, [], NAMES) == []


def test_a_tally_of_tests_names_no_agent() -> None:
    assert unsupported("<p>Significantly different from 3 of 4 other agents.</p>", [], NAMES) == []
    found = unsupported("<p>heron is significantly different from knot.</p>", [], NAMES)
    assert found == ["heron is significantly different from knot."]
