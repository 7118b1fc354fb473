"""The code of a world: checked before it is run, and loaded so that two worlds never interfere.

The check stops accidents, not attackers: a world's code runs with the user's permissions.
"""

import ast
import sys
from collections.abc import Iterable, Iterator
from importlib import import_module
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from traceback import extract_tb
from types import ModuleType
from typing import Any

from supportagentbench.records.problem import Problem
from supportagentbench.records.record import digest
from supportagentbench.storage.file import read_bounded
from supportagentbench.world.kit import Kit

SHIPPED = Path(__file__).parent.parent / "worlds"
"""The worlds that come with the package."""

MOST_BYTES = 1_000_000
"""Bytes of one file of code."""

STANDARD = (
    *("collections", "dataclasses", "datetime", "decimal", "enum", "functools", "itertools", "math"),
    *("random", "re", "string", "typing"),
)
ALLOWED = (
    *STANDARD,
    "msgspec",
    "supportagentbench.language",
    "supportagentbench.records",
    "supportagentbench.world.kit",
    "supportagentbench.worlds",
)
"""What world code may import, besides its own files."""

FORBIDDEN = {"__import__", "breakpoint", "compile", "eval", "exec", "globals", "input", "locals", "open"}


CACHE, COMPILED = "__pycache__", (".pyc", ".so", ".pyd")

OWN = ("self", "cls")
FIELDS = ("_replace", "_asdict", "_fields", "_make")
"""What begins with `_` and is for everybody: the methods of named tuples."""


class _Uncached(SourceFileLoader):
    """Runs the source itself: a compiled copy next to it could be of other code."""

    def path_stats(self, path: str) -> Any:
        raise OSError("there is no cache")


class _OwnFiles:
    """Finds the files next to `tools.py`, and nothing in folders, wherever these may lead."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def find_spec(self, name: str, target: ModuleType | None = None) -> ModuleSpec | None:
        place = self.folder / f"{name.rpartition('.')[2]}.py"
        return (
            spec_from_file_location(name, place, loader=_Uncached(name, str(place)))
            if place.is_file()
            else None
        )


def code_files(folder: Path) -> list[Path]:
    """The Python files of a world."""
    return sorted(folder.glob("*.py"))


def refuse_hidden_code(folder: Path, files: Iterable[Path]) -> None:
    """Refuse code that is neither checked nor in the digest: in a subfolder, or compiled.

    What Python keeps in `__pycache__` is never read, see `_Uncached`.
    """
    for path in files:
        if path.parent.name == CACHE:
            continue
        if path.suffix in COMPILED:
            raise Problem("is compiled code, which cannot be read; give its source instead.", place=path)
        if path.suffix == ".py" and path.parent != folder:
            raise Problem("is code in a subfolder of a world; put it next to tools.py.", place=path)


def read_kit(folder: Path) -> Kit:
    """The kit of the world in this folder."""
    place = folder / "tools.py"
    if not place.is_file():
        raise Problem("there is no such file; docs/add-a-world.md says what it has to give.", place=place)
    if folder.resolve().parent == SHIPPED.resolve():
        module = import_module(f"supportagentbench.worlds.{folder.name}.tools")
    else:
        for path in code_files(folder):
            check_code(path)
        module = _load(folder)
    kit = getattr(module, "KIT", None)
    if not isinstance(kit, Kit):
        raise Problem("has no `KIT = Kit(...)`.", place=place)
    for fault in kit.faults():
        raise Problem(f"{fault}.", place=place)
    return kit


def check_code(path: Path) -> None:
    """Refuse a file that imports or names things that no shop needs."""
    try:
        tree = ast.parse(read_bounded(path, MOST_BYTES, follow=True).decode())
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line = error.lineno if isinstance(error, SyntaxError) else None
        raise Problem(f"is not Python: {error or type(error).__name__}.", place=path, line=line) from None
    for line, fault in sorted(_faults(tree)):
        raise Problem(fault, place=path, line=line)


def _faults(tree: ast.AST) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                wanted = [name.name for name in names]
            case ast.ImportFrom(module=module, level=0):
                wanted = [module or ""]
            case ast.ImportFrom(level=level) if level > 1:
                wanted = ["." * level]
            case _:
                wanted = []
        line = getattr(node, "lineno", 0)
        for name in wanted:
            if not any(name == one or name.startswith(f"{one}.") for one in ALLOWED):
                known = ", ".join(ALLOWED)
                yield line, f"imports {name}; world code may import its own files, and {known}."
        if isinstance(node, ast.Name) and (node.id in FORBIDDEN or _is_dunder(node.id)):
            yield line, f"uses {node.id}; world code needs no more than rows, dates and numbers."
        if isinstance(node, ast.Attribute) and _is_behind(node):
            yield line, f"uses .{node.attr}; world code may not reach behind its objects."


def _is_behind(node: ast.Attribute) -> bool:
    """Whether it reaches for what an object keeps to itself, such as `random._os`."""
    is_own = isinstance(node.value, ast.Name) and node.value.id in OWN and not _is_dunder(node.attr)
    return node.attr.startswith("_") and not is_own and node.attr not in FIELDS


def _is_dunder(name: str) -> bool:
    return name.startswith("__") and name.endswith("__")


def _load(folder: Path) -> ModuleType:
    """`tools.py` as a module of a separate package, named after its content."""
    content = [(path.name, read_bounded(path, MOST_BYTES, follow=True)) for path in code_files(folder)]
    package = f"sab_world_{digest(content)}"
    if package not in sys.modules:
        parent = ModuleType(package)
        parent.__path__ = [str(folder)]
        sys.modules[package] = parent
    sys.path_importer_cache[str(folder)] = _OwnFiles(folder)
    try:
        return import_module(f"{package}.tools")
    except Exception as error:  # Any error in it is reported as the world's.
        _forget(package)
        place, line = _last_place(error, folder)
        what = f"cannot be loaded: {type(error).__name__}: {error}."
        raise Problem(what, place=place, line=line) from error


def _forget(package: str) -> None:
    for name in [one for one in sys.modules if one == package or one.startswith(f"{package}.")]:
        del sys.modules[name]


def _last_place(error: Exception, folder: Path) -> tuple[Path, int | None]:
    """The last line of the world's own code on the way to an error."""
    for frame in reversed(extract_tb(error.__traceback__)):
        if Path(frame.filename).parent == folder:
            return Path(frame.filename), frame.lineno
    return folder / "tools.py", None
