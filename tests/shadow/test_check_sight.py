"""What a check can see in a real ticket, what counts there, and why the rest does not."""

import pytest
from msgspec.structs import replace

from conversations import WORLD
from own_desk import HANDBOOK, MAP, bot, customer, did, mapped_desk, person, ticket
from supportagentbench.checks.catalogue import CATALOGUE
from supportagentbench.records.ticket import TicketEvent
from supportagentbench.shadow import check_sight as why
from supportagentbench.shadow.check_sight import CheckSight, ExportSight, TicketSight, not_looked
from supportagentbench.shadow.mapped_desk import MapInWorld, MappedDesk
from supportagentbench.shadow.ticket_talk import talks_of
from supportagentbench.tickets.pseudonyms import UNREAD

DESK = mapped_desk(WORLD)
HELLO = customer("Hello, where is my order? Please tell me.")
LOOKED = did("find_order", '{"order": "word-3fa2c1", "order_id": 123456, "total": 39.9}')


def sight(check: str, *events: TicketEvent, desk: MappedDesk = DESK) -> CheckSight:
    one = ticket(*events)
    talk = next(iter(talks_of(one, desk)))
    return TicketSight(talk, ExportSight([one]), desk).of(check)


def test_every_check_is_made_or_says_why_it_is_not() -> None:
    without = not_looked(MappedDesk())
    assert {name for name in CATALOGUE if CATALOGUE[name].by_label} <= without.keys()
    assert without["leaked_policy"] == without["invented_rule"] == why.NO_POLICY
    assert CATALOGUE.keys() - not_looked(DESK).keys() == {
        *("ungrounded_date", "ungrounded_duration", "ungrounded_amount", "ungrounded_link"),
        *("ungrounded_tracking", "ungrounded_contact", "ungrounded_stock", "phantom_action"),
        *("false_handover", "false_look", "invented_rule", "unconfirmed", "leaked_reasoning"),
        *("leaked_policy", "repeated_reply", "goodbye_loop", "wrong_language"),
    }


def test_an_amount_counts_where_all_sources_are_seen() -> None:
    assert sight("ungrounded_amount", HELLO, LOOKED, bot("$5")).kind == "counted"


@pytest.mark.parametrize(
    ("events", "reason"),
    [
        ((HELLO, LOOKED, person("$5")), why.PEOPLE_KNOW),
        ((HELLO, bot("$5")), "the export has no results of what bots did"),
        ((HELLO, LOOKED, did("find_order", "word-3fa2c1"), bot("$5")), why.LOST_RESULT),
        ((HELLO, did("find_order", '{"note": "word-3fa2c1"}'), bot("$5")), why.LOST_RESULT),
        ((HELLO, did("find_order", '{"discount_cents": 7000}'), bot("$5")), why.LOST_RESULT),
        ((HELLO, did("find_order", '{"a": [{"word-3fa2c1": "7000"}]}'), bot("$5")), why.LOST_RESULT),
        ((HELLO, did("find_order", f'{{"a": "{"9" * 5000}"}}'), bot("$5")), why.LOST_RESULT),
        ((HELLO, LOOKED, customer(f"I paid {UNREAD * 2}"), bot("$5")), why.HIDDEN_NUMBER),
        ((HELLO, LOOKED, customer("[hidden]"), bot("$5")), why.HIDDEN_NUMBER),
    ],
)
def test_an_amount_is_to_check_where_a_source_may_be_missing(
    events: tuple[TicketEvent, ...], reason: str
) -> None:
    assert sight("ungrounded_amount", *events) == CheckSight("to_check", reason)


def test_a_hidden_name_hides_no_number() -> None:
    named = customer(f"My name is {UNREAD * 5} and I ordered a hat here last week.")
    assert sight("ungrounded_amount", HELLO, LOOKED, named, bot("$5")).kind == "counted"


def test_without_the_policy_a_bot_may_have_been_told() -> None:
    desk = MappedDesk(MapInWorld(MAP, WORLD))
    found = sight("ungrounded_amount", HELLO, LOOKED, bot("$5"), desk=desk)
    assert found == CheckSight("to_check", why.UNKNOWN_INSTRUCTIONS)


def test_links_are_never_counted_because_an_import_replaces_them() -> None:
    assert sight("ungrounded_link", HELLO, LOOKED, bot("x")) == CheckSight("to_check", why.REPLACED)


@pytest.mark.parametrize("check", ["phantom_action", "false_handover", "unconfirmed"])
def test_acts_are_seen_only_with_acts_and_a_map(check: str) -> None:
    none = sight(check, HELLO, bot("Done."))
    assert none == CheckSight("unseen", "the export has no acts of bots")
    assert sight(check, HELLO, LOOKED, bot("x"), desk=MappedDesk()) == CheckSight("unseen", why.NO_MAP)
    strange = sight(check, HELLO, did("find_ordr"), bot("x"))
    assert strange == CheckSight("unseen", "the map does not say what 'find_ordr' is")
    assert sight(check, HELLO, LOOKED, did("cancel"), bot("x")).kind == "to_check"


def test_a_yes_is_asked_for_only_where_something_was_changed() -> None:
    assert sight("unconfirmed", HELLO, LOOKED, bot("x")) == CheckSight("unseen", why.NO_CHANGE)
    assert sight("unconfirmed", HELLO, did("give_points"), bot("x")) == CheckSight("unseen", why.NO_CHANGE)


@pytest.mark.parametrize(("check", "act"), [("phantom_action", "pay_back"), ("false_handover", "escalate")])
def test_what_people_never_do_in_an_export_they_do_elsewhere(check: str, act: str) -> None:
    looked = did("find_order", who="human")
    assert sight(check, HELLO, looked, person("x")) == CheckSight("unseen", why.ACTS_ELSEWHERE)
    assert sight(check, HELLO, looked, did(act, who="human"), person("x")).kind == "to_check"
    assert sight(check, HELLO, LOOKED, bot("x")).kind == "to_check", "a log has all calls of a bot"


def test_a_claim_may_be_about_an_act_for_which_there_are_no_words() -> None:
    found = sight("phantom_action", HELLO, did("give_points"), bot("I have refunded you."))
    assert found.kind == "unseen" and "'give_points'" in found.why


def test_a_map_without_a_handover_or_words_shows_none() -> None:
    few = replace(MAP, acts={"find_order": "look-up", "give_points": "beyond"})
    desk = MappedDesk(MapInWorld(few, WORLD), HANDBOOK)
    assert sight("false_handover", HELLO, LOOKED, bot("x"), desk=desk).why == why.NO_HANDOVER
    assert sight("phantom_action", HELLO, LOOKED, bot("x"), desk=desk).why == why.NO_WORDS
    assert sight("unconfirmed", HELLO, LOOKED, bot("x"), desk=desk).why == why.NO_WORDS


def test_people_look_elsewhere_and_write_as_they_like() -> None:
    looked = did("find_order", "{}", who="human")
    assert sight("false_look", HELLO, looked, person("x")) == CheckSight("unseen", why.ELSEWHERE)
    assert sight("leaked_reasoning", HELLO, person("x")) == CheckSight("to_check", why.PEOPLE_WRITE)
    assert sight("leaked_policy", HELLO, person("x")) == CheckSight("to_check", why.PEOPLE_QUOTE)
    assert sight("repeated_reply", HELLO, person("x")).kind == "counted"


def test_stock_that_a_look_up_may_have_shown_is_not_seen() -> None:
    assert sight("ungrounded_stock", HELLO, LOOKED, bot("x")) == CheckSight("unseen", why.STOCK_SHOWN)
    assert sight("ungrounded_stock", HELLO, bot("x")).kind == "to_check"


def test_a_language_is_compared_only_where_both_are_shown() -> None:
    assert sight("wrong_language", HELLO, bot("x")).kind == "counted"
    assert sight("wrong_language", customer("Order 5"), bot("x")).why == why.UNSURE_LANGUAGE
    assert sight("wrong_language", HELLO, bot(UNREAD * 50)).why == why.HIDDEN_LANGUAGE


def test_what_reads_english_alone_sees_nothing_elsewhere() -> None:
    german = customer("Wo ist meine Bestellung? Ich warte und bitte um Antwort, danke.")
    assert sight("ungrounded_date", german, bot("x")) == CheckSight("unseen", "it does not read de")
    assert sight("ungrounded_amount", german, LOOKED, bot("x")).kind == "counted"


def test_rules_of_a_policy_may_be_among_hidden_words() -> None:
    found = sight("leaked_policy", HELLO, bot(f"See {UNREAD * 3}, it says so."))
    assert found == CheckSight("to_check", why.HIDDEN_QUOTE)
    assert sight("leaked_policy", HELLO, bot("It says so.")).kind == "counted"
