"""What Northline's writes say they did."""

from supportagentbench.desk.session import DeskSession
from supportagentbench.world.drawn_cases import DrawnCases


def test_a_line_that_is_set_to_nothing_is_removed(cases: DrawnCases) -> None:
    case = cases.cases["line_item-1"]
    desk = DeskSession(cases.desk_for(case)).open_turn()
    said = desk.call("edit_line", {"order": case.subject, "line": 1, "quantity": 0}).facts["done"]
    assert said.startswith("line 1 is removed: ") and "0 ×" not in said


def test_goods_that_are_sent_again_are_set_up_and_have_not_left_yet(cases: DrawnCases) -> None:
    case = cases.cases["damaged_item-1"]
    desk = DeskSession(cases.desk_for(case)).open_turn()
    said = desk.call("replace_item", {"order": case.subject, "line": 1, "reason": "damaged"}).facts["done"]
    assert " is set up: 1 × " in said and "it leaves within 1-2 business days" in said
