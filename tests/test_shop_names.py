"""The engine knows no shop: outside `worlds/` no string names a tool, table or field of a shipped shop.

What a check or a page needs to know of a shop is declared by its kit and travels in the header of a run.
Forbidden is, in any string that is not a docstring:

- the name of a tool anywhere, also within a text (`find_order order=#1101`);
- the name of a table, of a field of a row or of a look-up's record, or of a tool's argument, if it is the
  whole string: that is how code names a key, an attribute or a column.

Many of these are plain English, so three kinds of strings are allowed:

- a name that a record of the engine has as a field (`reason`, `name`), since that string cannot be traced to
  a shop; `records/view.py` and `records/vocabulary.py` excuse nothing: shops are declared in their terms;
- a single word in a room that never reads a tool's arguments or results (`WRITES_PAGES`): there it is a
  column, a CSS class or a key of somebody's API; names with an underscore count there, too;
- a word that means something else where it is used: `OTHER_MEANING`, by room.
"""

import ast
import dataclasses
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from typing import Any, get_args, get_type_hints

import msgspec
import pytest

import supportagentbench
from supportagentbench import records
from supportagentbench.records.transcript import Attachment
from supportagentbench.world.store import Store
from supportagentbench.worlds.northline.tools import KIT as NORTHLINE
from supportagentbench.worlds.northline_ladder.tools import KIT as LADDER

SOURCE = Path(supportagentbench.__file__).parent
KITS = (NORTHLINE, LADDER)
EXCUSE_NOTHING = ("ticket", "view", "vocabulary")
VIEWS = {"record", "journey", "shelf", "goods", "notes", "proof", "states", "arrival", "sending"}
"""What checks may need of any shop, in the engine's own terms: `Vocabulary.observable`."""

WRITES_PAGES = {"board", "cli", "live", "models", "site", "studies", "terminal"}
OTHER_MEANING = {
    "checks": {"by", "day", "percent", "stock"},  # English words that replies are searched for
    "concurrency": {"files"},  # the folder of a file system
    "customer": {"items", "what"},  # JSON Schema; the model's answer
    "desk": {"size", "code"},  # of arguments, in bytes; of a JSON-RPC error
    "judges": {"items"},  # JSON Schema
    "language": {"address", "link", "number", "quantity"},  # kinds of tokens
    "manifests": {"status"},  # of a condition of a pod
    "records": {"event", "status"},  # the tag of an event of a run; what a ticket system did
    "calibration": {"link"},  # a kind of value in texts
    "storage": {"size"},  # of a file, in bytes
    "world": {"day"},  # a placeholder of the desk's texts
}
"""By room, words that are also names of a shop and mean something else there. May only shrink."""

SHOP_ROOMS = {"worlds", "fake_provider", "tickets"}
"""The shops, the scripted clerk of one of them, who only stands in for a model, and the readers of other
desks' exports, whose fields have the names that those desks gave them."""

LEFT: dict[str, int] = {}
"""By room, how many names are still there. May only shrink."""


def tools_of_shops() -> set[str]:
    return {work.__name__ for kit in KITS for work in (*kit.lookups, *kit.writes)}


def names_of_shops() -> set[str]:
    """Tables, fields and arguments."""
    found: set[str] = set()
    every_desks = {one.name for one in dataclasses.fields(Store)}
    for kit in KITS:
        for work in (*kit.lookups, *kit.writes):
            for name, kind in get_type_hints(work).items():
                if isinstance(kind, type) and issubclass(kind, Store):
                    own = {
                        table: one for table, one in get_type_hints(kind).items() if table not in every_desks
                    }
                    found |= {*own, *fields_of(*own.values())}
                else:
                    found |= {*([] if name == "return" else [name]), *fields_of(kind)}
    return found


def fields_of(*kinds: Any) -> set[str]:
    """The fields of these records and of all that they hold."""
    found: set[str] = set()
    seen: set[Any] = {Attachment}
    waiting = list(kinds)
    while waiting:
        kind = waiting.pop()
        waiting += get_args(kind)
        if isinstance(kind, type) and issubclass(kind, msgspec.Struct) and kind not in seen:
            seen.add(kind)
            for field in msgspec.structs.fields(kind):
                found.add(field.name)
                waiting.append(field.type)
    return found


def names_of_the_engine() -> set[str]:
    found: set[str] = set()
    for module in walk_packages(records.__path__, f"{records.__name__}."):
        if module.name.rsplit(".", 1)[-1] not in EXCUSE_NOTHING:
            own = vars(import_module(module.name)).values()
            kinds = [one for one in own if isinstance(one, type) and issubclass(one, msgspec.Struct)]
            found |= {
                field.name
                for kind in kinds
                if kind.__module__ == module.name
                for field in msgspec.structs.fields(kind)
            }
    return found


TOOL = re.compile(rf"\b(?:{'|'.join(sorted(tools_of_shops()))})\b")
KEYS = names_of_shops() - names_of_the_engine() - VIEWS


def keys_in(room: str) -> set[str]:
    """The names that count in a room."""
    if room in WRITES_PAGES:
        return {name for name in KEYS if "_" in name}
    return KEYS - OTHER_MEANING.get(room, set())


def strings_in(path: Path) -> Iterator[ast.Constant]:
    """Every string constant that is not a docstring."""
    tree = ast.parse(path.read_text("utf-8"))
    prose = {one.value for one in ast.walk(tree) if isinstance(one, ast.Expr)}
    for one in ast.walk(tree):
        if isinstance(one, ast.Constant) and isinstance(one.value, str) and one not in prose:
            yield one


def shop_names_in(path: Path, room: str) -> Iterator[str]:
    keys = keys_in(room)
    for one in strings_in(path):
        if one.value in keys or TOOL.search(str(one.value)):
            yield f"{path.name}:{one.lineno} {one.value!r}"


def test_no_string_outside_the_worlds_names_a_tool_table_or_field_of_a_shop() -> None:
    rooms = [room for room in sorted(SOURCE.iterdir()) if room.is_dir() and room.name not in SHOP_ROOMS]
    found = {
        room.name: [name for path in sorted(room.rglob("*.py")) for name in shop_names_in(path, room.name)]
        for room in rooms
    }
    assert {room: len(names) for room, names in found.items() if names} == LEFT, found


@pytest.mark.parametrize("name", ["find_order", "edit_address"])
def test_tools_are_derived_from_the_kits(name: str) -> None:
    assert name in tools_of_shops()


@pytest.mark.parametrize(
    "name", ["parcels", "variant", "signed_by", "internal_notes", "line", "street", "status"]
)
def test_tables_fields_and_arguments_are_derived_from_the_kits(name: str) -> None:
    assert name in KEYS


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("row['variant']", 1),
        ("row.get('signed_by')", 1),
        ("print('Call find_order first.')", 1),
        ("PLACES = ('street', 'city')", 2),
        ("row['reason']", 0),
        ("'''Reads `find_order`.'''", 0),
        ("order = 'a variant of it'", 0),
    ],
)
def test_a_shop_name_is_found_where_code_uses_it(text: str, found: int, tmp_path: Path) -> None:
    path = tmp_path / "module.py"
    path.write_text(text)
    assert len(list(shop_names_in(path, "checks"))) == found
