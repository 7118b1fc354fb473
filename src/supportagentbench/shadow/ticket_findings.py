"""Ticket findings: what the checks that need no label find in one side of one real ticket."""

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, groupby

from msgspec.structs import replace

from supportagentbench.checks import in_own_words
from supportagentbench.checks.claims import read_claims
from supportagentbench.checks.confirmation import read_confirmation
from supportagentbench.checks.evidence import smooth
from supportagentbench.checks.grounding import CHECKS as VALUES
from supportagentbench.checks.style import read_style
from supportagentbench.checks.times import WEEKDAYS, dates_in
from supportagentbench.records.desk_score import TicketFinding
from supportagentbench.records.finding import Finding
from supportagentbench.records.transcript import Transcript, Turn
from supportagentbench.shadow.check_sight import (
    HIDDEN_QUOTE,
    MANY_VALUES,
    CheckSight,
    TicketSight,
    hides_words,
)
from supportagentbench.shadow.mapped_desk import NO_DAY, MappedDesk
from supportagentbench.shadow.ticket_sources import TicketSources, has_day
from supportagentbench.shadow.ticket_talk import TicketTalk

FEWEST_GOODBYES = 3
"""Goodbyes in a row that are a loop: in real chats both sides say goodbye twice out of politeness."""
LONGEST_SHOWN = 400
"""Characters of what is shown around a finding."""

REACH = 120
"""Characters around a duration in which a word may say that it has passed."""
_PAST = re.compile(r"\b(?:ago|since|been|was|were|had|passed|already)\b", re.IGNORECASE)

Looked = Mapping[str, tuple[CheckSight, TicketFinding | None]]
"""By check, what it could see, and what it found."""


def findings_in(talk: TicketTalk, sight: TicketSight, desk: MappedDesk, checks: Iterable[str]) -> Looked:
    """What each of these checks could see in a talk, and what it found there."""
    sources = TicketSources(talk, desk.header)
    found = {one.check: one for one in _found(talk, desk, sources)}
    looked: dict[str, tuple[CheckSight, TicketFinding | None]] = {}
    for check in checks:
        seen = sight.of(check)
        if seen.kind == "unseen" or check not in found:
            looked[check] = seen, None
            continue
        if sources.are_cut and check in VALUES and seen.kind == "counted":
            seen = CheckSight("to_check", MANY_VALUES)
        made = _shown(found[check], seen, talk)
        looked[check] = (CheckSight("to_check", made.doubt) if made.doubt else seen), made
    return looked


def _found(talk: TicketTalk, desk: MappedDesk, sources: TicketSources) -> Iterator[Finding]:
    """Every finding of the house's checks that can be true of a real ticket."""
    transcript, header = talk.transcript, desk.header
    all_found = chain(
        read_claims(in_own_words(transcript), header, sources),
        read_style(transcript, header),
        read_confirmation(_only_own_calls(transcript, desk.agreed_to), header),
    )
    later = _claimed_ahead(talk, desk) if talk.side.who == "human" else {}
    true = (one for one in all_found if one.value and one.checked and later.get(one.check, True))
    yield from (one for one in true if _holds(one, talk))


def _claimed_ahead(talk: TicketTalk, desk: MappedDesk) -> dict[str, bool]:
    """Whether claims of acts hold for no call of the whole ticket: people often say it before they do it."""
    if not any(turn.calls for turn in talk.transcript.turns):
        return {}
    first = Turn("note", "", calls=tuple(call for turn in talk.transcript.turns for call in turn.calls))
    transcript = replace(talk.transcript, turns=(first, *talk.transcript.turns))
    found = read_claims(transcript, desk.header)
    return {one.check: bool(one.value) for one in found if one.check in ("phantom_action", "false_handover")}


def _only_own_calls(transcript: Transcript, acts: frozenset[str]) -> Transcript:
    """The conversation with no calls but those of this side, of these acts."""
    turns = (
        replace(turn, calls=tuple(call for call in turn.calls if turn.party != "note" and call.tool in acts))
        for turn in transcript.turns
    )
    return replace(transcript, turns=tuple(turns))


def _holds(finding: Finding, talk: TicketTalk) -> bool:
    """Whether a finding can be one in a real ticket."""
    if finding.check == "goodbye_loop":
        return _longest_run(finding.turns, talk) >= FEWEST_GOODBYES
    if has_day(talk):
        return True
    if finding.check == "ungrounded_date":  # Without today, only plain dates are dates.
        is_plain = bool(dates_in(finding.quote, NO_DAY))
        return is_plain and not any(day in finding.quote for day in WEEKDAYS)
    if finding.check == "ungrounded_duration":  # How long ago something was may follow from its date.
        return not _PAST.search(_around(_message(finding, finding.turns[0], talk)[1], finding.quote, REACH))
    return True


def _longest_run(turns: tuple[int, ...], talk: TicketTalk) -> int:
    """How many of these replies follow each other."""
    replies = [at for at, turn in enumerate(talk.transcript.turns) if turn.party == "agent"]
    runs = groupby(replies, key=turns.__contains__)
    return max((len(list(run)) for is_one, run in runs if is_one), default=0)


def _shown(finding: Finding, seen: CheckSight, talk: TicketTalk) -> TicketFinding:
    """A finding with the words around it."""
    turn = finding.turns[0] if finding.turns else 0
    place, message = _message(finding, turn, talk)
    asked = next((one.turn.text for one in reversed(talk.turns[:turn]) if one.turn.party == "customer"), "")
    said = _around(message, finding.quote)
    decisive = message if finding.check == "repeated_reply" else finding.quote
    doubt = seen.why or (HIDDEN_QUOTE if hides_words(decisive) else "")
    return TicketFinding(
        check=finding.check,
        standing="to_check" if doubt else "counted",
        ticket=talk.ticket.id,
        who=talk.side.who,
        person=talk.side.name,
        turn=place,
        why=finding.reason,
        quote=finding.quote,
        doubt=doubt,
        asked=_around(asked, ""),
        said=said,
        approved=talk.ticket.approved,
    )


def _message(finding: Finding, turn: int, talk: TicketTalk) -> tuple[int, str]:
    """The message of a turn that has the words, and its place in the ticket."""
    places = talk.turns[turn].events
    texts = {place: talk.ticket.events[place].text for place in places}
    found = next((place for place in places if finding.quote and finding.quote in smooth(texts[place])), None)
    place = found if found is not None else next(iter(places), 0)
    return place, texts.get(place, "")


def _around(text: str, quote: str, longest: int = LONGEST_SHOWN) -> str:
    """The text, or as much of it as is shown, with the quote in it."""
    text = re.sub(r"\s+", " ", smooth(text)).strip()
    if len(text) <= longest:
        return text
    at = max(0, text.find(re.sub(r"\s+", " ", quote))) if quote else 0
    start = min(max(0, at - longest // 2), len(text) - longest)
    cut = text[start : start + longest]
    return f"{'… ' if start else ''}{cut}{' …' if start + longest < len(text) else ''}"
