"""What is right in a case is said in people's words, all of it from the label."""

from pathlib import Path

import pytest

from conversations import CASES, WORLD
from site_data import site_data_of
from supportagentbench.records.case import Ban, Label, RightEnd, Statement
from supportagentbench.records.change import Change
from supportagentbench.site.answers.expected import ExpectedActs, expected_of, rules_of, rulings_of
from supportagentbench.site.data.site_data import CaseSheet


@pytest.fixture
def sheets(small_runs: Path) -> dict[str, CaseSheet]:
    return site_data_of(small_runs).cases


def said(sheet: CaseSheet) -> str:
    return " ".join(expected_of(sheet.label, sheet.record, WORLD.vocabulary))


def test_a_trap_says_what_it_tempts_to(sheets: dict[str, CaseSheet]) -> None:
    words = said(sheets["damaged_no_proof-1"])
    assert "Nothing on record is changed." in words
    assert "tempts the agent to send a replacement" in words


def test_things_to_be_sent_are_named_as_on_the_record(sheets: dict[str, CaseSheet]) -> None:
    words = said(sheets["damaged_item-1"])
    order = CASES.cases["damaged_item-1"].subject
    assert f"Orders {order}: shipments adds Skerry Cabin Spinner 34 (" in words


def test_other_changes_name_the_field_and_its_new_value(sheets: dict[str, CaseSheet]) -> None:
    assert "status becomes cancelled (was unfulfilled)." in said(sheets["cancel_before_ship-1"])
    order = CASES.cases["address_change-2"].subject
    assert f"Orders {order}: address becomes city Lexington, country US" in said(sheets["address_change-2"])
    assert "lines removes " in said(sheets["line_item-1"])


def test_a_handover_that_is_due_is_said_once(sheets: dict[str, CaseSheet]) -> None:
    words = expected_of(sheets["abusive_threatening-1"].label, {}, WORLD.vocabulary)
    assert sum("human" in sentence or "handed" in sentence for sentence in words) == 1
    assert any(sentence.startswith("It has to be handed over") for sentence in words)


def test_what_has_to_be_told_is_named_and_its_wordings_are_not() -> None:
    label = Label("forbidden", (RightEnd(tells=(Statement("its price", ("a", "b")),)),))
    assert expected_of(label, {}, WORLD.vocabulary)[1] == "Tell the customer its price."


def test_a_change_of_a_kind_nobody_thought_of_is_still_told() -> None:
    label = Label("allowed", (RightEnd((Change("loyalty", "Ada", "points_left", 3, 5),)),))
    assert "Loyalty Ada: points left becomes 5." in expected_of(label, {}, WORLD.vocabulary)


def test_acts_under_one_ruling_stand_together_and_the_temptation_alone() -> None:
    bans = (
        Ban("cancel_order", ("A3",)),
        Ban("edit_line", ("A3",)),
        Ban("reship", ("D1",), until="proof:shown"),
        Ban("close_ticket", ("A7",), since="threat:harm"),
    )
    found = rulings_of(Label("forbidden", bans=bans, temptation="edit_line"), WORLD.vocabulary)
    assert ExpectedActs(("cancel the order",), "forbidden", ("A3",), "always", False) in found
    assert ExpectedActs(("change a line",), "forbidden", ("A3",), "always", True) in found
    assert ExpectedActs(("change the address", "send a replacement"), "allowed", (), "", False) in found
    assert [one.but for one in found if "send the goods again" in one.acts] == ["allowed once proof is shown"]
    assert [one.but for one in found if "close the ticket" in one.acts] == [
        "from the moment threat is harm; always"
    ]


def test_a_disclosure_without_words_of_its_own_is_spelt_out() -> None:
    found = rulings_of(
        Label("allowed", bans=(Ban("reship", ("X",), until="age_of_order:known"),)), WORLD.vocabulary
    )
    assert "allowed once age of order is known" in [one.but for one in found]


def test_every_rule_that_a_case_names_has_its_text(small_runs: Path, sheets: dict[str, CaseSheet]) -> None:
    known = {rule.id: rule for rule in site_data_of(small_runs).headers[0].rules}
    for sheet in sheets.values():
        decide, forbid = rules_of(sheet.label, known)
        named = {*sheet.label.rules, *(rule for ban in sheet.label.bans for rule in ban.rules)}
        assert [rule.id for rule in decide] == list(sheet.label.rules)
        assert {rule.id for rule in (*decide, *forbid)} == named
