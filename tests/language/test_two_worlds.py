"""A reader has the words of one shop: two shops in one process do not hear each other's."""

from pathlib import Path

import pytest

from conversations import READER
from supportagentbench.language.reader import reader_of
from supportagentbench.records.problem import Problem
from supportagentbench.records.transcript import SpeechActs
from supportagentbench.world.folder import read_world
from supportagentbench.world.wordings import worded

TOOLSHED = Path(__file__).parents[1] / "worlds" / "toolshed"
LENDING = read_world(str(TOOLSHED)).vocabulary


def test_each_hears_its_own_acts_and_questions() -> None:
    lending = reader_of(LENDING)
    assert lending.heard("I've waived the fee. Shall I renew the loan as well?") == SpeechActs(
        offers=("renew_loan",), done=("waive_fee",), consent=True
    )
    assert lending.heard("What's the number on your slip?").asks == ("loan_number",)
    assert lending.heard("I've cancelled your order.").done == ()
    assert READER.heard("I've waived the late fee.").done == ()
    assert READER.heard("I've cancelled your order.").done == ("cancel_order",)


def test_every_desk_hands_over_and_closes() -> None:
    for reader in (READER, reader_of(LENDING)):
        assert reader.heard("I've passed this on to a colleague.").done == ("hand_over",)
        assert reader.heard("I've closed the ticket.").done == ("close_ticket",)


def test_strictly_only_what_is_said_beyond_doubt_counts() -> None:
    lending = reader_of(LENDING)
    [claim] = lending.claims("Good news: I've waived the fee of loan L7!")
    assert (claim.kind, claim.what, claim.mood, claim.by) == ("done", "waive_fee", "done", "i")
    assert claim.quote == "I've waived the fee of loan L7"
    assert lending.claims("I'll waive the fee.") == lending.claims("Once I've waived the fee, tell me.") == ()


def test_a_reader_is_made_once_per_vocabulary() -> None:
    assert reader_of(LENDING) is reader_of(read_world(str(TOOLSHED)).vocabulary)
    assert reader_of(LENDING) is not READER


def test_customers_ask_for_what_the_shop_does() -> None:
    words = reader_of(LENDING).customer
    assert words.requests("Could I keep it longer? And about the late fee: no.") == ["renew", "fee"]
    assert words.plain_requests("To be plain: please renew loan L7.") == [("renew", "please renew loan L7.")]


def test_wordings_for_what_is_not_declared_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "wordings.yaml"
    path.write_text("acts:\n  sell_tool:\n    en: sell\n")
    with pytest.raises(Problem, match="sell_tool"):
        worded(LENDING, path)
