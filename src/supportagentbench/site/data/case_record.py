"""Case record: a case's record as a look-up showed it, in readable form for any set of fields."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from supportagentbench.site.naming import spaced

NOTHING = "none"
"""A field without content."""


class RecordField(NamedTuple):
    """One field of the record: its name and its content, one text per line."""

    name: str
    texts: tuple[str, ...]

    @property
    def is_empty(self) -> bool:
        return self.texts == (NOTHING,)


class RecordDifference(NamedTuple):
    """A field that differs between two records."""

    name: str
    here: str
    there: str


def differences(here: dict[str, Any], there: dict[str, Any]) -> list[RecordDifference]:
    """The fields of the first record that the second has with another content, and what differs in them."""
    return [
        RecordDifference(spaced(key), *("; ".join(_texts(one)) for one in _narrowed(value, there[key])))
        for key, value in here.items()
        if there.get(key, value) != value
    ]


def _narrowed(one: Any, other: Any) -> tuple[Any, Any]:
    """Two values without the parts in which they are equal."""
    if isinstance(one, dict) and isinstance(other, dict):
        keys = [key for key in {**one, **other} if one.get(key) != other.get(key)]
        return {key: one.get(key) for key in keys}, {key: other.get(key) for key in keys}
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        pairs = [_narrowed(*pair) for pair in zip(one, other, strict=True) if pair[0] != pair[1]]
        return [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    return one, other


def fields_of(record: dict[str, Any]) -> list[RecordField]:
    """The fields of this record."""
    return [RecordField(spaced(key), _texts(value)) for key, value in record.items()]


def names_in(record: dict[str, Any]) -> dict[str, str]:
    """The names of the things on this record, by every code that identifies one of them."""
    found: dict[str, str] = {}
    for item in _objects(record):
        if isinstance(name := item.get("name"), str):
            found |= {value: name for value in item.values() if isinstance(value, str) and value != name}
    return found


def one_line(value: Any) -> str:
    """Any value of a record on one line."""
    match value:
        case bool():
            return "yes" if value else "no"
        case list():
            return ", ".join(map(one_line, value)) or NOTHING
        case dict():
            known = ((name, part) for name, part in value.items() if part not in (None, "", [], {}))
            return ", ".join(f"{spaced(name)} {one_line(part)}" for name, part in known) or NOTHING
        case _:
            return NOTHING if value in (None, "") else str(value)


def _texts(value: Any) -> tuple[str, ...]:
    return tuple(map(_item, value)) if isinstance(value, list) and value else (one_line(value),)


def _item(value: Any) -> str:
    """An item of a list; its name comes first."""
    if not isinstance(value, dict) or not isinstance(name := value.get("name"), str):
        return one_line(value)
    return f"{name}: {one_line({key: part for key, part in value.items() if key != 'name'})}"


def _objects(value: Any) -> Iterator[dict[str, Any]]:
    """This value and everything within it that is a JSON object."""
    if isinstance(value, dict):
        yield value
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _objects(part)
