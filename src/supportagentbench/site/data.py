"""SiteData: all that pages are made of. Conversations are read once, agent by agent, and not kept."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, date, datetime
from functools import partial
from multiprocessing import get_context
from os import cpu_count
from pathlib import Path
from typing import Any, Literal, NamedTuple

from supportagentbench.board.standings import make_board
from supportagentbench.records.board import Board
from supportagentbench.records.case import Bucket, Label
from supportagentbench.records.finding import Finding
from supportagentbench.records.judgement import Judgement
from supportagentbench.records.problem import Problem
from supportagentbench.records.run import Run
from supportagentbench.records.transcript import Transcript, Turn
from supportagentbench.results.load import ScoredConversation, ScoredRun, load_conversations
from supportagentbench.site.outcome import OutcomeKind, flags, outcome_of
from supportagentbench.storage.archive import find_runs, read_header

Kept = Literal["all", "flagged", "none"]
"""Which conversations lie in the folder for everyone to read."""

TOY = "local:"
"""Models that are carried along to try the harness with: read them with `sab show`."""

EXCERPTS_A_CHECK = 4
"""Conversations of one agent that are kept as examples of one kind of fault."""


class ConversationRow(NamedTuple):
    """One conversation as lists and charts know it."""

    case: str
    agent: str
    run: int
    outcome: OutcomeKind
    flags: tuple[str, ...]
    """Checks that speak against the agent."""
    fired: int | None
    """The customer's turn, from 1, after which the first forbidden act was carried out."""
    messages: int
    cost: float | None
    """Dollars of the agent's calls; None is unknown."""
    judges_differ: bool
    digest: str
    is_kept: bool


class CaseSheet(NamedTuple):
    """What pages tell of a case: all of it stands in the record of any conversation on it."""

    id: str
    family: str
    bucket: Bucket
    opening: str
    label: Label
    language: str
    twin_of: str
    order: dict[str, Any]
    """The order as a look-up showed it; empty if no agent looked."""


class Excerpt(NamedTuple):
    """A turn of an agent that a finding rests on, word for word."""

    case: str
    agent: str
    run: int
    check: str
    reason: str
    quote: str
    """The words of the turn that the finding is based on, if it is based on words."""
    turn: int
    words: Turn


class Gathered(NamedTuple):
    """One agent's runs, read once."""

    runs: list[ScoredRun]
    rows: list[ConversationRow]
    cases: dict[str, CaseSheet]
    excerpts: list[Excerpt]
    first: float
    last: float


class SiteData(NamedTuple):
    """All that pages are made of."""

    board: Board
    runs: list[ScoredRun]
    rows: list[ConversationRow]
    """By case, then in the board's order of agents, then by run."""
    cases: dict[str, CaseSheet]
    """Headline cases by bucket and name, then their twins."""
    excerpts: list[Excerpt]
    slugs: dict[str, str]
    """The agents in the board's order, each with its name in file names and links."""
    kept: Kept
    days: dict[str, tuple[date, date]]
    """The days of each agent's first and last conversation."""

    @property
    def dates(self) -> tuple[date, date]:
        """The days of the first and the last conversation of all."""
        return min(first for first, _ in self.days.values()), max(last for _, last in self.days.values())

    @property
    def headers(self) -> list[Run]:
        return [run.header for run in self.runs]


Keep = Callable[[str, str, list[ScoredConversation]], None]
"""Told a case, an agent's slug and all runs of that case by that agent, once they are read."""


Watch = Callable[[str, int], Callable[[int], None]]
"""Told what is begun and how much of it there is; gives back who is told how much is done."""


def unwatched(title: str, size: int) -> Callable[[int], None]:
    """For when nobody looks."""
    return lambda done: None


def gather(
    paths: Iterable[Path],
    keep: Keep,
    kept: Kept = "all",
    watch: Watch = unwatched,
    *,
    fresh: bool = False,
) -> SiteData:
    """Everything in these runs, agents side by side in a process each; `fresh` uses no cached scores."""
    by_agent = _by_agent({folder.resolve(): folder for folder in find_runs(paths)}.values())
    slugs = _slugs(sorted(by_agent))
    jobs = [(folders, slugs[agent]) for agent, folders in sorted(by_agent.items())]
    tell, found = watch("reading agents", len(jobs)), []
    read = partial(_read_agent, keep=keep, kept=kept, fresh=fresh)
    for done, one in enumerate(_side_by_side(read, jobs), start=1):
        found += [one] if one else []
        tell(done)
    if not found:
        raise Problem("no conversation is on file yet; `sab run` holds some.", place=jobs[0][0][0])
    return _together(found, slugs, kept)


def _by_agent(folders: Iterable[Path]) -> dict[str, list[Path]]:
    found: dict[str, list[Path]] = defaultdict(list)
    seen: dict[tuple[str, int], Path] = {}
    for folder in folders:
        header = read_header(folder)
        if header.agent.startswith(TOY):
            raise Problem(
                f"is a run of {header.agent}, whose scores are never published; leave it out.", place=folder
            )
        if other := seen.get((header.agent, header.run)):
            raise Problem(f"holds run {header.run} of {header.agent}, and so does {other}.", place=folder)
        seen[header.agent, header.run] = folder
        found[header.agent].append(folder)
    return found


def _side_by_side(
    read: Callable[[list[Path], str], Gathered | None], jobs: list[tuple[list[Path], str]]
) -> Iterator[Gathered | None]:
    if len(jobs) == 1:
        yield read(*jobs[0])
        return
    with ProcessPoolExecutor(min(len(jobs), cpu_count() or 1), mp_context=get_context("spawn")) as pool:
        yield from pool.map(read, *zip(*jobs, strict=True))


def _slugs(agents: list[str]) -> dict[str, str]:
    """A name for each agent that is safe in file names and links, no two alike."""
    found: dict[str, str] = {}
    for agent in agents:
        plain = re.sub(r"[^a-z0-9._]+", "-", agent.casefold()).strip("-._") or "agent"
        number, slug = 2, plain
        while slug in found.values():
            slug, number = f"{plain}-{number}", number + 1
        found[agent] = slug
    return found


def _read_agent(folders: list[Path], slug: str, keep: Keep, kept: Kept, fresh: bool) -> Gathered | None:
    """All runs of one agent: kept for readers case by case, and boiled down for the pages; None if empty."""
    runs: list[ScoredRun] = []
    talks: dict[str, list[ScoredConversation]] = defaultdict(list)
    for folder in sorted(folders, key=lambda one: read_header(one).run):
        header = read_header(folder)
        found = sorted(load_conversations(folder, fresh=fresh), key=lambda talk: talk.verdict.case)
        for talk in found:
            talks[talk.verdict.case].append(talk)
        judgements = tuple(one for talk in found for one in talk.judgements)
        runs.append(ScoredRun(header, [talk.verdict for talk in found], judgements))
    agent = runs[0].header.agent
    starts = [talk.filed.started for found in talks.values() for talk in found]
    if not starts:
        return None
    rows = []
    for case, found in talks.items():
        shown = kept == "all" or (kept == "flagged" and any(flags(talk.verdict) for talk in found))
        rows += [_row(agent, talk, shown) for talk in found]
        if shown:
            keep(case, slug, found)
    return Gathered(
        runs,
        rows,
        {case: _sheet([talk.filed.transcript for talk in found]) for case, found in talks.items()},
        list(_excerpts(agent, [talk for found in talks.values() for talk in found])),
        min(starts),
        max(starts),
    )


def _row(agent: str, talk: ScoredConversation, is_kept: bool) -> ConversationRow:
    verdict = talk.verdict
    bill = next((bill for bill in verdict.bills if bill.role == "agent"), None)
    found = flags(verdict)
    return ConversationRow(
        case=verdict.case,
        agent=agent,
        run=verdict.run,
        outcome=outcome_of(verdict),
        flags=tuple(finding.check for finding in found),
        fired=_fired(talk.filed.transcript, found),
        messages=verdict.messages,
        cost=bill.cost if bill else None,
        judges_differ=_differ(talk.judgements),
        digest=verdict.transcript,
        is_kept=is_kept,
    )


def _fired(transcript: Transcript, found: list[Finding]) -> int | None:
    """After how many words of the customer's the first forbidden act came."""
    turns = [turn for finding in found if finding.check in ("forbidden", "held") for turn in finding.turns]
    if not turns:
        return None
    return sum(turn.party == "customer" for turn in transcript.turns[: min(turns)])


def _differ(judgements: tuple[Judgement, ...]) -> bool:
    """Whether two judges that are models hold opposite opinions of any criterion."""
    seen: dict[str, set[bool]] = defaultdict(set)
    for judgement in judgements:
        if judgement.judge == "rules" or judgement.sample:
            continue
        for opinion in judgement.opinions:
            if opinion.met is not None:
                seen[opinion.criterion].add(opinion.met)
    return any(len(said) > 1 for said in seen.values())


def _sheet(transcripts: list[Transcript]) -> CaseSheet:
    first = transcripts[0]
    return CaseSheet(
        id=first.case,
        family=first.family,
        bucket=first.bucket,
        opening=first.turns[0].text if first.turns else "",
        label=first.label,
        language=first.language,
        twin_of=first.twin_of,
        order=next(filter(None, map(_order_shown, transcripts)), {}),
    )


def _order_shown(transcript: Transcript) -> dict[str, Any]:
    """The order before anything was changed, if it was looked up."""
    for turn in transcript.turns:
        for call in turn.calls:
            if call.result.wrote:
                return {}
            if call.tool == "find_order" and isinstance(call.result.facts, dict):
                return call.result.facts
    return {}


def _excerpts(agent: str, talks: list[ScoredConversation]) -> Iterator[Excerpt]:
    """A few turns for every kind of fault, from different cases where there are any."""
    seen: dict[str, set[str]] = defaultdict(set)
    for talk in sorted(talks, key=lambda one: (one.verdict.run, one.verdict.case)):
        verdict, turns = talk.verdict, talk.filed.transcript.turns
        if not verdict.counts:
            continue
        for finding in flags(verdict):
            known = seen[finding.check]
            turn = next((at for at in finding.turns if turns[at].party == "agent"), None)
            if turn is None or verdict.case in known or len(known) == EXCERPTS_A_CHECK:
                continue
            known.add(verdict.case)
            yield Excerpt(
                case=verdict.case,
                agent=agent,
                run=verdict.run,
                check=finding.check,
                reason=finding.reason,
                quote=finding.quote,
                turn=turn,
                words=turns[turn],
            )


def _together(found: list[Gathered], slugs: dict[str, str], kept: Kept) -> SiteData:
    runs = [run for one in found for run in one.runs]
    board = make_board(runs)
    agents = [entry.name for entry in board.agents]
    place = {agent: number for number, agent in enumerate(agents)}
    cases: dict[str, CaseSheet] = {}
    for one in found:
        for case, sheet in one.cases.items():
            if case not in cases or (not cases[case].order and sheet.order):
                cases[case] = sheet
    rows = [row for one in found for row in one.rows]
    return SiteData(
        board=board,
        runs=sorted(runs, key=lambda run: (place[run.header.agent], run.header.run)),
        rows=sorted(rows, key=lambda row: (row.case, place[row.agent], row.run)),
        cases=dict(sorted(cases.items(), key=lambda item: _case_order(item[1]))),
        excerpts=sorted(
            (excerpt for one in found for excerpt in one.excerpts),
            key=lambda one: (place[one.agent], one.check, one.run, one.case),
        ),
        slugs={agent: slugs[agent] for agent in agents},
        kept=kept,
        days={one.runs[0].header.agent: (_day(one.first), _day(one.last)) for one in found},
    )


_BUCKETS: tuple[Bucket, ...] = ("resolvable", "must_escalate", "adversarial")


def _case_order(sheet: CaseSheet) -> tuple[bool, int, str, int, str]:
    number = re.search(r"(\d+)(?:-twin)?$", sheet.id)
    return (
        bool(sheet.twin_of),
        _BUCKETS.index(sheet.bucket),
        sheet.family,
        int(number[1]) if number else 0,
        sheet.id,
    )


def _day(seconds: float) -> date:
    return datetime.fromtimestamp(seconds, UTC).date()
