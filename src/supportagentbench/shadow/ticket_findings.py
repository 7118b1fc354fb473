"""Ticket findings: what the checks that need no label find in one side of one real ticket."""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from itertools import chain

from msgspec.structs import replace

from supportagentbench.checks import in_own_words
from supportagentbench.checks.claims import read_claims
from supportagentbench.checks.confirmation import read_confirmation
from supportagentbench.checks.evidence import smooth
from supportagentbench.checks.style import read_style
from supportagentbench.checks.times import WEEKDAYS, dates_in
from supportagentbench.records.desk_score import TicketFinding
from supportagentbench.records.finding import Finding
from supportagentbench.records.transcript import Transcript
from supportagentbench.shadow.check_sight import HIDDEN_QUOTE, CheckSight, TicketSight
from supportagentbench.shadow.mapped_desk import MappedDesk
from supportagentbench.shadow.ticket_sources import TicketSources, has_day
from supportagentbench.shadow.ticket_talk import TicketTalk
from supportagentbench.tickets.pseudonyms import HIDDEN

FEWEST_GOODBYES = 3
"""Goodbyes in a row that are a loop: in real chats both sides say goodbye twice out of politeness."""
LONGEST_SHOWN = 400
"""Characters of what is shown around a finding."""

Looked = Mapping[str, tuple[CheckSight, TicketFinding | None]]
"""By check, what it could see, and what it found."""


def findings_in(talk: TicketTalk, sight: TicketSight, desk: MappedDesk, checks: Iterable[str]) -> Looked:
    """What each of these checks could see in a talk, and what it found there."""
    found = {one.check: one for one in _found(talk, desk) if one.value and one.checked}
    looked: dict[str, tuple[CheckSight, TicketFinding | None]] = {}
    for check in checks:
        seen = sight.of(check)
        if seen.kind == "unseen" or check not in found:
            looked[check] = seen, None
            continue
        made = _shown(found[check], seen, talk)
        looked[check] = (CheckSight("to_check", made.doubt) if made.doubt else seen), made
    return looked


def _found(talk: TicketTalk, desk: MappedDesk) -> Iterator[Finding]:
    """Every finding of the house's checks that can be true of a real ticket."""
    transcript, header = talk.transcript, desk.header
    sources = TicketSources(talk, header)
    all_found = chain(
        read_claims(in_own_words(transcript), header, sources),
        read_style(transcript, header),
        read_confirmation(_only_calls(transcript, desk.agreed_to), header),
    )
    yield from filter(partial(_holds, talk=talk), all_found)


def _only_calls(transcript: Transcript, acts: frozenset[str]) -> Transcript:
    """The conversation with no calls but these."""
    turns = (
        replace(turn, calls=tuple(call for call in turn.calls if call.tool in acts))
        for turn in transcript.turns
    )
    return replace(transcript, turns=tuple(turns))


def _holds(finding: Finding, talk: TicketTalk) -> bool:
    """Whether a finding can be one in a real ticket."""
    if finding.check == "goodbye_loop":
        return len(finding.turns) >= FEWEST_GOODBYES
    if finding.check == "ungrounded_date" and not has_day(talk):  # Without today, only plain dates are dates.
        is_plain = bool(dates_in(finding.quote, talk.transcript.today or talk.transcript.today))
        return is_plain and not any(day in finding.quote for day in WEEKDAYS)
    return True


def _shown(finding: Finding, seen: CheckSight, talk: TicketTalk) -> TicketFinding:
    """A finding with the words around it."""
    turn = finding.turns[0] if finding.turns else 0
    place, message = _message(finding, turn, talk)
    asked = next((one.turn.text for one in reversed(talk.turns[:turn]) if one.turn.party == "customer"), "")
    said = _around(message, finding.quote)
    doubt = seen.why or (HIDDEN_QUOTE if HIDDEN in (finding.quote or said) else "")
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


def _around(text: str, quote: str) -> str:
    """The text, or as much of it as is shown, with the quote in it."""
    text = re.sub(r"\s+", " ", smooth(text)).strip()
    if len(text) <= LONGEST_SHOWN:
        return text
    at = max(0, text.find(re.sub(r"\s+", " ", quote))) if quote else 0
    start = min(max(0, at - LONGEST_SHOWN // 2), len(text) - LONGEST_SHOWN)
    cut = text[start : start + LONGEST_SHOWN]
    return f"{'… ' if start else ''}{cut}{' …' if start + LONGEST_SHOWN < len(text) else ''}"
