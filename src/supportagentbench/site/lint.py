"""Lint: checks finished pages: they may compare agents only where a tested claim supports it."""

import re
from collections.abc import Iterable
from html.parser import HTMLParser

from msgspec.structs import replace

from supportagentbench.board.claims import COMPARES, unclaimed
from supportagentbench.records.claim import Claim

BLOCKS = frozenset(
    (
        *("p", "li", "td", "th", "h1", "h2", "h3", "h4", "dt", "dd", "caption", "figcaption", "summary"),
        *("div", "section", "article", "tr", "title", "option", "text"),
    )
)
"""Elements that begin a new sentence."""

OTHERS = frozenset(("blockquote", "pre", "code", "script", "style"))
"""Elements that quote customers, agents or policies, or contain no prose."""

NEUTRAL = re.compile(
    r"(?i)\b(?:lower|higher) is better\b|\bno significant differences?\b"
    r"|\b(?:(?:second|third|fourth|fifth) )?(?:lowest|highest) (?:of \d+|with \w+ others?)\b"
    r"|\b(?:tie with|told from|tells (?:any of them|it) from|test against) the best\b"
    r"|\b(?:(?:second|third|fourth|fifth) )?(?:best|worst|cheapest|dearest) (?:of|with) "
    r"(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten)\b"
)
"""Fixed phrases with a comparing word that compare no agents, and ranks of values, which are counted."""

SIGNIFICANT = re.compile(r"(?i)\bsignificant\w*")
"""Words that explain or count tests, as long as the sentence names no agent."""

EMPTY = frozenset(
    ("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr")
)


NAME = "AGENT"
"""Replaces a name that contains a comparing word."""


class _Reader(HTMLParser):
    """Collects a page's own text; `data-quoted` marks text by others."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []
        self._quoted = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in EMPTY:
            return
        if self._quoted or tag in OTHERS or any(name == "data-quoted" for name, _ in attrs):
            self._quoted += 1
        elif tag in BLOCKS:
            self.said.append("\n\n")

    def handle_endtag(self, tag: str) -> None:
        if self._quoted and tag not in EMPTY:
            self._quoted -= 1
        elif tag in BLOCKS:
            self.said.append("\n\n")

    def handle_data(self, data: str) -> None:
        if not self._quoted:
            self.said.append(data)


def words_of(html: str) -> str:
    """A page's own text, one paragraph per block."""
    reader = _Reader()
    reader.feed(html)
    return "".join(reader.said)


def unsupported(html: str, claims: Iterable[Claim], names: Iterable[str]) -> list[str]:
    """Every sentence of a page that compares without a supporting claim; agents' names are ignored."""
    if not COMPARES.search(html):
        return []
    words = words_of(html)
    on_one_line = " ".join(words.split())
    holding = [claim for claim in claims if claim.holds and claim.sentence.removesuffix(".") in on_one_line]
    agents = list(names)
    for name in agents:
        if COMPARES.search(name):
            words = words.replace(name, NAME)
            holding = [_renamed(claim, name) for claim in holding]
    if not COMPARES.search(words):
        return []
    return [one for one in unclaimed(words, holding) if compares(one, [*agents, NAME])]


def compares(sentence: str, names: Iterable[str]) -> bool:
    """Whether a sentence compares agents rather than explaining or counting."""
    rest = NEUTRAL.sub("", sentence)
    if not any(name in rest for name in names):
        rest = SIGNIFICANT.sub("", rest)
    return COMPARES.search(rest) is not None


def _renamed(claim: Claim, name: str) -> Claim:
    return replace(claim, sentence=claim.sentence.replace(name, NAME))
