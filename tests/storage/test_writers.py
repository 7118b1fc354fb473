"""No module but `storage/file.py` opens a file for writing, so no writer can forget to refuse a link."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import supportagentbench

PACKAGE = Path(supportagentbench.__file__).parent

ALLOWED = {
    ("storage/archive.py", "rename"): "a run is moved aside, to a place that `inside` gave",
    (
        "storage/repair.py",
        "rename",
    ): "a damaged file gets a free name in its folder; links were refused",
    ("site/draft_folder.py", "rename"): "whole folders that this program made, known by their mark",
    ("tickets/import_folder.py", "rename"): "a whole folder that this program made, known by its mark",
    ("tickets/review.py", "open"): "a folder, to lock it",
    ("board/export.py", "write_parquet"): "DuckDB writes by name, to a temporary folder",
    ("results/cache.py", "rename"): "moves what is dropped out of the way of readers",
    ("storage/mirror.py", "rename"): "whole folders that this program made, outside the user's own",
    ("storage/archive.py", "truncate"): "a file that `open_append` opened",
    ("concurrency/confinement.py", "open"): "the root folder, to name it to the kernel",
    ("concurrency/process_tree.py", "open"): "reads what the kernel says of a process",
    ("storage/jsonl.py", "truncate"): "a file that `open_append` opened",
    ("models/recording.py", "truncate"): "a file that `open_append` opened",
    ("terminal/served_desk.py", "fdopen"): "reads standard input",
    ("terminal/live_table.py", "truncate"): "a line on the terminal",
}
"""By module and call, why it may."""

WRITES = {
    *("write_bytes", "write_text", "touch", "symlink_to", "hardlink_to", "link_to", "rename", "renames"),
    *("truncate", "ftruncate", "mkstemp", "mktemp", "NamedTemporaryFile", "TemporaryFile"),
    *("copyfile", "copy2", "copytree", "copyfileobj", "move", "mkfifo", "write_parquet", "write_csv"),
    *("extractall", "sendfile", "savez", "savez_compressed", "tofile"),
}
"""Calls that write to a path, whatever they are called on."""

OPENERS = {"open", "fdopen", "FileIO"}


def called(call: ast.Call) -> str:
    match call.func:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case _:
            return ""


def is_of_os(call: ast.Call) -> bool:
    match call.func:
        case ast.Attribute(value=ast.Name(id="os" | "posix" | "shutil")):
            return True
        case _:
            return False


def modes(call: ast.Call) -> list[str]:
    """Words among the arguments that are a mode of opening."""
    first = 0 if isinstance(call.func, ast.Attribute) else 1
    given = [*call.args[first:], *(one.value for one in call.keywords if one.arg == "mode")]
    words = [one.value for one in given if isinstance(one, ast.Constant) and isinstance(one.value, str)]
    return [word for word in words if word and set(word) <= set("rwaxbt+")]


def is_write(call: ast.Call) -> bool:
    name = called(call)
    if name in WRITES:
        return True
    if name in OPENERS:
        return is_of_os(call) or any(set(mode) & set("wax+") for mode in modes(call))
    # `str.replace` takes two arguments, `Path.replace` one; records are replaced by keywords.
    return name == "replace" and (is_of_os(call) or (len(call.args) == 1 and not call.keywords))


def writes_in(source: str) -> Iterator[tuple[str, int]]:
    """The calls of a module that write to a path, with their lines."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and is_write(node):
            yield called(node), node.lineno


@pytest.mark.parametrize(
    "line",
    [
        'open("a", "w")',
        'open("a", mode="ab")',
        'path.open("wb", buffering=0)',
        'path.open("r+")',
        "path.write_bytes(data)",
        'path.write_text("a", encoding="utf-8")',
        "path.touch()",
        "draft.replace(path)",
        "os.replace(draft, path)",
        "path.rename(other)",
        "os.open(path, os.O_WRONLY)",
        'os.fdopen(number, "wb")',
        "shutil.copyfile(one, other)",
        "file.truncate(3)",
    ],
)
def test_a_write_is_noticed(line: str) -> None:
    assert list(writes_in(line))


@pytest.mark.parametrize(
    "line",
    [
        'text.replace("a", "b")',
        "replace(record, name=1)",
        'path.open("rb")',
        'open("a")',
        "agent.open(it)",
    ],
)
def test_what_is_no_write_is_let_be(line: str) -> None:
    assert not list(writes_in(line))


def test_no_other_module_writes_to_a_path() -> None:
    found = {
        (str(path.relative_to(PACKAGE)), name): line
        for path in sorted(PACKAGE.rglob("*.py"))
        if path != PACKAGE / "storage" / "file.py"
        for name, line in writes_in(path.read_text(encoding="utf-8"))
    }
    unknown = {f"{name}:{line} {call}" for (name, call), line in found.items() if (name, call) not in ALLOWED}
    assert not unknown, f"write through storage/file.py, or say here why not: {unknown}"


def test_every_exception_is_still_needed() -> None:
    for name, call in ALLOWED:
        assert call in {found for found, _ in writes_in((PACKAGE / name).read_text(encoding="utf-8"))}
