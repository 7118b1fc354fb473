"""Written: prose by a person or a model in a report. Figures and quotes are put in by code, and checked.

A file has a line `## Heading` before each part, and paragraphs of plain text below. It may begin with a
line `By: somebody`. What a figure says is `{{over_escalation}}`, or `{{adherence some-judge}}`; a quote is
`{{quote case run message "words"}}`, with messages as the reader counts them. Digits are written by nobody.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, NamedTuple

from supportagentbench.board.claims import COMPARES, unclaimed
from supportagentbench.records.claim import Claim
from supportagentbench.records.problem import Problem
from supportagentbench.site import number
from supportagentbench.site.agent_stats import AgentStats, all_agent_stats
from supportagentbench.site.data import SiteData
from supportagentbench.site.links import behind
from supportagentbench.site.prose import MOST_WORDS
from supportagentbench.site.quote import Cite, Quote, Said, checked

HEADINGS = {
    "verdict": "Verdict",
    "short": "The short version",
    "handover": "Resolution and handover",
    "policy": "Policy adherence",
    "safety": "Adversarial safety",
    "traps": "Which traps catch it",
    "tools": "Tool use and grounding",
    "experience": "Customer experience",
    "traits": "Strong and weak traits",
    "runs": "Stability across runs",
    "compared": "How it compares",
    "cost": "Cost and verbosity",
    "bottom": "Bottom line",
    "glance": "At a glance",
    "usecases": "Per use case",
    "quotes": "Quotes",
    "rules": "How this report is written",
}
"""The sections of a report, by their name in links."""

SHORTEST_QUOTE = 8
"""Letters that a quote has at least; less is in any message."""

_PLACEHOLDER = re.compile(r"\{\{(.*?)\}\}")
_QUOTE = re.compile(
    r'quote\s+(?P<case>[\w.-]+)\s+(?P<run>\d{1,4})\s+(?P<message>\d{1,4})\s+"(?P<words>.*)"', re.DOTALL
)


class Piece(NamedTuple):
    """Part of a paragraph: plain text, a figure, or a quote; the last two lead somewhere."""

    kind: Literal["text", "figure", "quote"]
    text: str
    link: str = ""


Words = tuple[Piece, ...]
"""A paragraph."""


class Prose(NamedTuple):
    """What somebody wrote about one entry, section by section."""

    by: str = ""
    sections: dict[str, tuple[Words, ...]] = {}

    def of(self, section: str) -> tuple[Words, ...]:
        return self.sections.get(section, ())


class Paragraph(NamedTuple):
    """Lines that belong together, and where they begin."""

    section: str
    line: int
    lines: list[str]


def read_folder(folder: Path, data: SiteData, said: Said) -> dict[str, Prose]:
    """All prose in a folder, by slug; a file about nobody on the board is a mistake."""
    known = {stats.slug: stats for stats in all_agent_stats(data, said)}
    found = {}
    for path in sorted(folder.glob("*.md")):
        if path.stem not in known:
            raise Problem(f"no entry is called so in links; known are {', '.join(known)}.", place=path)
        found[path.stem] = read_prose(path, known[path.stem], said)
    return found


def read_prose(path: Path, stats: AgentStats, said: Said) -> Prose:
    """The prose in a file, or a Problem that names the line."""
    return parse_prose(path.read_text(encoding="utf-8"), stats, said, path)


def parse_prose(text: str, stats: AgentStats, said: Said, place: Path | str) -> Prose:
    """The prose in a text; whatever is not borne out is a Problem."""
    by = ""
    sections: dict[str, list[Words]] = {}
    for paragraph in _paragraphs(text, place):
        first = paragraph.lines[0]
        if paragraph.line == 1 and not paragraph.section and first.startswith("By:"):
            by = first.removeprefix("By:").strip()
            continue
        if not paragraph.section:
            raise Problem("words before the first heading belong nowhere.", place=place, line=paragraph.line)
        pieces = _pieces(paragraph, stats, said, place)
        _check(paragraph, stats, place)
        sections.setdefault(paragraph.section, []).append(pieces)
    _check_length(sections.get("verdict", []), place)
    return Prose(by, {name: tuple(found) for name, found in sections.items()})


def _check_length(verdict: list[Words], place: Path | str) -> None:
    count = sum(len(piece.text.split()) for words in verdict for piece in words)
    if count > MOST_WORDS:
        raise Problem(f"the verdict has {count} words, and may have {MOST_WORDS}.", place=place)


def _paragraphs(text: str, place: Path | str) -> Iterator[Paragraph]:
    names = {title.casefold(): name for name, title in HEADINGS.items()}
    section, begun, lines = "", 0, list[str]()
    for at, line in enumerate([*text.splitlines(), ""], 1):
        heading = line.startswith("#")
        if lines and (heading or not line.strip()):
            yield Paragraph(section, begun, lines)
            lines = []
        if heading:
            title = line.lstrip("#").strip()
            if title.casefold() not in names:
                known = ", ".join(HEADINGS.values())
                raise Problem(f"no section is called {title!r}; known are {known}.", place=place, line=at)
            section = names[title.casefold()]
        elif line.strip():
            begun = begun if lines else at
            lines.append(line)


def _pieces(paragraph: Paragraph, stats: AgentStats, said: Said, place: Path | str) -> Words:
    found: list[Piece] = []
    for at, line in enumerate(paragraph.lines, paragraph.line):
        parts = _PLACEHOLDER.split(line)
        for number_of, part in enumerate(parts):
            if number_of % 2:
                found.append(_filled(part.strip(), stats, said, place, at))
            elif part.strip():
                found.append(Piece("text", part))
        found.append(Piece("text", " "))
    return tuple(found[:-1])


def _filled(words: str, stats: AgentStats, said: Said, place: Path | str, line: int) -> Piece:
    if match := _QUOTE.fullmatch(words):
        cite = Cite(stats.slug, match["case"], int(match["run"]), int(match["message"]) - 1)
        if len(match["words"]) < SHORTEST_QUOTE:
            raise Problem(f"a quote has at least {SHORTEST_QUOTE} letters.", place=place, line=line)
        try:
            checked(Quote(cite, match["words"], (False, False)), said)
        except Problem as problem:
            raise Problem(problem.sentence, place=place, line=line) from None
        return Piece("quote", match["words"], cite.link)
    metric, _, judge = words.partition(" ")
    estimate = stats.of(metric, judge.strip()) if not judge or stats.entry.of(metric, judge) else None
    if estimate is None:
        known = ", ".join(dict.fromkeys(one.metric for one in stats.entry.estimates))
        raise Problem(
            f"there is no figure {words!r} of this entry; known are {known}.", place=place, line=line
        )
    text = f"{number.value_text(estimate)} ({number.count_text(estimate)})"
    return Piece("figure", text, behind(metric, stats.slug))


def _check(paragraph: Paragraph, stats: AgentStats, place: Path | str) -> None:
    """No digit, no brace left over, and no comparison that no claim bears out."""
    board = stats.data.board
    held = [claim for claim in board.claims if claim.holds]
    own = [_PLACEHOLDER.sub(" that ", line) for line in paragraph.lines]
    for at, line in enumerate(own, paragraph.line):
        if "{{" in line or "}}" in line:
            raise Problem("a placeholder begins and ends on one line.", place=place, line=at)
    for at, line in enumerate(
        _without_names(own, held, [entry.name for entry in board.agents]), paragraph.line
    ):
        if digit := re.search(r"\d", line):
            raise Problem(
                f"the digit {digit[0]} is written by hand; put a figure in, such as {{{{resolution}}}}.",
                place=place,
                line=at,
            )
    for sentence in unclaimed("\n".join(own), held):
        word = COMPARES.search(sentence)
        assert word is not None
        at = next((at for at, line in enumerate(own) if word[0].casefold() in line.casefold()), 0)
        raise Problem(
            f"“{sentence}” compares ({word[0]}), and no claim bears it out; use a claim's own sentence.",
            place=place,
            line=paragraph.line + at,
        )


def _without_names(lines: list[str], claims: list[Claim], agents: list[str]) -> list[str]:
    """The lines without claims that hold and names of entries: those may have digits."""
    known = [re.escape(name) for name in sorted(agents, key=len, reverse=True)]
    said = [r"\s+".join(map(re.escape, claim.sentence.split())) for claim in claims]
    text = re.sub("|".join([*said, *known]), lambda match: "\n" * match[0].count("\n"), "\n".join(lines))
    return text.split("\n")
