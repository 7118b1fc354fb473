"""Plain text: what a person wrote in a message, without markup, quoted replies and signatures.

quotequail finds where a quoted reply begins; HTML is read by lxml as a stream of tags, because a tree of more
than 256 levels would lose the text below and say nothing. Nothing here takes longer than in proportion to the
length of a message, and a message has a bound.
"""

import re
from collections.abc import Mapping
from importlib import import_module
from types import ModuleType

from supportagentbench.records.problem import Problem

LARGEST_MESSAGE = 1_000_000
"""Characters of one message, with its markup."""
MOST_LINES = 10_000
"""Lines of one message, in each of which every way to introduce a quote is looked for."""
LONGEST_LINE_SEARCHED = 200
"""Characters of a line that may introduce a quote; longer lines are the writer's own words."""

_HIDDEN_TAGS = {"head", "script", "style", "template", "title", "noscript", "svg"}
_PARAGRAPHS = {"p", "ul", "ol", "table", "h1", "h2", "h3", "h4", "h5", "h6", "pre", "blockquote"}
_LINES = {"div", "li", "tr", "hr", "section", "article", "header", "footer", "address", "dt", "dd"}
_EMPTY_TAGS = {"br", "hr", "img", "input", "meta", "link", "wbr", "col", "area", "base", "embed", "source"}
_HIDING = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden|mso-hide\s*:\s*all", re.IGNORECASE)
_DEEPEST_QUOTE = 5

_LINE_ENDS = re.compile(r"\r\n?|[\u2028\u2029\x0b\x0c\x85]")
_CONTROLS = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x9f\ufeff\u200b]")
_DELIMITER = re.compile(r"^[>\s]{0,20}##-[^\n]{1,200}-##[ \t]*$", re.MULTILINE)
"""Zendesk's line above which an answer is to be written, in any language."""
_MAIL_MARK = re.compile(r"\b\d{1,2}[:.h]\d\d\b|\b(?:19|20)\d\d\b|@")
"""What a program writes before a quote, and people seldom do: a time, a year or an address."""
_HEADER = re.compile(
    r"\*?(?:from|sent|to|date|subject|von|gesendet|an|datum|de|envoyé|enviado|à|para|van|verzonden|från|da|od|от)"
    r"\*? ?:",
    re.IGNORECASE,
)
_HEADER_LINES = 3
_MOST_INTRODUCTIONS = 20
_SIGNATURE = re.compile(r"^(?:-- ?|—|_{2,10})$")
_LONGEST_SIGNATURE = 12
_MOBILE = re.compile(
    r"(?:sent from (?:my |yahoo|outlook|mail for|samsung)|get outlook for |sent via (?:the )?samsung"
    r"|von meinem .{2,30} gesendet|gesendet (?:von|mit) (?:meinem|outlook|der )|envoyé (?:de|depuis) mon "
    r"|enviado desde mi |enviado do meu |inviato da(?:l mio)? |verzonden vanaf mijn |skickat från min "
    r"|sendt fra min |wysłane z |отправлено с )[^\n:!?]{0,60}",
    re.IGNORECASE,
)


class MessageTooLarge(ValueError):
    """A message with more characters or lines than are read."""


def written(plain: str | None, html: str | None) -> str:
    """The writer's own words, from the plain text if there is any, otherwise from the HTML."""
    for words in (plain, html):
        if words and len(words) > LARGEST_MESSAGE:
            raise MessageTooLarge
    if plain and plain.strip():
        return own_words(tidy(plain))
    return own_words(html_to_text(html)) if html else ""


def exactly(plain: str | None) -> str:
    """The text as it is, where people do not quote or sign."""
    if plain and (len(plain) > LARGEST_MESSAGE or plain.count("\n") >= MOST_LINES):
        raise MessageTooLarge
    return tidy(plain or "").strip()


def tidy(text: str) -> str:
    """The text with one kind of line end and without control characters."""
    text = text.encode("utf-8", "replace").decode()
    text = _CONTROLS.sub("", _LINE_ENDS.sub("\n", text)).replace("\xa0", " ")
    lines = [line.rstrip() if line != "-- " else line for line in text.split("\n")]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip("\n")


def own_words(text: str) -> str:
    """The text without quoted replies and signatures; all of it, if nothing else would be left."""
    if text.count("\n") >= MOST_LINES:
        raise MessageTooLarge
    kept = _above_delimiter(text)
    kept = _unquoted(kept)
    kept = _unsigned(kept)
    return kept.strip() or text.strip()


def html_to_text(html: str) -> str:
    """The text that HTML shows: a line for each block, `- ` before items, `> ` before what is quoted."""
    if len(html) > LARGEST_MESSAGE:
        raise MessageTooLarge
    etree = _library("lxml.etree")
    html = html.encode("utf-8", "replace").decode().replace("\x00", "")
    if not html.strip():
        return ""
    parser = etree.HTMLParser(target=_Shown(), recover=True, no_network=True, remove_pis=True)
    try:
        parser.feed(html)
        return tidy(parser.close())
    except etree.LxmlError:  # Without a single tag or letter that could be read.
        return ""


class _Shown:
    """Collects what is shown while the tags of a message go by."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._line: list[str] = []
        self._open: list[tuple[str, bool]] = []
        """Tags that are open, and whether each hides its content."""
        self._hidden = self._quotes = self._quotes_before = self._fixed = 0
        self._has_gap = False
        """Whether a blank line comes before the next one."""

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        self._edge(tag)
        if tag == "br":
            self._end_line(is_forced=True)
        if tag not in _EMPTY_TAGS:
            hides = tag in _HIDDEN_TAGS or "hidden" in attributes
            hides = hides or _HIDING.search(attributes.get("style", "")) is not None
            self._open.append((tag, hides))
            self._hidden += hides
        self._fixed += tag == "pre"
        self._quotes += tag == "blockquote"
        if tag == "li":
            self._line.append("- ")
        elif tag in ("td", "th") and "".join(self._line).strip():
            self._line.append(" | ")

    def end(self, tag: str) -> None:
        if tag in _EMPTY_TAGS or not self._open:
            return
        self._edge(tag)
        _, hides = self._open.pop()
        self._hidden -= hides
        self._fixed -= tag == "pre"
        self._quotes -= tag == "blockquote"

    def data(self, text: str) -> None:
        if self._hidden:
            return
        if self._fixed:
            *whole, text = text.split("\n")
            for line in whole:
                self._line.append(line)
                self._end_line(is_forced=True)
        else:
            text = re.sub(r"[ \t\r\n\f]+", " ", text)
        self._line.append(text)

    def comment(self, text: str) -> None:
        """Comments are not shown."""

    def close(self) -> str:
        self._end_line()
        return "\n".join(self._lines)

    def _edge(self, tag: str) -> None:
        """A block begins or ends a line; a paragraph has a blank line before and after it."""
        if tag in _PARAGRAPHS or tag in _LINES:
            self._end_line()
            self._has_gap |= tag in _PARAGRAPHS

    def _end_line(self, *, is_forced: bool = False) -> None:
        """`is_forced`: also if there is nothing on it."""
        line = "".join(self._line)
        line = line.rstrip() if self._fixed else re.sub(r" {2,}", " ", line).strip(" ")
        self._line = []
        if not line:
            self._has_gap |= is_forced and bool(self._lines)
            return
        if self._has_gap and self._lines:
            self._lines.append("> " * min(self._quotes_before, self._quotes, _DEEPEST_QUOTE))
        self._lines.append("-- " if line == "--" else "> " * min(self._quotes, _DEEPEST_QUOTE) + line)
        self._has_gap, self._quotes_before = False, self._quotes


def _above_delimiter(text: str) -> str:
    """What is above Zendesk's line, if anything is."""
    found = _DELIMITER.search(text)
    if not found:
        return text
    return text[: found.start()] if text[: found.start()].strip("> \n") else _DELIMITER.sub("", text)


def _unquoted(text: str) -> str:
    """The text without what is quoted, and without the line that introduces it.

    An answer below or between quoted lines stays. Without marks before the lines, all below the introduction
    is quoted; a message that begins so is forwarded, and stays whole.
    """
    lines = text.split("\n")
    start, end = _introduction(lines)
    above = lines[:start]
    if not any(line.strip() for line in above) and not any(line.startswith(">") for line in lines[end:]):
        return text
    below = lines[end:]
    if start == len(lines):
        return "\n".join(_without_last_quote(lines))
    if any(line.startswith(">") for line in below):
        return "\n".join([*above, *(line for line in below if not line.startswith(">"))])
    return "\n".join(above)


def _introduction(lines: list[str]) -> tuple[int, int]:
    """From and to which line a quote is introduced; the number of lines, if none is."""
    # A long line, or one with many brackets, would take a time that grows with the cube of its length.
    seen = [
        line if len(line) <= LONGEST_LINE_SEARCHED and line.count("<") <= 2 else "(a long line)"
        for line in lines
    ]
    first = 0
    for _ in range(_MOST_INTRODUCTIONS):
        found = _next_introduction(seen, first)
        if found is None:
            break
        start, first = found
        below = [line for line in seen[first:] if line.strip()][:_HEADER_LINES]
        said = " ".join(seen[start:first])
        if _MAIL_MARK.search(said) or any(line.startswith(">") or _HEADER.match(line) for line in below):
            return start, first
    return len(lines), len(lines)


def _next_introduction(lines: list[str], first: int) -> tuple[int, int] | None:
    """From and to which line there may be an introduction; the writer may have used its words himself."""
    quotequail = _library("quotequail")
    left = lines[first:]
    found = quotequail.quote("\n".join(left), limit=len(left) + 2, quote_intro_line=True)
    if not left or len(found) == 1:
        return None
    start = len(lines) - found[1][1].count("\n") - 1
    rest = quotequail.quote("\n".join(lines[start:]), limit=len(left) + 2)
    return start, start + rest[0][1].count("\n") + 1


def _without_last_quote(lines: list[str]) -> list[str]:
    """The lines without a block of quoted ones at the end; all of them, if nothing is above."""
    last = len(lines)
    while last and (not lines[last - 1].strip() or lines[last - 1].startswith(">")):
        last -= 1
    return lines[:last] if last else lines


def _unsigned(text: str) -> str:
    """The text without a signature at its end, and without lines that a telephone adds."""
    lines = [line for line in text.split("\n") if not _MOBILE.fullmatch(line.strip())]
    for place in range(len(lines) - 1, 0, -1):
        if len([line for line in lines[place + 1 :] if line.strip()]) > _LONGEST_SIGNATURE:
            break
        if _SIGNATURE.match(lines[place]) and any(line.strip() for line in lines[:place]):
            return "\n".join(lines[:place])
    return "\n".join(lines)


def check_libraries() -> None:
    """A Problem that says what to install, if a library is missing."""
    _library("lxml.etree")
    _library("quotequail")


def _library(name: str) -> ModuleType:
    """A library of the extra `tickets`, or a Problem that says what to install."""
    try:
        return import_module(name)
    except ImportError:
        raise Problem(
            "Reading messages of a desk needs two more libraries; install them with "
            "`pip install 'supportagentbench[tickets]'`."
        ) from None
