"""Replay job: openings of real tickets, and how the agents that received them differ."""

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from itertools import combinations

from msgspec.structs import replace

from supportagentbench.jobs.job import Job
from supportagentbench.jobs.spec import JobSpec
from supportagentbench.jobs.tickets import filed_talks
from supportagentbench.records.counts import counted
from supportagentbench.records.record import to_json
from supportagentbench.records.replay import MOST_BYTES, SHOWN, Replay, ReplayedTicket, ReplayTalk
from supportagentbench.records.transcript import ToolCall, ToolResult, Transcript, Turn
from supportagentbench.records.version import __version__
from supportagentbench.records.vocabulary import Vocabulary
from supportagentbench.shadow.conduct import conduct_of
from supportagentbench.shadow.contrast import compared, titles_of
from supportagentbench.shadow.opening_cases import OpeningCase, OpeningCases
from supportagentbench.tickets.import_folder import read_header as read_import_header
from supportagentbench.tickets.pseudonyms import UNREAD

LONGEST_SHOWN, LONGEST_RESULT, MOST_CALLS = 4_000, 2_000, 20
"""Characters of a message and of a tool's result, and calls of a turn, that a record shows."""
CUT = " […cut]"
UNLABELLED = "Unlabelled: it is not known what is right in these tickets; agents are only compared."
NO_BOOKS = (
    "The books hold none of these orders: look-ups find nothing, and what agents would find is unknown. "
    "A map with the tickets' facts makes them (--map)."
)


def replay_of(spec: JobSpec, job: Job) -> Replay:
    """The agents side by side, from the runs that are stored in the job's folder."""
    cases, chosen = job.cases, planned_openings(job)
    assert isinstance(cases, OpeningCases) and spec.tickets
    vocabulary = cases.world.vocabulary
    talks: dict[str, list[ReplayTalk]] = {}
    for header, filed in filed_talks(spec.out, cases):
        talks.setdefault(filed.transcript.case, []).append(conduct_of(filed, header))
    order = [one.shown for one in job.spec.agent_specs()]
    played = (cases.openings[name] for name in chosen if name in talks)
    found = (_ticket(one, talks[one.ticket], order, vocabulary) for one in played)
    ranked = sorted(found, key=lambda one: -one.score)
    source = read_import_header(spec.tickets.folder)
    return Replay(
        world=cases.world.name,
        world_digest=cases.world.digest,
        shop=cases.world.desk.shop,
        source=source.source,
        tickets=cases.tickets,
        unapproved=sum(not cases.openings[name].approved for name in chosen),
        left_out=dict(cases.left_out.most_common()),
        agents=tuple(order),
        planned=len(chosen),
        replayed=tuple(_with_turns(ranked, spec, cases)),
        customer=spec.customer,
        cases=cases.seed.name,
        package=__version__,
        notes=tuple(notes_on(cases, chosen)),
        titles=titles_of(vocabulary),
    )


def planned_openings(job: Job) -> tuple[str, ...]:
    """The tickets whose openings the job sends."""
    return job.spec.chosen or job.cases.names(job.spec.set_name)


def notes_on(cases: OpeningCases, chosen: Iterable[str]) -> Iterator[str]:
    """What a reader has to know before any figure."""
    openings = [cases.openings[name] for name in chosen]
    yield UNLABELLED
    unknown = sum(not one.fixture.subject for one in openings)
    if unknown == len(openings):
        yield NO_BOOKS
    elif unknown:
        yield f"The books hold nothing about {unknown} of {counted(len(openings), 'ticket')}."
    if hidden := sum(_says_hidden_words(one) for one in openings):
        words = f"In {counted(hidden, 'ticket')} the customer's later messages have words that are hidden"
        yield f"{words} until a person has approved the ticket."


def _says_hidden_words(one: OpeningCase) -> bool:
    brief = one.fixture.brief
    says = [*(fact.says for fact in brief.facts), *(line.says for line in brief.pressure)]
    return any(UNREAD in words for words in says)


def _ticket(
    one: OpeningCase, talks: Iterable[ReplayTalk], order: list[str], vocabulary: Vocabulary
) -> ReplayedTicket:
    sorted_talks = tuple(
        sorted((talk for talk in talks if talk.agent in order), key=lambda talk: order.index(talk.agent))
    )
    found = compared(sorted_talks, vocabulary)
    (opening,), brief = one.fixture.turns, one.fixture.brief
    return ReplayedTicket(
        ticket=one.ticket,
        kind=one.kind,
        request=one.request,
        language=brief.language,
        opening=replace(opening, text=_cut(opening.text), conduct=None, sender=one.fixture.sender),
        in_books=bool(one.fixture.subject),
        difference=found.difference,
        score=found.score,
        contrasts=found.contrasts,
        talks=sorted_talks,
        pair=_pair(sorted_talks, vocabulary),
    )


def _pair(talks: tuple[ReplayTalk, ...], vocabulary: Vocabulary) -> tuple[str, ...]:
    """The agents of the two talks that differ most."""
    pairs = ((compared(pair, vocabulary).score, pair) for pair in combinations(talks, 2))
    score, found = max(pairs, key=lambda one: one[0], default=(0, ()))
    return tuple(talk.agent for talk in found) if score else ()


def _with_turns(ranked: list[ReplayedTicket], spec: JobSpec, cases: OpeningCases) -> Iterator[ReplayedTicket]:
    """The tickets, the first of them with what was said; the runs are read again for it."""
    wanted = {one.ticket for one in ranked[:SHOWN]}
    turns: dict[tuple[str, str], tuple[Turn, ...]] = {}
    for header, filed in filed_talks(spec.out, cases):
        if filed.transcript.case in wanted:
            turns[filed.transcript.case, header.agent] = tuple(_shown_turns(filed.transcript))
    left = MOST_BYTES
    for one in ranked:
        if one.ticket in wanted and left > 0:
            one = replace(one, talks=tuple(map(partial(_with, turns, one.ticket), one.talks)), shown=True)
            left -= len(to_json(one))
        yield one


def _with(turns: Mapping[tuple[str, str], tuple[Turn, ...]], ticket: str, talk: ReplayTalk) -> ReplayTalk:
    return replace(talk, turns=turns.get((ticket, talk.agent), ()))


def _shown_turns(transcript: Transcript) -> Iterator[Turn]:
    """What was said and done after the opening, without the customer's plans and the models' bills."""
    for turn in transcript.turns[1:]:
        calls = tuple(map(_shown_call, turn.calls[:MOST_CALLS]))
        yield replace(turn, text=_cut(turn.text), calls=calls, usage=(), conduct=None)


def _shown_call(call: ToolCall) -> ToolCall:
    arguments, result = call.arguments, call.result
    if len(text := to_json(arguments).decode()) > LONGEST_RESULT:
        arguments = text[:LONGEST_RESULT] + CUT
    if not result.ok:
        result = ToolResult.refused(result.text[:LONGEST_RESULT])
    elif len(result.text) > LONGEST_RESULT:
        result = ToolResult.of(result.text[:LONGEST_RESULT] + CUT)
    return replace(call, arguments=arguments, result=result)


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST_SHOWN else text[:LONGEST_SHOWN] + CUT
