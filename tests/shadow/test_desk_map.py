"""Acts by the desk's own names, and by the value to which a field was set."""

import pytest

from supportagentbench.records.ticket import SupportTicket, TicketAct, TicketEvent
from supportagentbench.shadow.desk_map import DeskMap, MappedAct


def changed(name: str, value: object) -> TicketEvent:
    return TicketEvent("human", "act", act=TicketAct(name, {"from": None, "to": value}))


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
    found = DeskMap(acts=dict(acts)).act_of(changed("Action", "send"))
    assert (found and found.act) == act


def test_a_value_that_is_no_word_is_found_by_the_name() -> None:
    found = DeskMap(acts={"Credit": MappedAct("beyond", dollars="to")}).act_of(changed("Credit", 25))
    assert found and found.act == "beyond"


def test_what_is_not_mapped_is_named_as_it_would_be_added() -> None:
    ticket = SupportTicket("t-1", "zendesk", (changed("Action", "send"), changed("group_id", 7)))
    assert DeskMap().unmapped(ticket) == ("Action=send", "group_id")
