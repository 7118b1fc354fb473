"""YAML file: read into a record, with every fault reported with file and line.

The file may come from anyone, so anything expensive is refused before it is read: a file that is not an
ordinary one, too long, too deep, too large once its aliases are expanded, or a number that is too long.
"""

import re
from itertools import chain
from math import isfinite
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import yaml

from supportagentbench.records.problem import Problem
from supportagentbench.storage.file import read_bounded

Kind = TypeVar("Kind")


class _Loader(yaml.CSafeLoader):
    """YAML without its surprises: `no` is a word and 2026-06-29 is text."""


MOST_BYTES = 2_000_000
"""Bytes of a file; the largest that is shipped has 71,000."""
MOST_VALUES = 100_000
"""Values of a file, with every alias written out; 64 letters count as one more."""
LETTERS_PER_VALUE = 64
MOST_LEVELS = 64
SAFE_LEVELS = 3_000
"""Levels that the parser, which is C and recursive, surely survives."""
LONGEST_NUMBER = 18
"""Digits, so that it fits into 64 bits."""

_INT, _FLOAT, _TEXT = (f"tag:yaml.org,2002:{kind}" for kind in ("int", "float", "str"))
_PLAIN = {_INT, _FLOAT, "tag:yaml.org,2002:null"}
_TAGS = _PLAIN | {f"tag:yaml.org,2002:{kind}" for kind in ("bool", "map", "seq")} | {_TEXT}
"""What a value may be; a merge of mappings, for one, may double with every line."""
_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in found if tag in _PLAIN]
    for first, found in yaml.CSafeLoader.yaml_implicit_resolvers.items()
}
_Loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile(r"^(?:true|false)$"), list("tf"))


def read_document(path: Path, kind: type[Kind], over: Path | None = None) -> Kind:
    """The file as a `kind`, or a Problem that says what is wrong on which line.

    `over`: another file, whose values apply where this one has none.
    """
    return document_in(read_text(path), path, kind, over)


def read_text(path: Path) -> str:
    """The text of a file; a Problem if it is not text or too long."""
    try:
        return read_bounded(path, MOST_BYTES, follow=True).decode()
    except UnicodeDecodeError:
        raise Problem("is not text; expected UTF-8.", place=path) from None


def document_in(text: str, path: Path, kind: type[Kind], over: Path | None = None) -> Kind:
    """The YAML in this text, which begins on the first line of its file."""
    root = _compose(text, path)
    content = _content(path, root)
    if over is not None:
        content = _laid_over(_content(over, _compose(read_text(over), over)), content)
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


def _content(path: Path, root: yaml.Node) -> Any:
    try:
        return _Loader("").construct_document(root)
    except yaml.YAMLError as error:
        raise _syntax_problem(path, error) from None
    except ValueError as error:  # `!!int x`: a tag promises what the text does not hold.
        raise Problem(f"a value is not what its tag says ({error}); leave tags out.", place=path) from None


def _laid_over(below: Any, above: Any) -> Any:
    """Two mappings as one, and mappings in them as well; values of the first win and come first."""
    if not (isinstance(below, dict) and isinstance(above, dict)):
        return above
    return {
        name: _laid_over(below[name], value) if name in below else value for name, value in above.items()
    } | {name: value for name, value in below.items() if name not in above}


def _compose(text: str, path: Path) -> yaml.Node:
    try:
        _refuse_by_size(path, text)
        root = yaml.compose(text, Loader=_Loader)
    except yaml.YAMLError as error:
        raise _syntax_problem(path, error) from None
    if root is None:
        raise Problem("is empty; `sab schema` prints what the file may hold.", place=path)
    NodeCheck(path).size_of(root, 1)
    found: yaml.Node = root
    return found


def _refuse_by_size(path: Path, text: str) -> None:
    """Refuse what the parser would take too long for, or crash on."""
    if sum(map(text.count, ",:-?[{\n")) > MOST_VALUES:
        raise Problem(f"has more than {MOST_VALUES:,} values; split it.", place=path)
    # A level takes an opening bracket or a column. Few files get near, so few are gone through twice.
    possible = text.count("[") + text.count("{") + max(map(len, text.splitlines()), default=0)
    if possible <= SAFE_LEVELS:
        return
    level = 0
    for event in yaml.parse(text, Loader=_Loader):
        level += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if level > MOST_LEVELS:
            raise _too_deep(path, event.start_mark.line + 1)


def _too_deep(path: Path, line: int) -> Problem:
    return Problem(f"is nested more than {MOST_LEVELS} levels deep; make it flatter.", place=path, line=line)


class NodeCheck:
    """What is wrong with the nodes of one file, beyond syntax; every node is looked at once."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._sizes: dict[int, int] = {}
        """By a node's identity, how many values it is with every alias written out; 0: not known yet."""

    def size_of(self, node: yaml.Node, level: int) -> int:
        """Check a node and all below it; how many values they are."""
        if type(node) is yaml.ScalarNode:
            if node.tag != _TEXT:
                self._check_scalar(node)
            return 1 + len(node.value) // LETTERS_PER_VALUE
        size = self._sizes.get(id(node))
        if size is None:
            self._sizes[id(node)] = 0
            size = self._sizes[id(node)] = self._size_of_parts(node, level)
        elif not size:
            raise self._problem("an alias refers to itself; write it out", node)
        return size

    def _size_of_parts(self, node: yaml.Node, level: int) -> int:
        if level > MOST_LEVELS:
            raise _too_deep(self._path, node.start_mark.line + 1)
        self._check_tag(node)
        parts = node.value
        if isinstance(node, yaml.MappingNode):
            self._refuse_repeated(node)
            parts = chain.from_iterable(parts)
        size = 1
        for part in parts:
            size += self.size_of(part, level + 1)
        if size > MOST_VALUES:
            raise self._problem(f"is more than {MOST_VALUES:,} values with its aliases written out", node)
        return size

    def _check_tag(self, node: yaml.Node) -> None:
        if node.tag not in _TAGS:
            raise self._problem(f"has the tag {node.tag!r}; leave tags out", node)

    def _check_scalar(self, node: yaml.ScalarNode) -> None:
        self._check_tag(node)
        if node.tag == _INT and len(node.value) > LONGEST_NUMBER:
            raise self._problem(f"a number has more than {LONGEST_NUMBER} digits; write a smaller one", node)
        if node.tag == _FLOAT and (len(node.value) > LONGEST_NUMBER or not _is_finite(node.value)):
            raise self._problem("a number is too long or not finite; write a plain one", node)

    def _refuse_repeated(self, node: yaml.MappingNode) -> None:
        seen: set[str] = set()
        for key, _ in node.value:
            if isinstance(key, yaml.ScalarNode):
                if key.value in seen:
                    raise self._problem(f"duplicate key `{key.value}`; keep one of them", key)
                seen.add(key.value)

    def _problem(self, words: str, node: yaml.Node) -> Problem:
        return Problem(f"{words}.", place=self._path, line=node.start_mark.line + 1)


def _is_finite(number: str) -> bool:
    try:
        return isfinite(float(number.replace("_", "")))
    except ValueError:
        return ":" in number  # Base 60, as YAML 1.1 has it.


def _syntax_problem(path: Path, error: yaml.YAMLError) -> Problem:
    mark = getattr(error, "problem_mark", None)
    what = getattr(error, "problem", None) or getattr(error, "reason", None) or "cannot be read"
    line = mark.line + 1 if mark else None
    return Problem(f"is not well-formed YAML: {what}.", place=path, line=line)


def line_of(node: yaml.Node, trail: str) -> int:
    """The line of a path such as `.cases[2].brief`, or of its nearest parent."""
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
    return line_of(_compose(read_text(path), path), trail)


def locate_entry(path: Path, *keys: str) -> int:
    """The line of the entry under these keys, whatever they look like, or of its nearest parent."""
    node = _compose(read_text(path), path)
    line: int = node.start_mark.line + 1
    for key in keys:
        entries = node.value if isinstance(node, yaml.MappingNode) else ()
        found = next((entry for entry in entries if entry[0].value == key), None)
        if found is None:
            break
        line, node = found[0].start_mark.line + 1, found[1]
    return line


def schema_of(kind: Any, title: str) -> dict[str, Any]:
    """JSON Schema of a file's record, for editors."""
    schema = msgspec.json.schema(kind)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": title, **schema}
