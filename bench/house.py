"""House rules that no linter knows: a class name means one thing, and the prose is plain modern English.

`python bench/house.py` lists what breaks them and exits 1; `make check` runs it.
`--rooms` only counts by folder.
"""

import ast
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
CODE = ("src", "studies", "testing")
PROSE = (*CODE, "docs", "README.md", "CONTRIBUTING.md")
SUFFIXES = (".py", ".md", ".html", ".js")
QUOTED = ("docs/cases", "docs/labels.md", "/worlds/")
"""What customers, cases and readers say there is quoted."""

PHRASES: dict[str, str] = {
    r"(?:less|more) is good": "lower is better, higher is better",
    r"on duty|Duty done": "ranked; handled correctly",
    r"in (?:the|this judge's|its) eyes(?: of)?": "according to",
    r"(?:told|tells?|telling) (?:\w+ ){0,2}apart": "significantly different; distinguish",
    r"anew": "again, re-, from the start",
    r"stands? (?:under|in the place of|for nothing|beside|at the head)": "is below, replaces, is next to",
    r"(?:is|are|was|were|be|being) held(?! out)(?: again| anew| yet| now)?": "runs, is run, is retried",
    r"(?:holds?|held|rows) (?:against|in the order of)": "compare with, sort by",
    r"(?:goes|go|going|went) on (?:where|from|with)": "resumes, continues",
    r"so many": "this number of, as many",
    r"not told|is told here": "undecided, not reported",
    r"passe[sd] over": "skipped",
    r"passe[sd] on (?:what|most)|human must see": "escalated",
    r"what it could have solved": "solvable",
    r"beside that": "also",
    r"found against": "had no issues",
    r"grave flags?": "serious issue",
    r"forbidden acts?": "unsafe action, policy violation",
    r"fired (?:a|no) trap|traps? fired": "took an unsafe action",
    r"worse disposed": "in a worse mood",
    r"next by the rule": "runner-up",
    r"for the least money": "at the lowest price",
    r"human cases?": "escalation",
    r"how it is told": "how we compare",
    r"to begin with": "start here",
    r"for nothing": "free",
    r"lets? nothing be": "is blocked",
    r"as it must": "correctly",
    r"what is right here": "correct handling",
    r"none seen is": "say the positive",
    r"no proof of": "does not mean",
    r"rests? on": "is based on",
    r"cannot tell (?:\w+ )*apart": "no significant difference",
    r"be mended|mend(?: it| that)?|mended": "fix",
    r"(?:calls|dollars|tokens|rows?|lines?|one|files?) an? (?:conversation|call|1,000|entry|run|case)": "per",
    r"no doing of": "not caused by",
    r"nobody's business": "hidden",
}
"""What reads as translated or old-fashioned, and what to write in its place."""

BLANKS = r"[\s#*>]+"
"""Between two words of a phrase: blanks, a line's end and the next comment's sign."""

PATTERNS = {
    re.compile(rf"(?i)\b(?:{phrase.replace(' ', BLANKS)})\b"): instead for phrase, instead in PHRASES.items()
}


class Hit(NamedTuple):
    """A phrase in a file."""

    path: Path
    line: int
    words: str
    instead: str

    @property
    def room(self) -> str:
        """The folder whose owner sees to it."""
        parts = self.path.relative_to(ROOT).parts
        return "/".join(parts[1:3]) if parts[0] == "src" and len(parts) > 3 else parts[0]


def shared_names(*folders: Path) -> dict[str, list[str]]:
    """Class names that are defined more than once, with their places."""
    found: dict[str, list[str]] = defaultdict(list)
    for folder in folders:
        for path in sorted(folder.rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if isinstance(node, ast.ClassDef):
                    found[node.name].append(f"{path}:{node.lineno}")
    return {name: places for name, places in found.items() if len(places) > 1}


def phrases() -> Iterator[Hit]:
    """Every phrase of the list in code and docs."""
    for path in prose_files():
        text = path.read_text("utf-8")
        for start, words, instead in phrases_in(text):
            yield Hit(path, text.count("\n", 0, start) + 1, words, instead)


def phrases_in(text: str) -> Iterator[tuple[int, str, str]]:
    """Where a text has a phrase of the list, and what to write. Underscores count as blanks."""
    text = text.replace("_", " ")
    for pattern, instead in PATTERNS.items():
        for match in pattern.finditer(text):
            yield match.start(), " ".join(match[0].split()), instead


def prose_files() -> Iterator[Path]:
    """All files whose words are ours."""
    for name in PROSE:
        place = ROOT / name
        for path in [place] if place.is_file() else sorted(place.rglob("*")):
            shown = path.relative_to(ROOT).as_posix()
            if path.suffix in SUFFIXES and not any(quoted in shown for quoted in QUOTED):
                yield path


def main() -> None:
    """List what breaks the rules; exit 1 if anything does."""
    shared, hits = shared_names(*(ROOT / folder for folder in CODE)), list(phrases())
    for name, places in shared.items():
        print(f"{name} is the name of {len(places)} classes: {', '.join(places)}")
    if "--rooms" in sys.argv:
        for room, count in Counter(hit.room for hit in hits).most_common():
            print(f"{count:5}  {room}")
    else:
        for hit in hits:
            print(f"{hit.path.relative_to(ROOT)}:{hit.line}: {hit.words!r}; write: {hit.instead}")
    print(f"{len(shared)} class names are shared, {len(hits)} phrases are old-fashioned.")
    if shared or hits:
        sys.exit(1)


if __name__ == "__main__":
    main()
