"""Tickets job: agents resume real tickets, and their acts are compared with those of the people.

The openings of tickets are played by the same job; `replay.py` compares the agents with each other.
"""

import asyncio
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from supportagentbench.checks.acts_judged import acts_judged
from supportagentbench.customer.voice import ScriptedVoice
from supportagentbench.jobs.job import Job
from supportagentbench.jobs.spec import JobSpec, TicketSpec
from supportagentbench.records.invented import is_invented
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
from supportagentbench.records.transcript import ToolCall, ToolResult, Transcript, Turn
from supportagentbench.records.version import __version__
from supportagentbench.records.vocabulary import HAND_OVER
from supportagentbench.runner.run import header_of
from supportagentbench.shadow.danger_rules import danger_rules
from supportagentbench.shadow.desk_map import DeskMap, read_desk_map
from supportagentbench.shadow.human_record import HumanRecord, human_record
from supportagentbench.shadow.imported_cases import ImportedCases
from supportagentbench.shadow.incident import WrongReply, wrong_reply
from supportagentbench.shadow.opening_cases import OpeningCases
from supportagentbench.shadow.own_numbers import in_terms_of_import, ticket_named
from supportagentbench.shadow.ticket_cases import SET, TicketCase, TicketCases
from supportagentbench.shadow.ticket_mix import ImportMix, mix_of_import
from supportagentbench.storage.archive import read_header
from supportagentbench.storage.run_folders import distinct_runs
from supportagentbench.storage.transcripts import Filed, read_transcripts
from supportagentbench.tickets.import_folder import read_header as read_import_header
from supportagentbench.tickets.import_folder import read_import, stored_tickets
from supportagentbench.world.folder import World, read_world
from supportagentbench.world.policy import Rulings


def ticket_job(spec: JobSpec) -> Job:
    """The job that resumes the tickets of an import, or replays their openings."""
    cases = ticket_cases(spec)
    if not cases.fixtures:
        why = "; ".join(f"{count} × {reason}" for reason, count in cases.left_out.most_common(3))
        raise Problem(f"there is no ticket that can be {cases.use} ({why or 'the import is empty'}).")
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
    people, danger = asyncio.run(_people(cases)), danger_rules(cases.world)
    tickets = tuple(
        _compared(cases, one, people[name], header, tried.get(name, ()), danger)
        for name, one in cases.resumed.items()
    )
    source = read_import_header(spec.tickets.folder)
    headers = {run.agent: run for some in tried.values() for run, _ in some}
    return ShadowWeek(
        world=cases.world.name,
        world_digest=cases.world.digest,
        shop=cases.world.desk.shop,
        source=source.source,
        imported=source.date,
        rights=source.rights,
        tickets=source.tickets,
        dropped=source.dropped,
        unapproved=sum(not one.ticket.approved for one in cases.resumed.values()),
        left_out=dict(cases.left_out.most_common()),
        resumed=tickets,
        customer=spec.customer,
        cases=cases.seed.name,
        package=__version__,
        invented=tuple(name for name, run in headers.items() if is_invented(run)),
        worth=cases.world.vocabulary.worth,
        titles={verb.act: verb.title for verb in cases.world.vocabulary.verbs},
        rules=_rule_texts(cases, tickets),
    )


def _rule_texts(cases: TicketCases, tickets: Iterable[ShadowTicket]) -> dict[str, str]:
    """The text of every rule that a ticket names, in the policy's order."""
    sides = (one for ticket in tickets for one in (ticket.judged, *(tried.judged for tried in ticket.tries)))
    named = {name for one in sides for name in one.rules}
    return {rule.id: rule.text for rule in cases.world.policy.rules if rule.id in named}


async def _people(cases: TicketCases) -> dict[str, HumanRecord]:
    return {name: await human_record(cases, one) for name, one in cases.resumed.items()}


def _tries(out: Path, cases: TicketCases) -> Mapping[str, Sequence[tuple[Run, Transcript]]]:
    """By ticket, what agents did; runs of other tickets or facts do not count."""
    found: dict[str, list[tuple[Run, Transcript]]] = {}
    for header, filed in _filed(runs_by_tickets(out, cases)[True]):
        found.setdefault(filed.transcript.case, []).append((header, filed.transcript))
    return found


def filed_talks(out: Path, cases: ImportedCases) -> Iterator[tuple[Run, Filed]]:
    """What agents did, run by run; runs of other tickets or facts are refused."""
    found = runs_by_tickets(out, cases)
    for folder in found[False]:
        raise Problem("was made with other tickets or another map; choose another folder.", place=folder)
    yield from _filed(found[True])


def _filed(folders: Iterable[Path]) -> Iterator[tuple[Run, Filed]]:
    for folder in folders:
        header = read_header(folder)
        yield from ((header, filed) for filed in read_transcripts(folder))


def runs_by_tickets(out: Path, cases: ImportedCases) -> dict[bool, list[Path]]:
    """The runs in a folder that were made with these tickets, facts and rules; under False, all others."""
    found: dict[bool, list[Path]] = {True: [], False: []}
    wanted = cases.seed.name, cases.world.digest
    for folder in distinct_runs([out]).folders:
        header = read_header(folder)
        found[(header.case_seed, header.world_digest) == wanted].append(folder)
    return found


def _compared(
    cases: TicketCases,
    one: TicketCase,
    people: HumanRecord,
    header: Run,
    tried: Iterable[tuple[Run, Transcript]],
    danger: frozenset[str],
) -> ShadowTicket:
    """One ticket with everything that was done to it."""
    at = len(one.fixture.turns)
    theirs = _from(at, acts_judged(people.transcript, header, people.elsewhere))
    rulings, label = list(_rulings(cases, one)), cases.cases[one.ticket.id].label
    return ShadowTicket(
        ticket=one.ticket.id,
        request=one.request,
        kind=one.ticket.kind,
        approved=one.ticket.approved,
        in_books=cases.record_of(one.fixture).seen is not None,
        is_danger=not danger.isdisjoint(label.rules),
        facts=dict(one.known.facts),
        unknown=label.unknown,
        history=tuple(map(_as_read, people.transcript.turns[:at])),
        human=tuple(map(_as_read, people.transcript.turns[at:])),
        person=people.person,
        judged=theirs,
        required=tuple(act for ruling in rulings for act in ruling.required()),
        tries=tuple(_agents(at, tried, theirs)),
    )


def _rulings(cases: TicketCases, one: TicketCase) -> Iterator[Rulings]:
    """What the policy says of each request, as far as it is known."""
    record, brief = cases.record_of(one.fixture), cases.cases[one.ticket.id].brief
    for wish in brief.standing:
        yield record.rule(wish, brief.disclosed_in_full())


def _from(at: int, judged: ActsJudged) -> ActsJudged:
    """The same, with its turn counted from the resume point on."""
    return replace(judged, turn=judged.turn - at) if judged.turn is not None else judged


def _as_read(turn: Turn) -> Turn:
    """What a reader of the record sees of a turn: words, files, and calls without what was looked up."""
    calls = tuple(
        ToolCall(call.tool, call.arguments, ToolResult(call.result.ok, refusal=call.result.refusal))
        for call in turn.calls
    )
    return Turn(turn.party, turn.text, calls, turn.attachments)


def _agents(at: int, tried: Iterable[tuple[Run, Transcript]], theirs: ActsJudged) -> Iterator[AgentTry]:
    for header, transcript in tried:
        ours = _from(at, acts_judged(transcript, header))
        found = difference(ours, theirs)
        yield AgentTry(
            agent=header.agent,
            run=header.run,
            judged=ours,
            difference=found,
            dollars=ours.dollars - theirs.dollars if found != "unknown" and theirs.has_all_dollars else 0,
            talk=tuple(map(_as_read, transcript.turns[at:])),
        )


def difference(ours: ActsJudged, theirs: ActsJudged) -> Difference:
    """How what an agent did differs from what the people did."""
    if ours.ground in ("broke", "unseen"):
        return "unknown"
    handed = HAND_OVER in ours.acts, HAND_OVER in theirs.acts
    if handed[0] != handed[1]:
        return "handed_over" if handed[0] else "taken_on"
    if ours.effects == theirs.effects and ours.dollars == theirs.dollars:
        return "same"
    if theirs.has_all_dollars and ours.dollars != theirs.dollars:
        return "more_generous" if ours.dollars > theirs.dollars else "stricter"
    return "other"
