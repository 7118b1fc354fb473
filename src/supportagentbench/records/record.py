"""Record: the base of everything stored. Immutable, strict about unknown fields, hashed by content.

Records at the top of a file or a line carry a tag such as `transcript/2`, so a reader of
another version says so instead of guessing.
"""

import hashlib
from contextlib import suppress
from functools import cache
from typing import Any, TypeVar, dataclass_transform

import msgspec

from supportagentbench.records.secrets import without_secrets

Kind = TypeVar("Kind")


@dataclass_transform(frozen_default=True, field_specifiers=(msgspec.field,))
class _Frozen(msgspec.StructMeta):
    """Tells type checkers what msgspec does anyway: the children of a frozen struct are frozen."""


class Record(msgspec.Struct, metaclass=_Frozen, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A value: two records with the same content are the same record."""

    def __reduce__(self) -> tuple[Any, ...]:
        reduced: Any = super().__reduce__()
        return _unpickled, reduced


def _unpickled(kind: type[Record], values: tuple[Any, ...]) -> Record:
    """A record from another process, with this one's defaults: JSON leaves them out by identity."""
    if places := _defaults(kind):
        found = list(values)
        for place, default in places:
            if found[place] == default:
                found[place] = default
        return kind(*found)
    return kind(*values)


@cache
def _defaults(kind: type[Record]) -> tuple[tuple[int, Any], ...]:
    """The defaults of which a process may have several copies, by the field's place."""
    defaults = kind.__struct_defaults__
    first = len(kind.__struct_fields__) - len(defaults)
    copied = (str, float, tuple, Record)
    return tuple((first + at, one) for at, one in enumerate(defaults) if isinstance(one, copied))


def to_json(record: Any) -> bytes:
    """One line of JSON; the same content always gives the same bytes."""
    return msgspec.json.encode(record, order="deterministic")


def from_json(data: bytes, kind: type[Kind]) -> Kind:
    """The record that these bytes hold; raises msgspec.ValidationError or DecodeError, and nothing else."""
    try:
        return msgspec.json.decode(data, type=kind)
    except UnicodeDecodeError as error:
        raise msgspec.DecodeError(f"it is not UTF-8 (byte {_first_bad_byte(data, error)})") from None
    except RecursionError:
        raise msgspec.DecodeError("it is nested too deeply") from None


def _first_bad_byte(data: bytes, error: UnicodeDecodeError) -> int:
    """Counted in all of the data; what msgspec counts in is the one text that it was reading."""
    try:
        data.decode()
    except UnicodeDecodeError as found:
        return found.start
    return error.start


def read_back(record: Kind, kind: type[Kind]) -> Kind:
    """What a reader will find once this record is written; raises msgspec.MsgspecError if nothing."""
    try:
        written = to_json(record)
    except (TypeError, ValueError, OverflowError, RecursionError) as error:
        raise msgspec.ValidationError(f"it cannot be written as JSON: {error}") from None
    return from_json(written, kind)


def as_plain(content: Any) -> Any:
    """The same content as plain JSON values, as it would be read back."""
    return msgspec.json.decode(msgspec.json.encode(content))


def readable(text: str) -> str:
    """The text with secrets, and whatever cannot be written as UTF-8, replaced."""
    return without_secrets(text.encode("utf-8", "replace").decode())


def digest(content: Any) -> str:
    """A short name for this content: sixteen hex digits of its SHA-256.

    A record's is that of what a reader finds once it is written: 80 where its field has 80.0 is the same.
    """
    if isinstance(content, msgspec.Struct):
        with suppress(msgspec.MsgspecError):  # A record that cannot be read back is digested as it is.
            content = read_back(content, type(content))
    data = content if isinstance(content, bytes) else to_json(content)
    return hashlib.sha256(data).hexdigest()[:16]
