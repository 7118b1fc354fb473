"""Column map: which column of a table holds what, and who is who, as the user types it.

`ticket=case_no,who=author,when=date,text=body,customer=client|buyer,human=clerk` names columns, and values of
the column `who`. For mail and desks without a field for it, `bot=` names the AI agent and `desk=` the desk.
"""

from datetime import tzinfo
from typing import Literal, NamedTuple, get_args
from zoneinfo import ZoneInfo

from supportagentbench.records.problem import Problem
from supportagentbench.records.ticket import Who

Column = Literal["ticket", "who", "when", "text", "act", "name", "email", "phone", "address", "number"]
COLUMNS: tuple[Column, ...] = get_args(Column)
WHO: tuple[Who, ...] = get_args(Who)
_OTHERS = ("desk", "dates", "zone")
_HELP = "write it like `ticket=case_no,who=author,text=body,customer=client,human=clerk`"


class ColumnMap(NamedTuple):
    """What the user said of a file's columns and people."""

    columns: dict[Column, str] = {}
    """The name of the column that holds this."""
    whom: dict[str, Who] = {}
    """By a mark of a person, in lower case: a value of `who`, a name, an address, an id."""
    desk: frozenset[str] = frozenset()
    """The desk's own addresses, in lower case."""
    dates: str = ""
    """How dates are written, such as `%d/%m/%Y %H:%M`; empty: ISO 8601 or seconds since 1970."""
    zone: tzinfo | None = None
    """Of dates that do not say theirs."""

    def who_is(self, *marks: str) -> Who | None:
        """Who a person is by what the user said of the name, address or id."""
        return next((self.whom[mark.lower()] for mark in marks if mark and mark.lower() in self.whom), None)


def column_map(words: str) -> ColumnMap:
    """What the user typed, or a Problem."""
    columns: dict[Column, str] = {}
    whom: dict[str, Who] = {}
    others: dict[str, str] = {}
    for pair in filter(None, (part.strip() for part in words.split(","))):
        name, sign, value = (part.strip() for part in pair.partition("="))
        if not sign or not value:
            raise Problem(f"{pair!r} in the column map has no name and value; {_HELP}.")
        if name in columns or name in others:
            raise Problem(f"{name!r} is in the column map twice; {_HELP}.")
        if name in COLUMNS:
            columns[name] = value
        elif name in WHO:
            whom |= _marks(value, name, whom)
        elif name in _OTHERS:
            others[name] = value
        else:
            known = ", ".join((*COLUMNS, *WHO, *_OTHERS))
            raise Problem(f"{name!r} in the column map is not one of {known}.")
    desk = frozenset(others.get("desk", "").lower().split("|")) - {""}
    return ColumnMap(columns, whom, desk, others.get("dates", ""), _zone(others.get("zone", "")))


def _marks(values: str, who: Who, known: dict[str, Who]) -> dict[str, Who]:
    """These values mean this one; a Problem if one means another already."""
    marks = [value.strip().lower() for value in values.split("|") if value.strip()]
    if twice := next((mark for mark in marks if known.get(mark, who) != who), None):
        raise Problem(f"{twice!r} is two people in the column map; name it once.")
    return dict.fromkeys(marks, who)


def _zone(name: str) -> tzinfo | None:
    try:
        return ZoneInfo(name) if name else None
    except (KeyError, ValueError, OSError):
        raise Problem(f"{name!r} is not a time zone; write it like `zone=Europe/Berlin`.") from None
