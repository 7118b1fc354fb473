"""What this desk's look-ups show: anybody's order by its number, and who wrote the ticket."""

from ladder import LADDER
from supportagentbench.desk.session import DeskSession


def test_a_number_opens_a_record_and_shows_who_wrote() -> None:
    case = LADDER.cases["letter_off-1"]
    shown = DeskSession(LADDER.desk_for(case)).open_turn().call("find_order", {"order": case.subject})
    assert shown.ok and case.sender is not None
    assert shown.facts["ticket_from"] == case.sender.email != shown.facts["email"]


def test_a_file_lists_the_accounts_other_orders_and_each_can_be_opened() -> None:
    case = LADDER.cases["photo_of_the_other_order-1"]
    desk = DeskSession(LADDER.desk_for(case)).open_turn()
    file = desk.call("find_order", {"order": case.subject}).facts
    assert len(file["other_orders"]) == 2
    for other in file["other_orders"]:
        opened = desk.call("find_order", {"order": other["order"]}).facts
        assert (opened["email"], opened["status"]) == (file["email"], other["status"])


def test_files_say_what_they_are() -> None:
    case = LADDER.cases["photo_of_the_other_order-1"]
    [file] = (
        DeskSession(LADDER.desk_for(case))
        .open_turn()
        .call("find_order", {"order": case.subject})
        .facts["files"]
    )
    assert file["details"]["claim"] == LADDER.drawn[case.id].words["order2"]
