"""Written prose: text by a person or a model in a report. Code inserts and checks figures and quotes.

A file begins with a line `By: name`. It has a line `## Heading` before each part, and paragraphs of plain
text below. A figure is inserted as `{{over_escalation}}` or `{{adherence some-judge}}`, a quote as
`{{quote case run message "words"}}`, with messages as the reader counts them. Text must not contain digits.
"""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, NamedTuple

from supportagentbench.board.claims import COMPARES, unclaimed
from supportagentbench.records.claim import Claim
from supportagentbench.records.problem import Problem
from supportagentbench.site import number
from supportagentbench.site.answers.prose.summary import MOST_WORDS
from supportagentbench.site.board_words import board_mark, is_benchmark
from supportagentbench.site.data.agent_stats import AgentStats, all_agent_stats
from supportagentbench.site.data.links import behind
from supportagentbench.site.data.quote import Cite, Quote, Said, checked
from supportagentbench.site.data.site_data import SiteData
from supportagentbench.storage.file import LARGEST_WRITTEN, read_bounded

HEADINGS = {
    "verdict": "Verdict",
    "short": "The short version",
    "handover": "Resolution and handover",
    "policy": "Policy adherence",
    "safety": "Adversarial safety",
    "traps": "Unsafe actions by trap",
    "tools": "Tool use and grounding",
    "experience": "Customer experience",
    "traits": "Strengths and weaknesses",
    "runs": "Stability across runs",
    "compared": "How it compares",
    "cost": "Cost and verbosity",
    "bottom": "Bottom line",
    "glance": "At a glance",
    "usecases": "By case type",
    "rules": "How this report is written",
}
"""The sections of a report, by their name in links."""

BY = "By:"
"""How the first line of a file begins, with its author."""

SHORTEST_QUOTE = 8
"""The fewest characters of a quote; shorter ones would match any message."""

_PLACEHOLDER = re.compile(r"\{\{((?:(?!\{\{|\}\}).)*)\}\}")
"""Without another beginning in it: a line of beginnings is then read once, and not once for each."""

_QUOTE = re.compile(
    r'quote\s+(?P<case>[\w.-]+)\s+(?P<run>\d{1,4})\s+(?P<message>\d{1,4})\s+"(?P<words>.*)"', re.DOTALL
)


class Piece(NamedTuple):
    """Part of a paragraph: plain text, a figure or a quote; the last two have a link."""

    kind: Literal["text", "figure", "quote"]
    text: str
    link: str = ""
    label: str = ""
    """What a figure counts, for readers who do not see where it is."""


Words = tuple[Piece, ...]
"""A paragraph."""


class Prose(NamedTuple):
    """What a person or model wrote about one agent, section by section."""

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
    """All text in a folder, by slug; a file about an agent that is not on the board is a Problem."""
    known = {stats.slug: stats for stats in all_agent_stats(data, said)}
    found = {}
    for path in sorted(folder.glob("*.md")):
        if path.stem not in known:
            raise Problem(f"no agent has this file name; use one of {', '.join(known)}.", place=path)
        found[path.stem] = read_prose(path, known[path.stem], said)
    return found


def read_prose(path: Path, stats: AgentStats, said: Said) -> Prose:
    """The text in a file, or a Problem that names the line."""
    data = read_bounded(path, LARGEST_WRITTEN)
    try:
        return parse_prose(data.decode(), stats, said, path)
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise Problem("is not UTF-8; save it as UTF-8.", place=path, line=line) from None


def parse_prose(text: str, stats: AgentStats, said: Said, place: Path | str) -> Prose:
    """The checked text; anything unsupported is a Problem."""
    by = _author(text, place)
    sections: dict[str, list[Words]] = {}
    for paragraph in _paragraphs(text, place):
        if paragraph.line == 1 and len(paragraph.lines) == 1:
            continue
        if not paragraph.section:
            raise Problem(
                "there is text before the first heading; put it below one.", place=place, line=paragraph.line
            )
        pieces = _pieces(paragraph, stats, said, place)
        _check(paragraph, stats, place)
        sections.setdefault(paragraph.section, []).append(pieces)
    _check_length(sections.get("verdict", []), place)
    return Prose(by, {name: tuple(found) for name, found in sections.items()})


def authors_in(folder: Path) -> Counter[str]:
    """Who wrote the text in a folder, with the number of files."""
    texts = (read_bounded(path, LARGEST_WRITTEN).decode(errors="replace") for path in folder.glob("*.md"))
    return Counter(_first_line(text).removeprefix(BY).strip() for text in texts)


def _author(text: str, place: Path | str) -> str:
    """Who wrote a text; a Problem if it does not say so, or names the benchmark."""
    first = _first_line(text)
    by = first.removeprefix(BY).strip()
    if not first.startswith(BY) or not by:
        raise Problem(f"does not say who wrote it; begin with a line `{BY} name`.", place=place, line=1)
    if is_benchmark(by) or board_mark(by):
        raise Problem(f"is not by {by!r}, which only the board says; name its author.", place=place, line=1)
    return by


def _first_line(text: str) -> str:
    return text.partition("\n")[0]


def _check_length(verdict: list[Words], place: Path | str) -> None:
    count = sum(len(piece.text.split()) for words in verdict for piece in words)
    if count > MOST_WORDS:
        raise Problem(f"the verdict has {count} words; at most {MOST_WORDS} are allowed.", place=place)


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
                raise Problem(f"there is no section {title!r}; use one of {known}.", place=place, line=at)
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
            raise Problem(f"a quote needs at least {SHORTEST_QUOTE} characters.", place=place, line=line)
        if stats.data.in_danger(cite.case):
            words = "describe it instead: pages fold what is said where a person may be in danger."
            raise Problem(f"a quote from {cite.case} cannot be folded; {words}", place=place, line=line)
        try:
            checked(Quote(cite, match["words"], (False, False)), said)
        except Problem as problem:
            raise Problem(problem.sentence, place=place, line=line) from None
        return Piece("quote", match["words"], cite.link)
    metric, _, judge = words.partition(" ")
    estimate = stats.of(metric, judge.strip()) if not judge or stats.results.of(metric, judge) else None
    if estimate is None:
        known = ", ".join(dict.fromkeys(one.metric for one in stats.results.estimates))
        raise Problem(f"this agent has no figure {words!r}; use one of {known}.", place=place, line=line)
    text = f"{number.value_text(estimate)} ({number.count_text(estimate)})"
    link = behind(metric, stats.slug, judge=estimate.judge)
    return Piece("figure", text, link, stats.figure(metric, judge.strip()).label)


def _check(paragraph: Paragraph, stats: AgentStats, place: Path | str) -> None:
    """No digit, no leftover brace, and no comparison without a claim that supports it."""
    board = stats.data.board
    held = [claim for claim in board.claims if claim.holds]
    own = [_PLACEHOLDER.sub(" that ", line) for line in paragraph.lines]
    for at, line in enumerate(own, paragraph.line):
        if "{{" in line or "}}" in line:
            raise Problem("a placeholder has to begin and end on one line.", place=place, line=at)
    for at, line in enumerate(
        _without_names(own, held, [agent.name for agent in board.agents]), paragraph.line
    ):
        if digit := re.search(r"\d", line):
            raise Problem(
                f"the digit {digit[0]} is written by hand; use a figure such as {{{{resolution}}}}.",
                place=place,
                line=at,
            )
    for sentence in unclaimed("\n".join(own), held):
        word = COMPARES.search(sentence)
        assert word is not None
        at = next((at for at, line in enumerate(own) if word[0].casefold() in line.casefold()), 0)
        raise Problem(
            f"“{sentence}” compares ({word[0]}), but no claim supports it; use a claim's own sentence.",
            place=place,
            line=paragraph.line + at,
        )


def _without_names(lines: list[str], claims: list[Claim], agents: list[str]) -> list[str]:
    """The lines without claims that hold and agents' names: those may contain digits."""
    known = [re.escape(name) for name in sorted(agents, key=len, reverse=True)]
    said = [r"\s+".join(map(re.escape, claim.sentence.split())) for claim in claims]
    text = re.sub("|".join([*said, *known]), lambda match: "\n" * match[0].count("\n"), "\n".join(lines))
    return text.split("\n")
