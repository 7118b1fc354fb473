"""Tickets job: agents resume real tickets, and their acts are compared with those of the people.

The openings of tickets are played by the same job; `replay.py` compares the agents with each other.
"""

import asyncio
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from supportagentbench.checks.acts_judged import acts_judged
from supportagentbench.customer.voice import ScriptedVoice
from supportagentbench.jobs.job import Job
from supportagentbench.jobs.spec import JobSpec, TicketSpec
from supportagentbench.records.counts import counted
from supportagentbench.records.problem import Problem
from supportagentbench.records.run import Run
from supportagentbench.records.shadow import (
    ActsJudged,
    AgentTry,
    Difference,
    ShadowTicket,
    ShadowWeek,
)
from supportagentbench.records.ticket import SupportTicket
from supportagentbench.records.transcript import Transcript
from supportagentbench.records.version import __version__
from supportagentbench.records.vocabulary import HAND_OVER, Vocabulary
from supportagentbench.runner.run import header_of
from supportagentbench.shadow.desk_map import DeskMap, read_desk_map
from supportagentbench.shadow.human_record import HumanRecord, human_record
from supportagentbench.shadow.imported_cases import ImportedCases
from supportagentbench.shadow.incident import WrongReply, wrong_reply
from supportagentbench.shadow.opening_cases import OpeningCases
from supportagentbench.shadow.own_numbers import in_terms_of_import, ticket_named
from supportagentbench.shadow.ticket_cases import SET, TicketCase, TicketCases
from supportagentbench.shadow.ticket_mix import ImportMix, mix_of_import
from supportagentbench.storage.archive import begun_in, read_header
from supportagentbench.storage.run_folders import distinct_runs
from supportagentbench.storage.transcripts import Filed, read_transcripts
from supportagentbench.tickets.import_folder import read_header as read_import_header
from supportagentbench.tickets.import_folder import read_import, stored_tickets
from supportagentbench.world.folder import World, read_world


def ticket_job(spec: JobSpec) -> Job:
    """The job that resumes the tickets of an import, or replays their openings."""
    cases = ticket_cases(spec)
    if not cases.fixtures:
        why = "; ".join(f"{count} × {reason}" for reason, count in cases.left_out.most_common(3))
        raise Problem(f"there is no ticket that can be {cases.use} ({why or 'the import is empty'}).")
    if begun_in(spec.out):
        _own_runs(spec.out, cases)  # Others are refused before anything is paid for.
    settled = spec.with_(
        set_name=spec.set_name if spec.set_name != "all" else cases.set_name,
        chosen=spec.chosen or _sample(spec, tuple(cases.fixtures)),
    )
    return Job(settled, {cases.seed.name: cases})


def _sample(spec: JobSpec, names: tuple[str, ...]) -> tuple[str, ...]:
    """As many of these as the spec asks for, spread evenly; none, if it asks for all."""
    size = spec.tickets.sample if spec.tickets else 0
    if not 0 < size < len(names):
        return ()
    return tuple(names[place * len(names) // size] for place in range(size))


def ticket_cases(spec: JobSpec) -> ImportedCases:
    """The tickets of a spec as cases of its world."""
    assert spec.tickets
    world = read_world(spec.world)
    if spec.tickets.incident:
        return incident_of(world, spec.tickets).cases
    tickets = [*read_import(spec.tickets.folder)]
    kind = OpeningCases if spec.tickets.openings else TicketCases
    return kind(world, tickets, desk_map_of(world, spec.tickets, tickets))


def desk_map_of(world: World, spec: TicketSpec, tickets: Sequence[SupportTicket]) -> DeskMap:
    """What the owner of these tickets says of them, by their ids in the import; nothing, without a map."""
    if spec.desk_map is None:
        return DeskMap()
    found = read_desk_map(spec.desk_map, world.kit)
    return in_terms_of_import(found, read_import_header(spec.folder), tickets)


class OpenIncident(NamedTuple):
    """One ticket, resumed before the reply that went wrong."""

    cases: TicketCases
    one: TicketCase
    wrong: WrongReply


def incident_of(world: World, spec: TicketSpec) -> OpenIncident:
    """The incident that a spec names; a Problem if nothing went wrong or if words of it are hidden."""
    tickets = [*stored_tickets(spec.folder)]
    ticket = ticket_named(spec.incident, read_import_header(spec.folder), tickets)
    if ticket.has_doubts and not ticket.approved:
        raise Problem(f"{ticket.id} has hidden words; approve it first: sab import --review {spec.folder}")
    cases = TicketCases(world, [ticket], desk_map_of(world, spec, tickets))
    if ticket.id not in cases.resumed:
        raise Problem(f"{ticket.id} cannot be resumed: {next(iter(cases.left_out))}.")
    one = cases.resumed[ticket.id]
    wrong = wrong_reply(cases, one, asyncio.run(human_record(cases, one)))
    if wrong.at > len(one.fixture.turns):
        cases.begin_after(ticket.id, wrong.before)
    return OpenIncident(cases, one, wrong)


def import_mix(world_name: str, spec: TicketSpec) -> ImportMix:
    """Which case types of a world the tickets of an import are."""
    world, tickets = read_world(world_name), [*read_import(spec.folder)]
    return mix_of_import(TicketCases(world, tickets, desk_map_of(world, spec, tickets)), tickets)


def shadow_week(spec: JobSpec, job: Job) -> ShadowWeek:
    """People and agents side by side, from the runs that are stored in the job's folder."""
    cases = job.cases
    assert isinstance(cases, TicketCases) and spec.tickets
    header = header_of(cases, SET, "humans", ScriptedVoice(), 0, 0)
    tried = _tries(spec.out, cases)
    people = asyncio.run(_people(cases))
    tickets = tuple(
        _compared(cases, one, people[name], header, tried.get(name, ()))
        for name, one in cases.resumed.items()
    )
    source = read_import_header(spec.tickets.folder)
    return ShadowWeek(
        world=cases.world.name,
        world_digest=cases.world.digest,
        shop=cases.world.desk.shop,
        source=source.source,
        tickets=source.tickets,
        unapproved=sum(not one.ticket.approved for one in cases.resumed.values()),
        left_out=dict(cases.left_out.most_common()),
        resumed=tickets,
        customer=spec.customer,
        cases=cases.seed.name,
        package=__version__,
        notes=tuple(_notes(people)),
        titles={verb.act: verb.title for verb in cases.world.vocabulary.verbs},
    )


def _notes(people: Mapping[str, HumanRecord]) -> Iterator[str]:
    """What a reader has to know before any figure."""
    if unpriced := sum(not one.has_all_dollars for one in people.values()):
        what = counted(unpriced, "ticket")
        yield f"On {what} people gave away an amount that the export does not say; it counts as nothing."


async def _people(cases: TicketCases) -> dict[str, HumanRecord]:
    return {name: await human_record(cases, one) for name, one in cases.resumed.items()}


def _tries(out: Path, cases: TicketCases) -> Mapping[str, Sequence[tuple[Run, Transcript]]]:
    """By ticket, what agents did; runs of other tickets or facts are refused."""
    found: dict[str, list[tuple[Run, Transcript]]] = {}
    for header, filed in filed_talks(out, cases):
        found.setdefault(filed.transcript.case, []).append((header, filed.transcript))
    return found


def filed_talks(out: Path, cases: ImportedCases) -> Iterator[tuple[Run, Filed]]:
    """What agents did, run by run; runs of other tickets or facts are refused."""
    for folder, header in _own_runs(out, cases).items():
        yield from ((header, filed) for filed in read_transcripts(folder))


def _own_runs(out: Path, cases: ImportedCases) -> Mapping[Path, Run]:
    """The runs in a folder; a Problem if one has other labels than these cases."""
    found = {folder: read_header(folder) for folder in distinct_runs([out]).folders}
    for folder, header in found.items():
        if header.case_seed != cases.seed.name:
            raise Problem("was made with other tickets or another map; choose another folder.", place=folder)
        if header.world_digest != cases.world.digest:
            raise Problem("was made with another edition of the world; choose another folder.", place=folder)
    return found


def _compared(
    cases: TicketCases,
    one: TicketCase,
    people: HumanRecord,
    header: Run,
    tried: Iterable[tuple[Run, Transcript]],
) -> ShadowTicket:
    """One ticket with everything that was done to it."""
    theirs = acts_judged(people.transcript, header, people.beyond, people.dollars, is_made_again=True)
    at, vocabulary = len(one.fixture.turns), cases.world.vocabulary
    label = cases.cases[one.ticket.id].label
    return ShadowTicket(
        ticket=one.ticket.id,
        request=one.request,
        kind=one.ticket.kind,
        facts=dict(one.known.facts),
        unknown=label.unknown,
        history=people.transcript.turns[:at],
        human=people.transcript.turns[at:],
        person=people.person,
        judged=theirs,
        required=tuple(_required(cases, one)),
        tries=tuple(_agents(tried, theirs, vocabulary, has_dollars=people.has_all_dollars)),
    )


def _required(cases: TicketCases, one: TicketCase) -> Iterator[str]:
    """What the policy requires, as far as it is known."""
    record, brief = cases.record_of(one.fixture), cases.cases[one.ticket.id].brief
    for wish in brief.standing:
        yield from record.rule(wish, brief.disclosed_in_full()).required()


def _agents(
    tried: Iterable[tuple[Run, Transcript]], theirs: ActsJudged, vocabulary: Vocabulary, *, has_dollars: bool
) -> Iterator[AgentTry]:
    for header, transcript in tried:
        ours = acts_judged(transcript, header)
        yield AgentTry(
            agent=header.agent,
            run=header.run,
            judged=ours,
            difference=difference(ours, theirs, vocabulary, has_dollars=has_dollars),
            dollars=ours.dollars - theirs.dollars if has_dollars else 0,
        )


def difference(
    ours: ActsJudged, theirs: ActsJudged, vocabulary: Vocabulary, *, has_dollars: bool = True
) -> Difference:
    """How what an agent did differs from what the people did; dollars that are not all known do not count."""
    handed = HAND_OVER in ours.acts, HAND_OVER in theirs.acts
    if handed[0] != handed[1]:
        return "handed_over" if handed[0] else "taken_on"
    same = not theirs.beyond and _ways(ours, vocabulary) == _ways(theirs, vocabulary)
    if same and ours.dollars == theirs.dollars:
        return "same"
    if has_dollars and ours.dollars != theirs.dollars:
        return "more_generous" if ours.dollars > theirs.dollars else "stricter"
    return "other"


def _ways(judged: ActsJudged, vocabulary: Vocabulary) -> set[frozenset[str]]:
    """The acts; those with the same effect for a customer count as one."""
    return {frozenset(vocabulary.ways(act)) for act in judged.acts}
