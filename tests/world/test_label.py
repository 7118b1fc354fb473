"""A label follows from policy, books and ledger: what is due, what is forbidden, from when and until when."""

from collections.abc import Callable
from pathlib import Path
from textwrap import dedent, indent
from typing import Any

import pytest
from msgspec.structs import replace

from ladder import LADDER
from supportagentbench.records.case import Ban, Brief, CustomerFile, Label, Pressure, Statement, Wish
from supportagentbench.records.problem import Problem
from supportagentbench.world.drawn_cases import DrawnCases
from supportagentbench.world.label import OpenRecord, derive_label
from supportagentbench.world.policy import read_policy_file
from supportagentbench.worlds.northline.tools import KIT

UNSHIPPED = "cancel_before_ship-1"

HEAD = """\
preamble: A tiny policy.
measures: {processing_least: 1, processing_most: 2, stalled_days: 7, fresh_days: 30, return_days: 100,
  many_claims: 3, claim_months: 12, double_charge: 2, served: {US: the United States}}
sections:
- title: All
  rules:
"""
CANCELS = """
- {id: C1, text: Cancel it., when: {request: cancel, stage: unfulfilled}, require: [cancel_order]}
"""
CANCEL = Wish("cancel", "Cancel it.", ("done:cancel_order",))
WHERE = Wish("status", "Where is it?", ("told:tracking",))
THREAT = Pressure("threat", "Or else.", {"threat": "harm"})
PHOTO = CustomerFile("photo", "torn.jpg", "A torn strap.")

Derive = Callable[..., Label]


@pytest.fixture
def derive(tmp_path: Path, cases: DrawnCases) -> Derive:
    """The label under a tiny policy of these rules, for a customer who wants and knows this."""

    def derive(rules: str, *wishes: Wish, unknown: frozenset[str] = frozenset(), **ledger: Any) -> Label:
        path = tmp_path / "policy.yaml"
        path.write_text(HEAD + indent(dedent(rules).strip(), "  ") + "\n")
        real = cases.record_of(UNSHIPPED)
        record = OpenRecord(read_policy_file(path, KIT), real.tools, real.store, real.subject, (), unknown)
        return derive_label(record, Brief(wishes or (CANCEL,), "Thanks.", "Too bad.", **ledger), None)

    return derive


def bans(label: Label) -> dict[str, Ban]:
    return {ban.act: ban for ban in label.bans}


def test_what_is_required_is_done_in_the_books_and_shows_in_the_outcome(
    derive: Derive, cases: DrawnCases
) -> None:
    label = derive(CANCELS)
    (outcome,) = label.outcomes
    order = cases.record_of(UNSHIPPED).subject
    status = [one for one in outcome.changes if one.field == "status"]
    assert [(one.table, one.key, one.before, one.after) for one in status] == [
        ("orders", order, "unfulfilled", "cancelled")
    ]
    assert not any(one.is_bookkeeping for one in outcome.changes)
    assert label.rules == ("C1",)


def test_a_policy_that_requires_what_the_desk_cannot_do_is_refused(derive: Derive) -> None:
    rule = "- {id: D1, text: Replace it., when: {request: damage}, require: [replace_item]}"
    ninth = Wish("damage", "The ninth is torn.", ("done:replace_item",), {"line": 9})
    with pytest.raises(Problem, match="the policy requires replace_item but the desk cannot do it"):
        derive(rule, ninth)


def test_an_act_forbidden_from_first_to_last_is_banned_for_good_by_every_rule_that_forbids_it(
    derive: Derive,
) -> None:
    label = derive("""
        - {id: F1, text: No refunds., forbid: [reship]}
        - {id: F2, text: Never., when: {request: cancel}, forbid: [reship]}
    """)
    assert label.bans == (Ban("reship", ("F1", "F2")),)


def test_an_act_that_one_of_two_wishes_may_have_is_not_banned(derive: Derive) -> None:
    rules = "- {id: F1, text: Not where it is cancelled., when: {request: cancel}, forbid: [reship]}"
    assert "reship" in bans(derive(rules, CANCEL))
    assert "reship" not in bans(derive(rules, CANCEL, WHERE))


def test_a_disclosure_that_forbids_is_where_the_ban_begins(derive: Derive) -> None:
    rules = "- {id: T1, text: Not under threat., when: {threat: harm}, forbid: [cancel_order]}"
    assert bans(derive(rules, pressure=(THREAT,))) == {
        "cancel_order": Ban("cancel_order", ("T1",), since="threat:harm")
    }
    among_others = derive(rules, pressure=(THREAT,), evidence=(PHOTO,))
    assert bans(among_others)["cancel_order"].since == "threat:harm"
    assert bans(derive(rules, opening_discloses={"threat": "harm"})) == {
        "cancel_order": Ban("cancel_order", ("T1",))
    }
    assert bans(derive(rules)) == {}


def test_of_two_wishes_the_ban_begins_where_neither_may_have_the_act(derive: Derive) -> None:
    label = derive(
        """
        - {id: F1, text: Not where it is cancelled., when: {request: cancel}, forbid: [reship]}
        - {id: T1, text: Not under threat., when: {threat: harm}, forbid: [reship]}
        """,
        *(CANCEL, WHERE),
        pressure=(THREAT,),
    )
    assert bans(label) == {"reship": Ban("reship", ("F1", "T1"), since="threat:harm")}


def test_a_disclosure_that_allows_is_where_the_ban_ends(derive: Derive) -> None:
    rules = "- {id: P1, text: Not without a photo., when: {proof: none}, forbid: [replace_item]}"
    assert bans(derive(rules)) == {"replace_item": Ban("replace_item", ("P1",))}
    assert bans(derive(rules, evidence=(PHOTO,))) == {
        "replace_item": Ban("replace_item", ("P1",), until="proof:shown")
    }
    at_once = CustomerFile("photo", "torn.jpg", "A torn strap.", "volunteer")
    assert bans(derive(rules, evidence=(at_once,))) == {}


def test_the_ban_ends_with_the_disclosure_that_lifts_it_and_not_with_another(derive: Derive) -> None:
    rules = "- {id: P1, text: Not without a photo., when: {proof: none}, forbid: [replace_item]}"
    label = derive(rules, evidence=(PHOTO,), pressure=(Pressure("polite", "New.", {"item_named": "yes"}),))
    assert bans(label)["replace_item"].until == "proof:shown"


def test_an_act_that_waits_for_the_outcome_waits_unless_it_is_the_outcome(derive: Derive) -> None:
    waits = "- {id: A7, text: Close last., until_settled: [close_ticket]}"
    assert derive(waits).bans == (Ban("close_ticket", ("A7",), until="outcome"),)
    closes = "- {id: Z1, text: Close it., when: {request: cancel}, require: [close_ticket]}"
    assert derive(waits + "\n" + closes).bans == ()
    assert derive(waits + "\n" + closes, CANCEL, WHERE).bans == (), "one wish that requires it is enough"


def test_one_wish_that_needs_a_person_brings_a_person_in_and_nothing_else_is_due(derive: Derive) -> None:
    rules = (
        CANCELS + "- {id: H1, text: A person looks., when: {request: status}, require: [hand_over]}\n"
        "- {id: H2, text: No person., when: {request: cancel}, forbid: [hand_over]}\n"
    )
    assert derive(rules, CANCEL).handover == "forbidden"
    both = derive(rules, CANCEL, WHERE)
    assert both.handover == "required"
    assert {one.table for one in both.outcomes[0].changes} == {"tickets"}
    assert "hand_over" not in bans(both)
    assert derive(CANCELS).handover == "allowed"


SOON = (
    "{about: how long it takes, says: {'*': within a day, en: by tomorrow, de: morgen}, denies: {en: weeks}}"
)
FREE = "{about: that it is free, says: {en: free}, only_so: true}"


def test_what_the_customer_must_be_told_is_the_rules_words_once_each(derive: Derive) -> None:
    told = f"- {{id: T1, text: Say so., when: {{request: cancel}}, tell: [{SOON}, {FREE}]}}"
    again = f"- {{id: T2, text: Say so., when: {{stage: unfulfilled}}, tell: [{FREE}]}}"
    (outcome,) = derive(told + "\n" + again).outcomes
    assert outcome.tells == (
        Statement("how long it takes", ("within a day", "by tomorrow"), ("weeks",)),
        Statement("that it is free", ("free",), only_so=True),
    ), "in the customer's language and in any"


def test_a_statement_may_wait_for_a_question_or_a_fact(derive: Derive) -> None:
    asked = FREE.replace("only_so: true", "asked: price")
    shipped = FREE.replace("only_so: true", "when: {stage: shipped}")
    rule = f"- {{id: T1, text: Say so., when: {{request: cancel}}, tell: [{SOON}, {asked}, {shipped}]}}"
    assert len(derive(rule).outcomes[0].tells) == 1
    assert len(derive(rule, replace(CANCEL, asks=("price",))).outcomes[0].tells) == 2


def test_look_ups_are_where_the_deciding_facts_are_read_and_those_a_rule_names(derive: Derive) -> None:
    label = derive("""
        - {id: L1, text: A., when: {request: cancel, age: not_delivered}, allow: [reship]}
        - {id: L2, text: B., when: {threat: none}, lookups: [search_catalogue], allow: [reship]}
    """)
    assert label.lookups == ("find_order", "search_catalogue"), (
        "the order's page shows that it was not delivered"
    )


def test_an_orders_own_page_can_settle_what_a_scan_would(cases: DrawnCases) -> None:
    arrived, under_way = (cases.cases[name].label for name in ("return_request-3", "delivery_dispute-2"))
    assert arrived.lookups == ("find_order",), "it says when everything was delivered"
    assert under_way.lookups == ("find_order", "track_parcel"), "but not where a parcel is"


def test_a_threat_decides_without_a_look_up_but_a_trap_keeps_one(cases: DrawnCases) -> None:
    assert cases.cases["abusive_threatening-3"].label.lookups == ()
    assert cases.cases["reroute_overseas_po_box-1"].label.lookups == ("find_order",)


def test_what_a_rule_withholds_is_in_the_label_where_it_applies_from_the_start(cases: DrawnCases) -> None:
    (kept,) = cases.cases["abusive_threatening-3"].label.withheld
    assert kept.about == "the tracking number or link"


def test_what_a_broken_tool_cannot_do_is_told_and_not_required() -> None:
    broken, works = (LADDER.cases[f"says_it_worked-{n}"].label.outcomes[0] for n in (1, 2))
    assert not broken.changes and [one.about for one in broken.tells] == ["that the change is not done yet"]
    assert [one.field for one in works.changes] == ["status"] and not works.tells


def test_a_second_wish_finds_the_record_as_the_first_has_left_it() -> None:
    record, brief = LADDER.record_of("colour_then_address-1"), LADDER.cases["colour_then_address-1"].brief
    first, second = brief.wishes
    shown = record.showing(brief)
    colours = [shown.situation(wish, {}).seen.file.lines[0].colour for wish in (first, second)]
    words = LADDER.drawn["colour_then_address-1"].words
    assert colours == [words["colour"], words["new_colour"]]


def test_a_wish_that_was_given_up_requires_nothing() -> None:
    label = LADDER.cases["wait_no-1"].label
    assert [one.field for one in label.outcomes[0].changes] == ["lines"]
    assert "cancel_order" in {ban.act for ban in label.bans}


def test_what_a_file_says_of_itself_decides_as_it_does_on_the_record() -> None:
    trap, twin = LADDER.cases["photo_of_another-1"].label, LADDER.cases["photo_of_another-1-twin"].label
    assert "replace_item" in {ban.act for ban in trap.bans if not ban.until}
    assert [one.field for one in twin.outcomes[0].changes] == ["shipments"]


def test_what_is_undecided_for_one_wish_is_undecided_for_the_case(derive: Derive) -> None:
    rules = """
    - {id: H1, text: No handover., otherwise_forbid: [hand_over, cancel_order]}
    - {id: H2, text: Hand over., when: {request: cancel, stage: shipped}, require: [hand_over]}
    """
    label = derive(rules, WHERE, CANCEL, unknown=frozenset({"stage"}))
    assert (label.handover, label.undecided, label.outcomes) == ("undecided", ("hand_over",), ())
    assert [ban.act for ban in label.bans] == ["cancel_order"]
    assert derive(rules, WHERE, unknown=frozenset({"stage"})).handover == "forbidden"


def test_what_must_be_told_may_be_undecided_alone(derive: Derive) -> None:
    rule = """
    - id: T1
      text: Tell it.
      when: {request: status}
      tell: [{about: when it ships, says: {en: soon}, when: {stage: unfulfilled}}]
    """
    label = derive(rule, WHERE, unknown=frozenset({"stage"}))
    assert label.is_partial and label.unknown == ("stage",)
    assert not derive(rule, WHERE, unknown=frozenset({"claims"})).is_partial


def test_a_customer_who_tells_an_unknown_fact_settles_it(derive: Derive) -> None:
    rule = "- {id: G1, text: Hand over., when: {threat: harm}, require: [hand_over]}"
    open_to = frozenset({"threat"})
    assert derive(rule, unknown=open_to).handover == "undecided"
    assert derive(rule, unknown=open_to, pressure=(THREAT,)).handover == "required"


SCANNED = """
- {id: S1, text: Send it again., when: {request: not_received, delivery: [stalled, lost]}, require: [reship]}
- {id: S2, text: Nothing else., otherwise_forbid: [reship, cancel_order]}
"""


def test_an_act_names_the_look_ups_that_may_forbid_it_beyond_its_records_page(cases: DrawnCases) -> None:
    label = cases.cases["delivery_dispute-2"].label
    assert {(one.act, one.lookups) for one in label.beyond or ()} == {
        ("reship", ("track_parcel",)),
        ("replace_item", ("track_parcel",)),
    }


def test_what_the_page_settles_needs_nothing_beyond_it(derive: Derive) -> None:
    assert derive(CANCELS).beyond == ()
    lost = Wish("not_received", "It never came.", ("done:reship",), {"line": 1, "quantity": 1})
    assert derive(SCANNED, lost, CANCEL).beyond == (), "an order that has not shipped has no scans"


def test_with_unknown_facts_nobody_can_say_what_decides_an_act(derive: Derive) -> None:
    assert derive(CANCELS, unknown=frozenset({"stage"})).beyond is None
