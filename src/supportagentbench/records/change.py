"""Change: one field of one row that a tool call changed, and when two changes are equivalent."""

import re
import unicodedata
from typing import Any

from supportagentbench.records.record import Record

_WORDS = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]|[^\W\u3040-\u30ff\u3400-\u9fff]+")
"""Words; in Japanese, which does not separate them, single characters."""

_ESSENTIAL = ("line", "variant", "quantity")
"""Of goods in any shop: where they belong, which they are, and how many."""


class Change(Record):
    """One field of one row, before and after."""

    table: str
    key: str
    field: str
    before: Any
    after: Any
    is_bookkeeping: bool = False
    """Whether no outcome names it, because it follows from other changes or is free text."""

    @property
    def place(self) -> tuple[str, str, str]:
        return self.table, self.key, self.field


def essence(value: Any) -> Any:
    """What matters of a value: of goods, which and how many; of text, the letters and digits.

    Two desks reach the same end when one of them wrote "12 Elm St." and the other "12 elm st".
    """
    if isinstance(value, str):
        return " ".join(_WORDS.findall(unicodedata.normalize("NFKC", value).casefold()))
    if isinstance(value, dict):
        keys = _ESSENTIAL if "line" in value else value
        return {key: essence(value.get(key)) for key in keys}
    if isinstance(value, list | tuple):
        return _gathered([essence(item) for item in value])
    return value


def _gathered(items: list[Any]) -> list[Any]:
    """Goods of the same line and variant taken together: one parcel of two is two parcels of one."""
    if not all(isinstance(item, dict) and item.keys() == set(_ESSENTIAL) for item in items):
        return items
    counts: dict[tuple[Any, Any], int] = {}
    for item in items:
        key = item["line"], item["variant"]
        counts[key] = counts.get(key, 0) + item["quantity"]
    return sorted([*key, count] for key, count in counts.items())
