"""Priced desk: a desk where usage that an agent reports without a cost gets the price table's."""

from typing import Any, NamedTuple

from supportagentbench.desk import Desk
from supportagentbench.models.prices import priced_by_name
from supportagentbench.records.transcript import ToolResult
from supportagentbench.records.usage import Usage, checked_usage


class PricedTurn(NamedTuple):
    """One turn at the desk."""

    desk: Desk

    def call(self, tool: str, arguments: dict[str, Any] | str) -> ToolResult:
        """Run a tool."""
        return self.desk.call(tool, arguments)

    def spend(self, usage: Usage) -> None:
        """Record usage with its cost, if the table has its model."""
        self.desk.spend(priced_by_name(checked_usage(usage)))


def priced(desk: Desk) -> Desk:
    """The desk with its turn's usage priced."""
    return Desk(PricedTurn(desk), desk.instructions, desk.tools)
