"""A real desk has its own acts, and the words that a map lends them; nothing is made up."""

from conversations import WORLD
from own_desk import mapped_desk
from supportagentbench.checks.observable import missing
from supportagentbench.language.reader import reader_of
from supportagentbench.records.vocabulary import Vocabulary
from supportagentbench.shadow.mapped_desk import MappedDesk


def test_its_acts_keep_their_names_and_borrow_words() -> None:
    desk = mapped_desk(WORLD)
    words = desk.vocabulary
    assert words.lookups == ("find_order",)
    assert [verb.act for verb in words.verbs] == ["cancel", "annul", "pay_back", "give_points", "hand_over"]
    (claim,) = reader_of(words).claims("I've cancelled order 5 for you.")
    assert claim.what == "cancel" and words.met_by("cancel") == {"cancel", "annul"}
    (claim,) = reader_of(words).claims("I have refunded the order.")
    assert claim.what == "pay_back" and words.met_by("pay_back") == {"pay_back", "cancel", "annul"}


def test_acts_without_words_are_claimed_by_nobody() -> None:
    desk = mapped_desk(WORLD)
    assert desk.is_wordless("give_points") and not desk.is_wordless("cancel")
    assert desk.spoken == {"cancel", "annul", "pay_back", "hand_over"}
    assert desk.agreed_to == {"cancel", "annul"}, "the world cannot pay back, so no customer agrees to it"
    assert desk.tool("escalate") == "hand_over" and desk.tool("cancel") == "cancel"
    assert desk.knows("find_order") and not desk.knows("find_ordr")


def test_without_a_map_nothing_is_known_of_acts() -> None:
    desk = MappedDesk()
    assert desk.vocabulary == Vocabulary("", ()) and not desk.spoken and not desk.hands_over
    assert not reader_of(desk.vocabulary).claims("I've cancelled order 5 for you.")
    assert missing("contradicts_record", desk.vocabulary)
