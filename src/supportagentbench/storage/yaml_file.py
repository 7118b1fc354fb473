"""Document: a YAML file read into a record, with every fault named by file and line."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import yaml

from supportagentbench.records.problem import Problem

Kind = TypeVar("Kind")


class _Loader(yaml.CSafeLoader):
    """YAML without its surprises: `no` is a word and 2026-06-29 is text."""


_PLAIN = {"tag:yaml.org,2002:int", "tag:yaml.org,2002:float", "tag:yaml.org,2002:null"}
_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in found if tag in _PLAIN]
    for first, found in yaml.CSafeLoader.yaml_implicit_resolvers.items()
}
_Loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile(r"^(?:true|false)$"), list("tf"))


def read_document(path: Path, kind: type[Kind]) -> Kind:
    """The file as a `kind`, or a Problem that says what is wrong on which line."""
    root = _compose(path)
    try:
        content = _Loader("").construct_document(root)
    except yaml.YAMLError as error:
        raise _syntax_problem(path, error) from None
    try:
        return msgspec.convert(content, kind)
    except msgspec.ValidationError as error:
        sentence, _, where = str(error).partition(" - at `$")
        trail = where.rstrip("`")
        if unknown := re.search(r"unknown field `(\w+)`", sentence):
            trail += f".{unknown[1]}"
        spot = f" (at {trail.lstrip('.')})" if trail else ""
        raise Problem(
            f"{sentence}{spot}; `sab schema` prints what the file may hold.",
            place=path,
            line=line_of(root, trail),
        ) from None


def _compose(path: Path) -> yaml.Node:
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise Problem("there is no such file.", place=path) from None
    except UnicodeDecodeError:
        raise Problem("is not text; expected YAML in UTF-8.", place=path) from None
    except OSError as error:
        raise Problem(f"cannot be read ({error.strerror}).", place=path) from None
    try:
        root = yaml.compose(text, Loader=_Loader)
    except yaml.YAMLError as error:
        raise _syntax_problem(path, error) from None
    if root is None:
        raise Problem("is empty; `sab schema` prints what the file may hold.", place=path)
    for key in _repeated_keys(root):
        raise Problem(
            f"`{key.value}` stands twice in one mapping; keep one of them.",
            place=path,
            line=key.start_mark.line + 1,
        )
    found: yaml.Node = root
    return found


def _syntax_problem(path: Path, error: yaml.YAMLError) -> Problem:
    mark = getattr(error, "problem_mark", None)
    what = getattr(error, "problem", None) or getattr(error, "reason", None) or "cannot be read"
    line = mark.line + 1 if mark else None
    return Problem(f"is not well-formed YAML: {what}.", place=path, line=line)


def _repeated_keys(node: yaml.Node) -> Iterator[yaml.ScalarNode]:
    if isinstance(node, yaml.MappingNode):
        seen: set[str] = set()
        for key, value in node.value:
            if isinstance(key, yaml.ScalarNode):
                if key.value in seen:
                    yield key
                seen.add(key.value)
            yield from _repeated_keys(value)
    elif isinstance(node, yaml.SequenceNode):
        for item in node.value:
            yield from _repeated_keys(item)


def line_of(node: yaml.Node, trail: str) -> int:
    """The line at which a path such as `.cases[2].brief` stands, or its nearest parent's."""
    line: int = node.start_mark.line + 1
    for name, index in re.findall(r"\.([A-Za-z_]\w*)|\[(\d+)\]", trail):
        child = _child(node, name, index)
        if child is None:
            break
        node = child
        line = node.start_mark.line + 1
    return line


def _child(node: yaml.Node, name: str, index: str) -> yaml.Node | None:
    if name and isinstance(node, yaml.MappingNode):
        return next((value for key, value in node.value if key.value == name), None)
    if index and isinstance(node, yaml.SequenceNode) and int(index) < len(node.value):
        found: yaml.Node = node.value[int(index)]
        return found
    return None


def locate(path: Path, trail: str) -> int:
    """The line of a path inside a file that was already read without a fault."""
    return line_of(_compose(path), trail)


def schema_of(kind: Any, title: str) -> dict[str, Any]:
    """JSON Schema of a file's record, for editors."""
    schema = msgspec.json.schema(kind)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": title, **schema}
