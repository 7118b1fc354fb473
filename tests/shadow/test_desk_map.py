"""Desk map: what it says is used, what it does not say is unknown, and what is wrong has a line."""

from pathlib import Path

import pytest

from conversations import WORLD
from real_tickets import customer, desk_map, did, ticket
from supportagentbench.records.problem import Problem
from supportagentbench.shadow.desk_map import DeskMap, MappedAct, TicketFacts, read_desk_map

WHOLE = """\
acts:
  open order: look-up
  Action=send_again: reship
  stop order: {act: cancel_order, arguments: {reason: why}}
  Credit: {act: beyond, dollars: to}
kinds:
  where_is_it: status
tickets:
  "50411":
    request: not_received
    subject: "#7104"
    arguments: {line: 1, quantity: 2}
    facts: {stage: delivered, delivery: unsigned, sent_again: "no"}
    details: {placed: 2026-06-14, items: [{product: Fjord Carry-On 38}]}
  t-4bc4:
    left_out: a test of the desk
"""


def read(path: Path, text: str) -> DeskMap:
    (path / "map.yaml").write_text(text)
    return read_desk_map(path / "map.yaml", WORLD.kit)


def test_all_of_it_is_read(tmp_path: Path) -> None:
    found = read(tmp_path, WHOLE)
    assert found.acts["Credit"] == MappedAct("beyond", dollars="to")
    assert found.acts["open order"] == "look-up"
    facts = found.tickets["50411"]
    assert (facts.request, facts.arguments) == ("not_received", {"line": 1, "quantity": 2})
    assert found.tickets["t-4bc4"].left_out == "a test of the desk"


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ("reship", "resend", 3, "there is no act 'resend'; known: cancel_order"),
        ("open order: look-up", "open order: lookup", 2, "no act 'lookup'; .*Did you mean look-up"),
        ("act: cancel_order", "act: cancel", 4, "no act 'cancel'"),
        ("reason: why", "cause: why", 4, "no argument of cancel_order 'cause'; known: order, reason"),
        ("dollars: to", "dollar: to", 5, "unknown field `dollar`"),
        (
            "dollars: to",
            "dollars: to, arguments: {order: to}",
            5,
            "no argument of beyond 'order'; known: none",
        ),
        ("arguments: {reason: why}", "dollars: amount", 4, "only `beyond` acts have dollars"),
        ("where_is_it: status", "where_is_it: staus", 7, "no request 'staus'; .*Did you mean status"),
        ("where_is_it: status", "where_is_it: 5", 7, "Expected `str`, got `int`"),
        ("request: not_received", "request: lost", 10, "no request 'lost'"),
        ("request: not_received", "reqest: not_received", 10, "unknown field `reqest`"),
        ('subject: "#7104"', "subject: 7104", 11, "Expected `str`, got `int`"),
        ("line: 1,", "lien: 1,", 12, "no argument 'lien'; .*Did you mean line"),
        ("line: 1,", "line: 1.5,", 12, "Expected `int | str`, got `float`"),
        ("stage: delivered", "state: delivered", 13, "no fact 'state'; known: proof"),
        ("stage: delivered", "request: status", 13, "no fact 'request'"),
        ("stage: delivered", "stage: gone", 13, "no value of stage 'gone'; known: unfulfilled, shipped"),
        ('sent_again: "no"', "sent_again: false", 13, "Expected `str`, got `bool`"),
        ("placed: 2026-06-14", "placed: last week", 14, "the details do not fit: Invalid .*date"),
        ("product: Fjord", "produkt: Fjord", 14, "the details do not fit: .*unknown field `produkt`"),
        ("left_out: a test of the desk", "left_out: 3", 16, "Expected `str`, got `int`"),
        ("t-4bc4:", "../x:", 15, "'../x' is not the id of a ticket"),
        ("kinds:", "kind:", 7, "unknown field `kind`"),
    ],
)
def test_each_wrong_field_is_one_sentence_with_its_line(
    tmp_path: Path, old: str, new: str, line: int, words: str
) -> None:
    assert old in WHOLE
    with pytest.raises(Problem, match=words) as caught:
        read(tmp_path, WHOLE.replace(old, new))
    assert (caught.value.place, caught.value.line) == (tmp_path / "map.yaml", line)
    assert "\n" not in caught.value.sentence


def test_details_of_no_record_are_refused(tmp_path: Path) -> None:
    with pytest.raises(Problem, match="details of no record; name its subject"):
        read(tmp_path, WHOLE.replace('    subject: "#7104"\n', ""))


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(Problem, match="no such file"):
        read_desk_map(tmp_path / "none.yaml", WORLD.kit)


def test_an_act_is_found_by_its_name_or_by_one_of_its_values() -> None:
    mapped = desk_map(
        None, {"change": "beyond", "change=cancel order": "cancel_order", "Action=refund": "beyond"}
    )
    assert mapped.act_of(did("change", what="cancel order")) == MappedAct("cancel_order")
    assert mapped.act_of(did("change", what="cancel order", by="mail")) == MappedAct("cancel_order")
    assert mapped.act_of(did("change", what="tomorrow")) == MappedAct("beyond")
    assert mapped.act_of(did("change", what=["cancel order"])) == MappedAct("beyond")
    assert mapped.act_of(did("Action", to="refund")) == MappedAct("beyond")
    assert mapped.act_of(customer("change")) is None


def test_what_is_not_mapped_is_named_as_it_would_be_added() -> None:
    asked = ticket(
        did("stop order"), did("Action", to="refund"), did("bell", loud="very"), did("Action", to="refund")
    )
    assert desk_map().unmapped(asked) == ("Action=refund", "bell")


def test_what_a_customer_asks_for_is_said_of_the_ticket_or_else_of_its_type_or_a_tag() -> None:
    mapped = desk_map()
    assert mapped.request_of(ticket(kind="stop", tags=("lost",))) == "cancel"
    assert mapped.request_of(ticket(kind="other", tags=("vip", "lost", "where"))) == "not_received"
    assert mapped.request_of(ticket(kind="", tags=())) == ""
    assert desk_map(TicketFacts(request="status")).request_of(ticket(kind="stop")) == "status"


@pytest.mark.parametrize(
    ("acts", "act"),
    [
        ({"Action=send": "reship"}, "reship"),
        ({"Action": "look-up", "Action=send": "reship"}, "reship"),
        ({"Action": "look-up", "Action=cancel": "cancel_order"}, "look-up"),
        ({"Action=cancel": "cancel_order"}, None),
    ],
)
def test_a_field_is_an_act_by_its_value_or_by_its_name(acts: dict[str, str], act: str | None) -> None:
    found = DeskMap(acts=dict(acts)).act_of(did("Action", to="send"))
    assert (found and found.act) == act


def test_a_value_that_is_no_word_is_found_by_the_name() -> None:
    found = DeskMap(acts={"Credit": MappedAct("beyond", dollars="to")}).act_of(did("Credit", to=25))
    assert found and found.act == "beyond"
