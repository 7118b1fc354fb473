"""Desk tools: a list of tools to go through, and each of them by its name."""

import pytest

from supportagentbench.desk.tools import DeskTools
from supportagentbench.records.tool_spec import ToolSpec

FIND = ToolSpec("find_order", "Finds an order.", {"type": "object"})
CLOSE = ToolSpec("close_ticket", "Closes the ticket.", {"type": "object"})
TOOLS = DeskTools([FIND, CLOSE])


def test_they_are_a_list_of_tools() -> None:
    assert [tool.name for tool in TOOLS] == ["find_order", "close_ticket"]
    assert len(TOOLS) == 2 and all(tool in TOOLS for tool in TOOLS)
    assert ToolSpec("find_order", "Another one.", {}) not in TOOLS


def test_each_is_there_by_its_name() -> None:
    assert TOOLS["find_order"] is FIND and TOOLS.get("close_ticket") is CLOSE
    assert "find_order" in TOOLS and "find" not in TOOLS and TOOLS.get("find") is None
    assert TOOLS.get("find", CLOSE) is CLOSE
    with pytest.raises(KeyError):
        TOOLS["find"]


def test_they_become_a_dictionary() -> None:
    named = {"find_order": FIND, "close_ticket": CLOSE}
    assert dict(TOOLS) == {**TOOLS} == dict(TOOLS.items()) == named
    assert [*TOOLS.keys()] == [*named] and [*TOOLS.values()] == [*TOOLS]


def test_none_are_no_tools() -> None:
    assert not DeskTools() and [*DeskTools()] == []


def test_nothing_can_be_put_among_them() -> None:
    with pytest.raises(TypeError):
        TOOLS["mine"] = FIND  # type: ignore[index]
    assert repr(TOOLS) == "DeskTools(find_order, close_ticket)"
