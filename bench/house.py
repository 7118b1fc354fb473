"""House rules that no linter knows: a class name means one thing, a module says its own name, prose is plain.

`python bench/house.py` lists what breaks them and exits 1; `make check` runs it.
`python bench/prose.py --list AREA` shows where the idioms of an area are.
"""

import ast
import re
import sys
from collections import defaultdict
from pathlib import Path

from prose import ROOT, areas, nodes, rate

CODE = ("src", "studies")

BOUNDS = {"docstrings": 2.0, "strings": 2.0, "docs": 2.0, "decisions": 2.0, "front": 2.0, "templates": 2.0}
"""Idioms per 1,000 words that each area may have. Lower a bound when the rate falls; the aim is 2."""

OTHER_HEADS = 0
"""Modules whose docstring may begin with another name than the file's. Only ever lowered; the aim is 0."""

HEAD = re.compile(r"([A-Z][\w' -]{1,40}?): ")
"""How a docstring begins that names what its module is."""


def shared_names(*folders: Path) -> dict[str, list[str]]:
    """Class names that are defined more than once, with their places."""
    found: dict[str, list[str]] = defaultdict(list)
    for path in modules(*folders):
        for node in nodes(path):
            if isinstance(node, ast.ClassDef):
                found[node.name].append(f"{path}:{node.lineno}")
    return {name: places for name, places in found.items() if len(places) > 1}


def other_heads(*folders: Path) -> dict[Path, str]:
    """Modules whose docstring begins with a name, but without the words of the file's name."""
    heads = {
        path: head[1]
        for path in modules(*folders)
        if path.stem != "__init__" and (head := HEAD.match(docstring_of(path)))
    }
    return {path: head for path, head in heads.items() if not names(head, path.stem)}


def docstring_of(path: Path) -> str:
    """A module's docstring; empty without one."""
    module = nodes(path)[0]
    return (ast.get_docstring(module) or "") if isinstance(module, ast.Module) else ""


def names(head: str, stem: str) -> bool:
    """Whether a head has every word of a file's name, in the singular or the plural."""
    letters = re.sub(r"[^a-z0-9]", "", head.lower())
    return all(word.rstrip("s").removesuffix("y") in letters for word in stem.split("_"))


def modules(*folders: Path) -> list[Path]:
    """Every module in these folders."""
    return [path for folder in folders for path in sorted(folder.rglob("*.py"))]


def broken_rules() -> list[str]:
    """One sentence for each rule that is broken."""
    folders = [ROOT / folder for folder in CODE]
    broken = [
        f"{name} is the name of {len(places)} classes: {', '.join(places)}"
        for name, places in shared_names(*folders).items()
    ]
    heads = other_heads(*folders)
    if len(heads) > OTHER_HEADS:
        broken += [f"{path.relative_to(ROOT)}: its docstring begins {head!r}" for path, head in heads.items()]
    for area, texts in areas(ROOT).items():
        found = rate(texts).per_thousand
        if round(found, 1) > BOUNDS[area]:
            broken.append(
                f"{area}: {found:.1f} idioms per 1,000 words, at most {BOUNDS[area]} allowed; "
                f"see `python bench/prose.py --list {area}`"
            )
    return broken


def main() -> None:
    """List what breaks the rules; exit 1 if anything does."""
    broken = broken_rules()
    for sentence in broken:
        print(sentence)
    print(f"{len(broken)} house rules are broken.")
    if broken:
        sys.exit(1)


if __name__ == "__main__":
    main()
