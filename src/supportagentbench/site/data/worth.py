"""Worth: what the goods cost that an act was about, if the record that the agent had seen shows prices."""

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from supportagentbench.records.transcript import ToolCall, Turn
from supportagentbench.records.view import GoodsView, RecordView
from supportagentbench.records.vocabulary import Vocabulary

PRICE = "price"
"""The field with the price of a piece, in a row of goods on a record."""

_PRICED = re.compile(r"\$?(\d{1,6}(?:\.\d\d)?)")

MOST_PIECES = 99


def worth(act: str, turns: Sequence[Turn], vocabulary: Vocabulary) -> str:
    """What the goods of the last such act cost, printed; empty if the record does not say."""
    view = vocabulary.views.record
    calls = [call for turn in turns for call in turn.calls if call.result.ok]
    made = next((call for call in reversed(calls) if call.tool == act), None)
    if view is None or view.goods is None or made is None or not isinstance(made.arguments, dict):
        return ""
    page = _page(view, calls[: calls.index(made)], made.arguments)
    lines = vocabulary.views.by_role.get("entry", ())
    wanted = [str(made.arguments[name]) for name in lines if name in made.arguments]
    counts = [made.arguments.get(name) for name in vocabulary.views.by_role.get("count", ())]
    prices = [
        price
        for row in _rows(page, view.goods)
        if not wanted or str(row.get(view.goods.line)) in wanted
        if (price := _price(row, view.goods, counts)) is not None
    ]
    total = sum(prices, Decimal(0))
    return f"${total:,.0f}" if total else ""


def _page(view: RecordView, calls: Sequence[ToolCall], given: dict[str, Any]) -> dict[str, Any]:
    """The record as the agent last saw it."""
    pages = [call.result.facts for call in calls if call.tool == view.tool]
    named = given.get(view.key)
    return next(
        (page for page in reversed(pages) if isinstance(page, dict) and page.get(view.key) == named), {}
    )


def _rows(page: dict[str, Any], goods: GoodsView) -> list[dict[str, Any]]:
    rows = page.get(goods.rows)
    return [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []


def _price(row: dict[str, Any], goods: GoodsView, counts: Sequence[Any]) -> Decimal | None:
    """The price of the pieces; None: it is not known how much one costs, or how many they are."""
    found = _PRICED.fullmatch(str(row.get(PRICE, "")))
    count = next((one for one in counts if one is not None), row.get(goods.quantity))
    if found is None or not isinstance(count, int) or not 0 < count <= MOST_PIECES:
        return None
    return Decimal(found[1]) * count
