"""Prose: how often our texts read as translated or old-fashioned, per 1,000 words and by area.

python bench/prose.py              the rates of this tree
python bench/prose.py DIR ...      the docstrings of other packages, to check that the patterns are fair
python bench/prose.py --list AREA  every hit of an area, with its place
"""

import ast
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import chain
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent

PATTERNS = r"""
# Words that documentation of today does not use, or not in this sense.
anew|(?<!look-)alike|upon|nought|thereof|therein|hereby|whence|lest|albeit|wherein|hence|whom|whoever
nobody|somebody|anybody|everybody|beside|dear|nearer|mend(?:s|ed|ing)?|spoken|on duty
stands?|stood|lies|lay|in vain|by rote|once more|for ever|as it were|as yet|to begin with|the like
so many|such a one|this very|nothing but|nothing of|none other|no other|of (?:its|their|his|her|one's) own
# Verbs that mean something else here.
(?:is|are|was|were|be|been|being|not) (?:told|held)(?! out)|told of|tells? of
(?:told|tells?) (?:\w+ ){0,3}apart
comes? (?:to|of|about)|came (?:to|of|about)|what (?:came|comes) of|go(?:es)? on|went on|leaves? it at that
lets? (?:it|him|them|her|nothing|this|that|one) be|holds? (?:to|against|good|still)|bears? (?:out|it)
rests? on|speaks? (?:of|for)|spoke of|makes? of it|made of words|passe[sd] over|(?:goes|went) by(?! way)
does without|words? (?:it|them|the customer)
# Negation by "no", relative clauses without a noun, inverted order.
(?<!there )(?:is|are|was|were|be) no(?! (?:longer|more|one|way|later|earlier|fewer|greater|worse|better))
(?:gives?|gets?|knows?|finds?|sees?|makes?|takes?) no(?! (?:longer|more|difference|arguments?|for|sense|time))
whatever (?:it|they|the|he|else|is|was|calls|comes)|all (?:that|it|they)(?= \w+)
what (?:is|was|are|were) (?:no|not|left|known|told|so|on|in|of|behind|there|meant|around|to)
by (?:which of|whom)|in (?:whose|what|its|their) (?:eyes|words)|in words|how far|(?:it|which|that) is so
"""
"""What is frequent in old-fashioned or translated prose and rare in today's documentation.

Checked against the docstrings of rich, typer, aiohttp, pytest and hypothesis: at most 0.3 there.
"""

IDIOMS = re.compile(
    rf"(?i)\b(?:{'|'.join(line for line in PATTERNS.strip().splitlines() if not line.startswith('#'))})\b"
)

QUOTED = ("/worlds/", "/language/", "/studies/", "/customer/", "/fake_provider/")
"""Folders whose strings are tables of words, prompts, or what customers, agents and other authors say."""
MADE = ("cases.md", "ladder-cases.md", "commands.md")
"""Pages that are printed from code and data."""
READINGS = ("labels.md",)
"""Pages that quote what readers of cases wrote."""

SENTENCE = re.compile(r"(?:[A-Za-z{}'’,;:.`-]+ ){3,}")
"""A string with a run of four words is one that somebody reads."""
PATTERN = re.compile(r"\(\?|\\[bsdw]|\|")
CODE = re.compile(r"(?s)```.*?```|`[^`]*`|\]\([^)]*\)")
MARKUP = re.compile(r"(?s)<style.*?</style>|<script.*?</script>|\{%.*?%\}|\{\{.*?\}\}|\{#.*?#\}|<[^>]*>")


class Text(NamedTuple):
    """A piece of prose and where it begins."""

    path: Path
    line: int
    words: str


class Rate(NamedTuple):
    """Idioms in an area."""

    idioms: int
    words: int

    @property
    def per_thousand(self) -> float:
        """The rate that is bounded."""
        return 1000 * self.idioms / max(1, self.words)


class Hit(NamedTuple):
    """One idiom and its line."""

    path: Path
    line: int
    phrase: str


@cache
def nodes(path: Path) -> list[ast.AST]:
    """A module's syntax, parsed and walked once."""
    return list(ast.walk(ast.parse(path.read_text("utf-8"))))


def docstrings(path: Path) -> Iterator[Text]:
    """Every string that is a statement: docstrings, and those under fields."""
    for node in nodes(path):
        match node:
            case ast.Expr(value=ast.Constant(value=str(words), lineno=line)):
                yield Text(path, line, words)


def sentences(path: Path) -> Iterator[Text]:
    """Every other string with at least four words: errors, help, reasons; no patterns."""
    inner = {
        id(part)
        for node in nodes(path)
        if isinstance(node, ast.Expr | ast.JoinedStr)
        for part in (node.values if isinstance(node, ast.JoinedStr) else [node.value])
    }
    for node in nodes(path):
        match node:
            case ast.Constant(value=str(words), lineno=line) if id(node) not in inner:
                pass
            case ast.JoinedStr(values=parts, lineno=line):
                words = "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in parts)
            case _:
                continue
        if SENTENCE.search(words) and not PATTERN.search(words):
            yield Text(path, line, words)


def page(path: Path) -> Iterator[Text]:
    """A page of Markdown or a template, without code and markup."""
    cut = MARKUP if path.suffix == ".html" else CODE
    words = cut.sub(lambda found: "\n" * found[0].count("\n") + " ", path.read_text("utf-8"))
    yield Text(path, 1, words)


def areas(root: Path) -> dict[str, list[Text]]:
    """The prose of a tree, by kind."""
    modules = sorted((root / "src").rglob("*.py"))
    ours = [path for path in modules if not any(part in path.as_posix() for part in QUOTED)]
    docs = [path for path in sorted((root / "docs").glob("*.md")) if path.name not in (*MADE, *READINGS)]
    decisions = sorted((root / "docs" / "decisions").glob("0*.md"))
    front = [path for name in ("README.md", "CONTRIBUTING.md") if (path := root / name).exists()]
    templates = sorted((root / "src").rglob("*.html"))
    return {
        "docstrings": list(chain.from_iterable(map(docstrings, modules))),
        "strings": list(chain.from_iterable(map(sentences, ours))),
        "docs": list(chain.from_iterable(map(page, docs))),
        "decisions": list(chain.from_iterable(map(page, decisions))),
        "front": list(chain.from_iterable(map(page, front))),
        "templates": list(chain.from_iterable(map(page, templates))),
    }


def rate(texts: list[Text]) -> Rate:
    """How many idioms there are, in how many words."""
    return Rate(sum(1 for _ in hits(texts)), sum(len(text.words.split()) for text in texts))


def hits(texts: Iterable[Text]) -> Iterator[Hit]:
    """Every idiom with its place. Line ends count as blanks."""
    for text in texts:
        for found in IDIOMS.finditer(re.sub(r"\s", " ", text.words)):
            yield Hit(text.path, text.line + text.words.count("\n", 0, found.start()), found[0])


def main() -> None:
    """Print rates or hits."""
    match sys.argv[1:]:
        case ["--list", area]:
            found = list(hits(areas(ROOT)[area]))
            for hit in found:
                print(f"{hit.path.relative_to(ROOT)}:{hit.line}: {hit.phrase}")
            for phrase, count in Counter(hit.phrase.lower() for hit in found).most_common(40):
                print(f"{count:5}  {phrase}")
        case []:
            for area, texts in areas(ROOT).items():
                print(f"{area:12} {rate(texts).per_thousand:5.1f}  of {rate(texts).words:,} words")
        case folders:
            for folder in folders:
                found_in = list(chain.from_iterable(map(docstrings, sorted(Path(folder).rglob("*.py")))))
                print(f"{folder}: {rate(found_in).per_thousand:.2f} of {rate(found_in).words:,} words")


if __name__ == "__main__":
    main()
