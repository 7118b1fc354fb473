"""Conduct: what an agent did, asked and told in one talk, whether or not that was right."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any

from supportagentbench.checks.actions import CallAtTurn, calls_of
from supportagentbench.checks.evidence import smooth
from supportagentbench.checks.grounding import amounts_in
from supportagentbench.checks.style import word_count
from supportagentbench.checks.times import DayRange, dates_in, spans_in
from supportagentbench.language.identify import language_of
from supportagentbench.language.reader import Reader, reader_of
from supportagentbench.records.replay import ClaimKind, ReplayTalk, TalkAct, TalkClaim, TalkCourse
from supportagentbench.records.run import Run
from supportagentbench.records.transcript import SpeechActs, Transcript, Turn
from supportagentbench.records.usage_total import bills
from supportagentbench.records.vocabulary import CLOSE_TICKET, HAND_OVER, Verb, Vocabulary
from supportagentbench.storage.transcripts import Filed

MOST_ACTS, MOST_CLAIMS, LONGEST_VALUE, LONGEST_QUOTE = 12, 20, 80, 200
"""Acts and claims of a talk that are kept; characters of an argument, and of the words that show a claim."""
READ = 5_000
"""Characters of a message in which claims are looked for."""
FEWEST_WORDS = 4
"""Words that show a language."""
_OPTIONAL, _PLACE = re.compile(r"\[([^\]]*)\]"), re.compile(r"\{(\w+)\}")
"""In the world's sentence for a call: a part that may be left out, and the place of an argument."""
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")


def conduct_of(filed: Filed, run: Run) -> ReplayTalk:
    """What the agent of this run did in a conversation."""
    transcript, vocabulary = filed.transcript, run.vocabulary
    reader, calls = reader_of(vocabulary), calls_of(transcript)
    made = [one for one in calls if one.call.tool in vocabulary.by_act and one.call.tool != CLOSE_TICKET]
    acts = tuple(_act(one, vocabulary) for one in made if _is_done(one))
    heard = list(_heard(transcript, reader))
    asked = tuple(dict.fromkeys(topic for one in heard for topic in one.asks))
    bill = next((one for one in bills(transcript) if one.role == "agent"), None)
    return ReplayTalk(
        agent=run.agent,
        run=run.run,
        transcript=filed.digest,
        course=_course(transcript, acts, heard),
        ending=transcript.ending.kind,
        cause=transcript.ending.cause or "",
        acts=acts[:MOST_ACTS],
        tried=tuple(_act(one, vocabulary) for one in made if not _is_done(one))[:MOST_ACTS],
        closed=any(one.call.tool == CLOSE_TICKET and _is_done(one) for one in calls),
        looked_up=_looked_up(calls, vocabulary),
        asked=asked,
        claims=tuple(_first_of_each(_claims(transcript, run, reader)))[:MOST_CLAIMS],
        messages=sum(turn.party == "agent" and bool(turn.text.strip()) for turn in transcript.turns),
        words=word_count(transcript),
        language=_language(transcript),
        cost=bill.cost if bill else 0.0,
    )


def _is_done(made: CallAtTurn) -> bool:
    return made.call.result.ok and not made.call.result.pending


def _act(made: CallAtTurn, vocabulary: Vocabulary) -> TalkAct:
    verb, given = vocabulary.by_act[made.call.tool], made.call.arguments
    told = dict.fromkeys((*([vocabulary.subject] if vocabulary.subject else []), *verb.names, verb.dollars))
    values = _values_of(given) if isinstance(given, dict) else {}
    names = {name: values[name] for name in told if name in values}
    return TalkAct(verb.act, _told(verb, vocabulary.told.get(verb.act, ""), values), names, made.turn)


def _values_of(given: dict[str, Any]) -> dict[str, str]:
    return {str(name): str(value)[:LONGEST_VALUE] for name, value in given.items()}


def _told(verb: Verb, sentence: str, values: Mapping[str, str]) -> str:
    """The call as the world's sentence for it; without one, or without an argument, the act's title."""
    sentence = _OPTIONAL.sub(lambda found: found[1] if _places(found[1]) <= values.keys() else "", sentence)
    if not sentence or not _places(sentence) <= values.keys():
        return verb.title[:1].upper() + verb.title[1:]
    return _PLACE.sub(lambda found: values[found[1]], sentence)


def _places(sentence: str) -> set[str]:
    return set(_PLACE.findall(sentence))


def _looked_up(calls: Iterable[CallAtTurn], vocabulary: Vocabulary) -> dict[str, bool]:
    """By look-up, whether any such call found something."""
    found: dict[str, bool] = {}
    for _, call in calls:
        if call.tool in vocabulary.lookups:
            found[call.tool] = found.get(call.tool, False) or (call.result.ok and bool(call.result.facts))
    return found


def _heard(transcript: Transcript, reader: Reader) -> Iterator[SpeechActs]:
    """What each message of the agent says to a customer: as this one heard it, if it was in its language."""
    turns = transcript.turns
    for at, turn in enumerate(turns):
        if turn.party != "agent":
            continue
        language = language_of(turn.text[:READ])
        answer = turns[at + 1].conduct if at + 1 < len(turns) and language == transcript.language else None
        yield answer.heard if answer else reader.heard(turn.text, language)


def _course(transcript: Transcript, acts: tuple[TalkAct, ...], heard: Sequence[SpeechActs]) -> TalkCourse:
    if transcript.ending.kind == "broke":
        return "broke"
    if any(one.act == HAND_OVER for one in acts):
        return "handed_over"
    if acts:
        return "acted"
    if not any(turn.party == "agent" and turn.text.strip() for turn in transcript.turns):
        return "silent"
    if any(one.refuses for one in heard):
        return "refused"
    return "asked" if heard and heard[-1].asks else "answered"


def _language(transcript: Transcript) -> str:
    text = "\n".join(turn.text for turn in transcript.turns if turn.party == "agent")[:READ]
    return language_of(text) if len(text.split(maxsplit=FEWEST_WORDS)) >= FEWEST_WORDS else ""


def _claims(transcript: Transcript, run: Run, reader: Reader) -> Iterator[TalkClaim]:
    """What the agent told: acts reported as done, states, and values that the customer had not named."""
    today, known = transcript.today or run.today, set[tuple[str, str]]()
    for at, turn in enumerate(transcript.turns):
        text = smooth(turn.text[:READ])
        if turn.party == "customer":
            known.update(_values(text, today))
        elif turn.party == "agent":
            yield from _reported(at, turn, reader)
            for sentence in _SENTENCE.split(text):
                for kind, what in _values(sentence, today) if not sentence.endswith("?") else ():
                    if (kind, what) not in known:
                        yield TalkClaim(kind, what, sentence.strip()[:LONGEST_QUOTE], at)


def _reported(at: int, turn: Turn, reader: Reader) -> Iterator[TalkClaim]:
    """Acts and states, which are read in English alone."""
    if language_of(turn.text[:READ]) != "en":
        return
    for said in reader.claims(turn.text[:READ]):
        if said.what and said.kind != "rules":
            kind: ClaimKind = "done" if said.kind == "done" else "state"
            yield TalkClaim(kind, said.what, (said.sentence or said.quote).strip()[:LONGEST_QUOTE], at)


def _values(text: str, today: date) -> Iterator[tuple[ClaimKind, str]]:
    """Dates, amounts and periods in one way of writing."""
    yield from (("date", f"{day:%Y-%m-%d}") for day in sorted(dates_in(text, today)))
    yield from (("money", f"{cents / 100:.2f}") for cents in sorted(amounts_in(text, today)))
    yield from (("period", _period(one)) for one in sorted(spans_in(text, today)))


def _period(span: DayRange) -> str:
    hours = span.high < 1
    low, high = (span.low * 24, span.high * 24) if hours else (span.low, span.high)
    figures = f"{low:g}" if low == high else f"{low:g}–{high:g}"
    unit = "hours" if hours else "days"
    return f"{figures} {'business ' if span.business else ''}{unit.rstrip('s') if figures == '1' else unit}"


def _first_of_each(claims: Iterable[TalkClaim]) -> Iterator[TalkClaim]:
    seen: set[tuple[str, str]] = set()
    for one in claims:
        if (one.kind, one.what) not in seen:
            seen.add((one.kind, one.what))
            yield one
