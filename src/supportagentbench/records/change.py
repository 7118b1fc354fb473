"""Change: one field of one row that a tool call changed, and when two changes are equivalent."""

import re
import unicodedata
from collections import Counter
from typing import Any

from supportagentbench.records.record import Record

_WORDS = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]|[^\W\u3040-\u30ff\u3400-\u9fff]+")
"""Words; in Japanese, which does not separate them, single characters."""

Essentials = tuple[str, str, str]
"""The fields of a row of goods that matter: where it belongs, what it is, and how many."""


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


def essence(value: Any, essentials: Essentials | None = None) -> Any:
    """What matters of a value: of goods, which and how many; of text, the letters and digits.

    Two desks reach the same end when one of them wrote "12 Elm St." and the other "12 elm st".
    """
    if isinstance(value, str):
        return " ".join(_WORDS.findall(unicodedata.normalize("NFKC", value).casefold()))
    if isinstance(value, dict):
        keys = essentials if essentials and essentials[0] in value else value
        return {key: essence(value.get(key), essentials) for key in keys}
    if isinstance(value, list | tuple):
        items = [essence(item, essentials) for item in value]
        return _gathered(items, essentials) if essentials else items
    return value


def _gathered(items: list[Any], essentials: Essentials) -> list[Any]:
    """Goods of the same line taken together: one parcel of two is two parcels of one."""
    line, goods, quantity = essentials
    if not all(_is_goods(item, essentials) for item in items):
        return items
    counts: dict[tuple[Any, Any], int] = {}
    for item in items:
        key = item[line], item[goods]
        counts[key] = counts.get(key, 0) + item[quantity]
    return sorted(([*key, count] for key, count in counts.items()), key=repr)


def _is_goods(item: Any, essentials: Essentials) -> bool:
    """Whether this is a row of goods: names, and a number; an edited file may have anything in its place."""
    if not isinstance(item, dict) or item.keys() != set(essentials):
        return False
    line, goods, quantity = (item[field] for field in essentials)
    return isinstance(line, str | int) and isinstance(goods, str | int) and isinstance(quantity, int)


def pieces(value: Any, essentials: Essentials | None) -> Counter[Any]:
    """How many pieces of goods a value holds, by the line they belong to; empty if it holds no goods."""
    found: Counter[Any] = Counter()
    if essentials and isinstance(value, list | tuple):
        line, _, quantity = essentials
        for item in value:
            if (
                isinstance(item, dict)
                and isinstance(item.get(quantity), int)
                and isinstance(item.get(line), str | int)
            ):
                found[item[line]] += item[quantity]
    return found
