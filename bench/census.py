"""A census of the code: how large it is, how it is cut, and how it is named.

python bench/census.py src            one tree
python bench/census.py OLD_SRC src    two trees side by side
"""

import ast
import re
import sys
from collections import Counter
from pathlib import Path
from statistics import mean, median
from typing import NamedTuple

IDIOMS = re.compile(
    r"(?i)\b(?:stands?|stood|lies|lay|anew|so many|(?:told|tells?) apart|whoever|whatever it"
    r"|(?:is|are|was) held"
    r"|holds? (?:to|against|good)|goes on|went on|on duty|in the eyes of|not told|is told|are told|comes to"
    r"|mend(?:s|ed)?|nobody|somebody|as it were|thereof|of its own accord|let(?:s)? (?:him|it|them) be|beside"
    r"|such as are|no doing|hence|alike|upon|for ever|at the head|nought|talks?)\b"
)
"""Words that come often in old-fashioned or translated prose and seldom in today's documentation."""


class Census(NamedTuple):
    """What was counted in one tree."""

    modules: int
    lines: int
    functions: list[int]
    """Lines of each."""
    annotated: float
    """Share of functions whose return type is written down."""
    fan_out: list[int]
    """Modules of the same tree that each module imports."""
    classes: list[str]
    idioms: float
    """For every 1,000 words of docstrings."""


def census(source: Path) -> Census:
    """Count one tree."""
    paths = sorted(source.rglob("*.py"))
    trees = {path: ast.parse(path.read_text("utf-8")) for path in paths}
    names = {module_name(path, source) for path in paths}
    nodes = [node for tree in trees.values() for node in ast.walk(tree)]
    functions = [node for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    words = " ".join(text for tree in trees.values() for text in docstrings(tree))
    return Census(
        modules=len(paths),
        lines=sum(len(path.read_text("utf-8").splitlines()) for path in paths),
        functions=[(node.end_lineno or node.lineno) - node.lineno + 1 for node in functions],
        annotated=mean(node.returns is not None for node in functions),
        fan_out=[len(imported(tree, names)) for tree in trees.values()],
        classes=[node.name for node in nodes if isinstance(node, ast.ClassDef)],
        idioms=1000 * len(IDIOMS.findall(words)) / max(1, len(words.split())),
    )


def module_name(path: Path, source: Path) -> str:
    """The name under which a file is imported."""
    parts = path.relative_to(source).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported(tree: ast.Module, names: set[str]) -> set[str]:
    """The modules among these names that a module imports, at its head or later."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            inner = {f"{node.module}.{alias.name}" for alias in node.names} & names
            found |= inner or {node.module}
    return found & names


def docstrings(tree: ast.Module) -> list[str]:
    """Every text that is a statement of its own: docstrings, and those under fields."""
    return [
        node.value.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    ]


def rows(found: Census) -> dict[str, str]:
    """The census in words."""
    lengths, shared = sorted(found.functions), Counter(found.classes)
    doubled = sum(count for count in shared.values() if count > 1)
    return {
        "modules / thousand lines": f"{found.modules} / {found.lines / 1000:.1f}",
        "functions": f"{len(lengths)}",
        "function median / p95 lines": f"{median(lengths):.0f} / {lengths[int(0.95 * len(lengths))]}",
        "functions > 50 / > 70 lines": f"{sum(n > 50 for n in lengths)} / {sum(n > 70 for n in lengths)}",
        "returns annotated": f"{found.annotated:.0%}",
        "fan-out mean / max": f"{mean(found.fan_out):.1f} / {max(found.fan_out)}",
        "classes": f"{len(found.classes)}",
        "classes sharing a name": f"{doubled / max(1, len(found.classes)):.0%}",
        "median class-name length": f"{median(map(len, found.classes)):.0f}",
        "antique idioms per 1,000 docstring words": f"{found.idioms:.1f}",
    }


def main() -> None:
    """Print a table with a column for each tree."""
    sources = [Path(word) for word in sys.argv[1:]] or [Path(__file__).parent.parent / "src"]
    columns = [rows(census(source)) for source in sources]
    print(f"| | {' | '.join(map(str, sources))} |")
    print(f"|---|{'---|' * len(sources)}")
    for title in columns[0]:
        print(f"| {title} | {' | '.join(column[title] for column in columns)} |")


if __name__ == "__main__":
    main()
