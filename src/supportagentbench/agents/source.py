"""Source: the files of an agent's code, each with its digest; found by reading imports, without running them.

A file counts if the agent imports it, at its start or later, and it does not belong to Python, an installed
package or this one: their versions are known by other means.
"""

import ast
import sys
import sysconfig
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cache
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from typing import NamedTuple

from supportagentbench.records.problem import Problem
from supportagentbench.records.record import digest

PACKAGE = __name__.partition(".")[0]

INSTALLED = ("site-packages", "dist-packages")
"""Folders of installed packages."""

IMPORTERS = ("__import__", "import_module")
"""Functions that import a module by its name."""


class ModuleFile(NamedTuple):
    """A file that contains a module."""

    title: str
    """Its path among the agent's files, the same on every machine."""
    file: Path
    package: str
    """The package that its relative imports start from."""


def source_of(agent: str) -> dict[str, str]:
    """The files of an agent that is given as `package.module:Name` or `file.py:Name`, by title."""
    place = agent.rpartition(":")[0] or agent
    is_file, beside = place.endswith(".py"), [str(Path.cwd())]  # In the order in which its process searches.
    if is_file:
        beside.append(str(Path(place).resolve().parent))
    waiting = [ModuleFile(Path(place).name, Path(place), "")] if is_file else list(_files(place, beside))
    found: dict[str, str] = {}
    while waiting:
        module = waiting.pop()
        if module.title in found:
            continue
        data = _read(module.file)
        found[module.title] = digest(data)
        for name in _imports(data, module):
            waiting += _files(name, beside)
    return dict(sorted(found.items()))


def _read(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise Problem(f"the agent's source cannot be read: {error.strerror}.", place=file) from None


def _imports(data: bytes, module: ModuleFile) -> Iterator[str]:
    """The names of all modules that this one may import, now or later."""
    try:
        nodes = list(ast.walk(ast.parse(data))) if module.file.suffix == ".py" else []
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return  # Python cannot import it either.
    for node in nodes:
        match node:
            case ast.Import(names=names):
                yield from (one.name for one in names)
            case ast.ImportFrom(names=names):
                base = _base(node, module.package)
                yield from (f"{base}.{one.name}".strip(".") for one in names)
            case ast.Call(
                func=ast.Name(id=called) | ast.Attribute(attr=called), args=[ast.Constant(str(name)), *_]
            ) if called in IMPORTERS:
                yield name


def _base(node: ast.ImportFrom, package: str) -> str:
    """The module that names are imported from; dots go up from the module's package."""
    above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
    return ".".join([*above, *([node.module] if node.module else [])])


def _files(name: str, beside: Sequence[str]) -> Iterator[ModuleFile]:
    """The files of a module and the packages around it, if they are the agent's own."""
    if name.partition(".")[0] in {*sys.stdlib_module_names, PACKAGE}:
        return
    path: list[str] | None = None
    parts = name.split(".")
    for size in range(1, len(parts) + 1):
        spec = _spec(".".join(parts[:size]), path, beside)
        if spec is None:
            return
        is_package = spec.submodule_search_locations is not None
        if spec.has_location and spec.origin:
            file = Path(spec.origin)
            if not _is_own(file):
                return
            inner = parts[:size] if is_package else parts[: size - 1]
            yield ModuleFile("/".join([*inner, file.name]), file, ".".join(inner))
        if not is_package:
            return
        path = list(spec.submodule_search_locations or ())


def _spec(name: str, path: list[str] | None, beside: Sequence[str]) -> ModuleSpec | None:
    for finder in sys.meta_path:
        with suppress(Exception):  # An import hook of the user.
            if found := finder.find_spec(name, path, None):
                return found
    return PathFinder.find_spec(name, beside) if path is None and beside else None


def _is_own(file: Path) -> bool:
    place = file.resolve()
    if not place.is_file() or {*place.parts} & {*INSTALLED}:
        return False
    return not any(place.is_relative_to(folder) for folder in _python())


@cache
def _python() -> tuple[Path, ...]:
    """Where Python's own modules are."""
    return tuple(Path(sysconfig.get_path(one)).resolve() for one in ("stdlib", "platstdlib"))
