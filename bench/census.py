"""A census of the code: how large it is, how it is cut, and how it is named.

python bench/census.py               this tree
python bench/census.py OLD NEW ...   working trees side by side
"""

import ast
import sys
from collections import Counter
from pathlib import Path
from statistics import mean, median
from typing import NamedTuple

from house import other_heads
from prose import ROOT, areas, nodes, rate


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
    users: list[int]
    """Modules of the same tree that import each module; without packages and the command."""
    classes: list[str]
    other_heads: int
    """Modules whose docstring begins with another name than the file's."""
    idioms: dict[str, float]
    """By area, for every 1,000 words."""


def census(tree: Path) -> Census:
    """Count one working tree."""
    source = tree / "src"
    paths = sorted(source.rglob("*.py"))
    names = {module_name(path, source): path for path in paths}
    imports = {name: imported(nodes(path), set(names)) - {name} for name, path in names.items()}
    users = Counter(used for found in imports.values() for used in found)
    found = [node for path in paths for node in nodes(path)]
    functions = [node for node in found if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    return Census(
        modules=len(paths),
        lines=sum(len(path.read_text("utf-8").splitlines()) for path in paths),
        functions=[(node.end_lineno or node.lineno) - node.lineno + 1 for node in functions],
        annotated=mean(node.returns is not None for node in functions),
        fan_out=[len(found) for found in imports.values()],
        users=[users[name] for name, path in names.items() if path.stem != "__init__"],
        classes=[node.name for node in found if isinstance(node, ast.ClassDef)],
        other_heads=len(other_heads(source)),
        idioms={area: rate(texts).per_thousand for area, texts in areas(tree).items()},
    )


def module_name(path: Path, source: Path) -> str:
    """The name under which a file is imported."""
    parts = path.relative_to(source).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported(found: list[ast.AST], names: set[str]) -> set[str]:
    """The modules among these names that a module imports, at its head or later."""
    modules: set[str] = set()
    for node in found:
        if isinstance(node, ast.Import):
            modules |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            inner = {f"{node.module}.{alias.name}" for alias in node.names} & names
            modules |= inner or {node.module}
    return modules & names


def rows(found: Census) -> dict[str, str]:
    """The census as lines of a table."""
    lengths, shared = sorted(found.functions), Counter(found.classes)
    doubled = sum(count for count in shared.values() if count > 1)
    return {
        "modules / thousand lines": f"{found.modules} / {found.lines / 1000:.1f}",
        "functions": f"{len(lengths)}",
        "function median / p95 lines": f"{median(lengths):.0f} / {lengths[int(0.95 * len(lengths))]}",
        "functions > 50 / > 70 lines": f"{sum(n > 50 for n in lengths)} / {sum(n > 70 for n in lengths)}",
        "returns annotated": f"{found.annotated:.0%}",
        "fan-out mean / max": f"{mean(found.fan_out):.1f} / {max(found.fan_out)}",
        "modules with one user": f"{mean(n == 1 for n in found.users):.0%}",
        "classes": f"{len(found.classes)}",
        "classes sharing a name": f"{doubled / max(1, len(found.classes)):.0%}",
        "median class-name length": f"{median(map(len, found.classes)):.0f}",
        "docstrings that begin with another name": f"{found.other_heads}",
        **{f"idioms per 1,000 words: {area}": f"{share:.1f}" for area, share in found.idioms.items()},
    }


def main() -> None:
    """Print a table with a column for each tree."""
    trees = [Path(word) for word in sys.argv[1:]] or [ROOT]
    columns = [rows(census(tree)) for tree in trees]
    print(f"| | {' | '.join(map(str, trees))} |")
    print(f"|---|{'---|' * len(trees)}")
    for title in columns[0]:
        print(f"| {title} | {' | '.join(column[title] for column in columns)} |")


if __name__ == "__main__":
    main()
