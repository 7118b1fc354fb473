"""What goods are worth is read from the record that the agent had seen, and never guessed."""

from typing import Any

import pytest

from conversations import HEADER
from supportagentbench.records.transcript import ToolCall, ToolResult, Turn
from supportagentbench.site.data.worth import worth

PAGE = {
    "order": "#1",
    "lines": [
        {"line": 1, "name": "Case", "quantity": 1, "price": "435.00"},
        {"line": 2, "name": "Cube", "quantity": 3, "price": "$18.50"},
        {"line": 3, "name": "Odd", "quantity": 1, "price": "about ten"},
    ],
}


def turns(page: Any, arguments: dict[str, Any] | str, tool: str = "reship") -> list[Turn]:
    looked = ToolCall("find_order", {"order": "#1"}, ToolResult.of(page))
    return [Turn("agent", "", calls=(looked, ToolCall(tool, arguments, ToolResult.of({"done": "yes"}))))]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"order": "#1", "line": 1}, "$435"),
        ({"order": "#1", "line": 2}, "$56"),
        ({"order": "#1", "line": 2, "quantity": 1}, "$18"),
        ({"order": "#1"}, "$490"),
        ({"order": "#1", "line": 3}, ""),
        ({"order": "#1", "line": 1, "quantity": 10**9}, ""),
        ({"order": "#1", "line": 1, "quantity": "many"}, ""),
        ({"order": "#2", "line": 1}, ""),
        ({"order": "#1", "line": 9}, ""),
        ("no arguments", ""),
    ],
)
def test_the_price_of_what_an_act_was_about(arguments: dict[str, Any] | str, said: str) -> None:
    assert worth("reship", turns(PAGE, arguments), HEADER.vocabulary) == said


@pytest.mark.parametrize(
    "page", [None, [], "text", {"order": "#1", "lines": "none"}, {"order": "#1", "lines": [7]}]
)
def test_a_record_of_another_shape_has_no_price(page: Any) -> None:
    assert worth("reship", turns(page, {"order": "#1", "line": 1}), HEADER.vocabulary) == ""


def test_an_act_that_was_not_carried_out_has_no_price() -> None:
    assert worth("cancel_order", turns(PAGE, {"order": "#1"}), HEADER.vocabulary) == ""
