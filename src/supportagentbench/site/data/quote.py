"""Quote: words, calls and issue of a turn, with their place; a quote that is not exact is a Problem."""

from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import NamedTuple

from supportagentbench.records.name import is_id
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import to_json
from supportagentbench.records.transcript import ToolCall, Turn
from supportagentbench.records.vocabulary import TICKET_ACTS
from supportagentbench.site.data.bundle import bundle_path, read_bundle
from supportagentbench.site.data.issue import ISSUES, IssueKind
from supportagentbench.site.data.moment import IssueMoment
from supportagentbench.site.data.site_data import Excerpt, SiteData
from supportagentbench.site.naming import where

LONGEST = 280
"""The most characters quoted from a message; the rest is one click away."""

LONGEST_CALL = 150
"""The most characters of a call's arguments, and of its result."""

SHOWN_CALLS = 2
"""Calls that are quoted with arguments and result; for the others only the names."""


class Cite(NamedTuple):
    """The place of a turn."""

    slug: str
    """The agent's name in links."""
    case: str
    run: int
    turn: int

    @property
    def message(self) -> int:
        """The turn's number in the reader, from 1."""
        return self.turn + 1

    @property
    def link(self) -> str:
        """The reader, open at this message."""
        return where("reader.html", case=self.case, a=self.slug, run=self.run, m=f"am{self.message}")

    def __str__(self) -> str:
        return f"message {self.message} of {self.case}, run {self.run}, by {self.slug}"


Said = Callable[[Cite], Turn | None]
"""Looks up a turn in the record; None: there is no such turn, or it is not available."""


class CalledQuote(NamedTuple):
    """A call as recorded."""

    tool: str
    arguments: str
    result: str
    ok: bool
    wrote: bool


class Quote(NamedTuple):
    """What was said and done in one turn, and the issue found in it."""

    cite: Cite
    words: str
    is_cut: tuple[bool, bool]
    """Whether the message continues before and after these words."""
    calls: tuple[CalledQuote, ...] = ()
    other_calls: tuple[str, ...] = ()
    issue: IssueKind | None = None
    reason: str = ""


def in_excerpts(
    excerpts: Iterable[Excerpt], slugs: dict[str, str], moments: Iterable[IssueMoment] = ()
) -> Said:
    """Turns that were kept when the record was read."""
    found: dict[Cite, Turn] = {}
    for moment in moments:
        if moment.exchange and moment.agent in slugs:
            place = slugs[moment.agent], moment.case, moment.run
            heard_at, heard, said_at, said = moment.exchange
            found |= {Cite(*place, heard_at): heard, Cite(*place, said_at): said}
    for one in excerpts:
        found[Cite(slugs[one.agent], one.case, one.run, one.turn)] = one.words
    return found.get


def kept_words(data: SiteData) -> Said:
    """Turns of these agents that were kept when the record was read."""
    moments = (moment for evidence in data.evidence.values() for moment in evidence.moments)
    return in_excerpts(data.excerpts, data.slugs, moments)


def in_bundles(folder: Path) -> Said:
    """Turns of all conversations in a folder of pages."""

    @cache
    def runs(case: str, slug: str) -> dict[int, tuple[Turn, ...]]:
        path = folder / bundle_path(case, slug)
        if not is_id(case) or not path.is_file():
            return {}
        return {conversation.run: conversation.transcript.turns for conversation in read_bundle(path).runs}

    def said(cite: Cite) -> Turn | None:
        turns = runs(cite.case, cite.slug).get(cite.run, ())
        return turns[cite.turn] if 0 <= cite.turn < len(turns) else None

    return said


def quote_of(excerpt: Excerpt, slug: str) -> Quote:
    """An excerpt cut to what the issue is about."""
    words, is_cut = cut(excerpt.words.text, excerpt.quote)
    told = sorted(excerpt.words.calls, key=lambda call: not (call.result.wrote or not call.result.ok))
    shown = [call for call in told if call.result.wrote or not call.result.ok or _ends(call)][:SHOWN_CALLS]
    return Quote(
        cite=Cite(slug, excerpt.case, excerpt.run, excerpt.turn),
        words=words,
        is_cut=is_cut,
        calls=tuple(map(_called, shown)),
        other_calls=tuple(call.tool for call in excerpt.words.calls if call not in shown),
        issue=ISSUES[excerpt.check],
        reason=excerpt.reason,
    )


def _ends(call: ToolCall) -> bool:
    """Whether a call ends the conversation, which need not change the books."""
    return call.tool in TICKET_ACTS


def _called(call: ToolCall) -> CalledQuote:
    return CalledQuote(
        tool=call.tool,
        arguments=to_json(call.arguments).decode()[:LONGEST_CALL],
        result=call.result.text[:LONGEST_CALL],
        ok=call.result.ok,
        wrote=call.result.wrote,
    )


def cut(text: str, quote: str = "", longest: int = LONGEST) -> tuple[str, tuple[bool, bool]]:
    """Part of a message, whole words, around a quote; and whether it continues at either end."""
    if len(text) <= longest:
        return text, (False, False)
    at = max(0, text.find(quote))
    start = max(0, min(at - longest // 3, len(text) - longest))
    end = min(len(text), start + longest)
    if start and not text[start - 1].isspace():
        later = next((place for place in range(start, at) if text[place].isspace()), None)
        start = text.rfind(" ", 0, start) + 1 if later is None else later + 1
    if end < len(text) and (space := text.rfind(" ", at, end)) > start:
        end = space
    return text[start:end], (start > 0, end < len(text))


def checked(quote: Quote, said: Said) -> Quote:
    """The quote itself, if the cited turn contains all of it."""
    turn = said(quote.cite)
    if turn is None:
        raise Problem(f"{quote.cite} is quoted, but there is no such message.")
    if quote.words not in turn.text:
        raise Problem(f"“{quote.words}” is quoted from {quote.cite}, but is not there word for word.")
    for call in quote.calls:
        if not any(_is_from(call, made) for made in turn.calls):
            raise Problem(
                f"the call {call.tool}({call.arguments}) is quoted from {quote.cite}, but was not made."
            )
    return quote


def _is_from(call: CalledQuote, made: ToolCall) -> bool:
    return (
        call.tool == made.tool
        and to_json(made.arguments).decode().startswith(call.arguments)
        and made.result.text.startswith(call.result)
        and (call.ok, call.wrote) == (made.result.ok, made.result.wrote)
    )
