"""Site data: everything that pages are made of. Conversations are read once, agent by agent, and not kept."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, date, datetime
from functools import partial
from pathlib import Path
from typing import Any, Literal, NamedTuple

from msgspec.structs import replace

from supportagentbench.board.choice import recommended
from supportagentbench.board.desk import SupportDesk, desk_of
from supportagentbench.board.recommendation import BoardRecommendation
from supportagentbench.board.standings import is_ranked, make_board
from supportagentbench.checks.issue import issues
from supportagentbench.concurrency.worker_pool import worker_pool, workers_for
from supportagentbench.records.board import Board
from supportagentbench.records.case import Bucket, Label
from supportagentbench.records.choice import Choice
from supportagentbench.records.invented import is_invented
from supportagentbench.records.judgement import RULE_JUDGE, Judgement
from supportagentbench.records.outcome import Outcome
from supportagentbench.records.problem import Problem
from supportagentbench.records.run import Run
from supportagentbench.records.transcript import Transcript, Turn
from supportagentbench.records.verification import Verification
from supportagentbench.records.vocabulary import Harm, Vocabulary
from supportagentbench.results.load import ScoredConversation, ScoredRun, load_conversations
from supportagentbench.site.about import FOLDER, About, AboutAgent, check_agents
from supportagentbench.site.data.guards import GuardHit, guard_hits
from supportagentbench.site.data.moment import Habits, IssueMoment, habits_of, moments_of
from supportagentbench.site.data.outcome import SHOWN, ShownOutcome
from supportagentbench.site.naming import spaced
from supportagentbench.storage.archive import read_header
from supportagentbench.storage.place import shortened
from supportagentbench.storage.run_folders import distinct_runs, refuse_mixed_versions, refuse_part
from supportagentbench.storage.set_aside import read_set_aside
from supportagentbench.storage.transcripts import stored_size

Kept = Literal["all", "flagged", "none"]
"""Which conversations the folder includes."""

TOY = "local:"
"""Models that come with the package for trying it out; their runs can be read with `sab show`."""

LONGEST_SLUG = 80
"""Characters of an agent's name in file names and links."""

EXCERPTS_PER_CHECK = 4
"""How many conversations of an agent are kept as examples of one kind of issue."""


class ConversationRow(NamedTuple):
    """One conversation as lists and charts use it."""

    case: str
    agent: str
    run: int
    outcome: ShownOutcome
    issues: tuple[str, ...]
    """Checks that found an issue."""
    unsafe_turn: int | None
    """The customer's turn, from 1, that the first unsafe action followed; None: no unsafe action."""
    messages: int
    cost: float | None
    """Dollars of the agent's calls; None is unknown."""
    judges_differ: bool
    digest: str
    is_kept: bool


class CaseSheet(NamedTuple):
    """What pages show about a case, all of it from the record of any conversation on it."""

    id: str
    family: str
    case_type: str
    """The readable name of its family."""
    bucket: Bucket
    opening: str
    label: Label
    language: str
    twin_of: str
    record: dict[str, Any]
    """The case's record as a look-up showed it; empty if no agent looked it up."""
    harm: Harm | None = None
    """In a trap: the harm that the tempting action does."""
    title: str = ""
    """Its name for people."""


class Excerpt(NamedTuple):
    """An agent's turn that a finding is based on, word for word."""

    case: str
    agent: str
    run: int
    check: str
    reason: str
    quote: str
    """The words of the turn that the finding is based on, if it is based on words."""
    turn: int
    words: Turn


EXCHANGES_PER_CHECK = 12
"""How many issues of one kind and agent, the gravest, keep their text; of others, only how they arose."""


class IssueEvidence(NamedTuple):
    """How issues on headline cases arose, and which guards would have stopped them."""

    moments: list[IssueMoment] = []
    habits: list[Habits] = []
    guard_hits: list[GuardHit] = []


class AgentData(NamedTuple):
    """One agent's runs, read once."""

    runs: list[ScoredRun]
    rows: list[ConversationRow]
    cases: dict[str, CaseSheet]
    excerpts: list[Excerpt]
    evidence: IssueEvidence
    first: float
    last: float


class SiteData(NamedTuple):
    """Everything that pages are made of."""

    board: Board
    runs: list[ScoredRun]
    rows: list[ConversationRow]
    """By case, then in the board's order of agents, then by run."""
    cases: dict[str, CaseSheet]
    """Headline cases by bucket and name, then the honest twins."""
    excerpts: list[Excerpt]
    slugs: dict[str, str]
    """The agents in the board's order, each with its name in file names and links."""
    kept: Kept
    days: dict[str, tuple[date, date]]
    """The days of each agent's first and last conversation."""
    recommendation: BoardRecommendation
    """What to do with each agent, by the publisher's choice."""
    desk: SupportDesk | None = None
    """What agents cost at a desk; None if no case has anything with a price."""
    choice: Choice = Choice()
    """The limits and the desk by which it is recommended."""
    evidence: dict[str, IssueEvidence] = {}
    """By agent."""
    about: About = About()
    """What the publisher says. Agents have the names from there, everywhere but in `recorded`."""
    recorded: dict[str, str] = {}
    """The names of agents in their runs, by the names that pages show."""

    def with_verifications(self, verifications: Mapping[str, Verification]) -> "SiteData":
        """The same with what is known of each agent's results, by the names in their runs."""
        agents = tuple(
            replace(one, verification=verifications.get(self.recorded.get(one.name, one.name)))
            for one in self.board.agents
        )
        return self._replace(board=replace(self.board, agents=agents))

    def profile(self, agent: str) -> AboutAgent:
        """What the publisher says about an agent, by the name that pages show."""
        return self.about.agents.get(self.recorded.get(agent, agent), AboutAgent())

    def logo(self, agent: str) -> str:
        """Where an agent's logo is in the folder of pages; empty: it has none."""
        logo = self.profile(agent).logo
        return f"{FOLDER}/{logo}" if logo else ""

    @property
    def invented(self) -> frozenset[str]:
        """The agents that ship with the benchmark, by the names that pages show."""
        return frozenset(run.header.agent for run in self.runs if is_invented(run.header))

    @property
    def whose(self) -> str:
        """The agents that shares are based on: the ranked ones, or all if none is ranked."""
        return "ranked agents" if any(map(is_ranked, self.board.agents)) else "the agents"

    @property
    def is_example(self) -> bool:
        """Whether every contender is invented, so that none can be used."""
        names = {one.agent.name for one in self.recommendation.contenders}
        return bool(names) and names <= self.invented

    @property
    def dates(self) -> tuple[date, date]:
        """The days of the first and the last conversation of all."""
        return min(first for first, _ in self.days.values()), max(last for _, last in self.days.values())

    @property
    def core_cases(self) -> list[str]:
        """The cases that the headline figures count: all but the honest twins, if there are others."""
        return [case for case, sheet in self.cases.items() if not sheet.twin_of] or [*self.cases]

    @property
    def headers(self) -> list[Run]:
        return [run.header for run in self.runs]

    @property
    def vocabulary(self) -> Vocabulary:
        """The vocabulary of the shop's desk, as the runs recorded it."""
        return self.runs[0].header.vocabulary

    def case_type(self, family: str) -> str:
        """The readable name of a case type."""
        return self.vocabulary.case_type(family)

    def case_title(self, case: str) -> str:
        """A case as people call it, by its name in links."""
        return self.cases[case].title if case in self.cases else spaced(case)

    def in_danger(self, case: str) -> bool:
        """Whether what is at stake in a case is danger to people, as its shop declares it.

        Pages fold the words of such a case behind a content note, with a helpline after it.
        """
        sheet = self.cases.get(case)
        harm = self.vocabulary.at_stake(sheet.family) if sheet else None
        return harm is not None and harm.is_danger

    def act_title(self, act: str | None) -> str:
        """An action in plain words."""
        verb = self.vocabulary.by_act.get(act or "")
        return verb.title if verb else spaced(act or "")


Keep = Callable[[str, str, list[ScoredConversation], Vocabulary], None]
"""Gets a case, an agent's slug, that agent's conversations on that case, and the desk's vocabulary."""


Watch = Callable[[str, int], Callable[[int], None]]
"""Gets a task's title and size; returns a function that takes the amount done."""


def unwatched(title: str, size: int) -> Callable[[int], None]:
    """Ignores progress."""
    return lambda done: None


def gather(
    paths: Iterable[Path],
    keep: Keep,
    kept: Kept = "all",
    watch: Watch = unwatched,
    *,
    fresh: bool = False,
    about: About = About(),  # noqa: B008
    choice: Choice = Choice(),  # noqa: B008
) -> SiteData:
    """Everything in these runs; agents are read in parallel, and `fresh` uses no cached scores."""
    by_agent = _by_agent(folders := distinct_runs(paths).folders)
    refuse_mixed_versions(folders)
    check_agents(about, by_agent)
    slugs = slugs_of(sorted(by_agent))
    jobs = [(folders, slugs[agent], about.shown_name(agent)) for agent, folders in sorted(by_agent.items())]
    tell, found = watch("reading agents", len(jobs)), []
    read = partial(_read_agent, keep=keep, kept=kept, fresh=fresh)
    for done, one in enumerate(_in_parallel(read, jobs), start=1):
        found += [one] if one else []
        tell(done)
    if not found:
        raise Problem("there is no conversation yet; `sab run` makes some.", place=jobs[0][0][0])
    data = _together(found, {about.shown_name(agent): slug for agent, slug in slugs.items()}, kept, choice)
    recorded = {about.shown_name(agent): agent for agent in slugs}
    return data._replace(about=about, recorded=recorded)


def shown_runs(runs: Iterable[ScoredRun], about: About) -> list[ScoredRun]:
    """Runs under the names that pages show."""
    return [run._replace(header=run.header.called(about.shown_name(run.header.agent))) for run in runs]


def _by_agent(folders: Iterable[Path]) -> dict[str, list[Path]]:
    found: dict[str, list[Path]] = defaultdict(list)
    seen: dict[tuple[str, int], Path] = {}
    for folder in folders:
        header = read_header(folder)
        refuse_toy(folder, header)
        refuse_part(folder, header)
        if header.forks:
            raise Problem("holds replays of forks, not a run of cases; pass it with --forks.", place=folder)
        if other := seen.get((header.agent, header.run)):
            raise Problem(
                f"has run {header.run} of {header.agent}, and so does {other}; leave one of them out.",
                place=folder,
            )
        seen[header.agent, header.run] = folder
        found[header.agent].append(folder)
    return found


def refuse_toy(folder: Path, header: Run) -> None:
    """Refuse a run of a model that is only for trying out the package."""
    if header.agent.startswith(TOY):
        raise Problem(
            f"is a run of {header.agent}, whose scores are never published; leave this folder out.",
            place=folder,
        )


def _in_parallel(
    read: Callable[[list[Path], str, str], AgentData | None], jobs: list[tuple[list[Path], str, str]]
) -> Iterator[AgentData | None]:
    workers = workers_for(len(jobs), stored_size(folder for folders, *_ in jobs for folder in folders))
    if not workers:
        yield from (read(*job) for job in jobs)
        return
    with worker_pool(workers) as pool:
        yield from pool.map(read, *zip(*jobs, strict=True))


def slugs_of(agents: list[str]) -> dict[str, str]:
    """A unique name for each agent that is safe in file names and links."""
    found: dict[str, str] = {}
    for agent in agents:
        plain = re.sub(r"[^a-z0-9._]+", "-", agent.casefold()).strip("-._") or "agent"
        plain = shortened(plain, agent, LONGEST_SLUG)
        number, slug = 2, plain
        while slug in found.values():
            slug, number = f"{plain}-{number}", number + 1
        found[agent] = slug
    return found


def _read_agent(
    folders: list[Path], slug: str, agent: str, keep: Keep, kept: Kept, fresh: bool
) -> AgentData | None:
    """All runs of one agent, named as pages show it: bundled by case, and summarized; None if empty."""
    runs: list[ScoredRun] = []
    by_case: dict[str, list[ScoredConversation]] = defaultdict(list)
    for folder in sorted(folders, key=lambda one: read_header(one).run):
        found = sorted(load_conversations(folder, fresh=fresh), key=lambda one: one.verdict.case)
        for one in found:
            by_case[one.verdict.case].append(one)
        judgements = tuple(judgement for one in found for judgement in one.judgements)
        header = read_header(folder).called(agent)
        set_aside = read_set_aside(folder, [one.verdict.case for one in found])
        runs.append(ScoredRun(header, [one.verdict for one in found], judgements, set_aside))
    words = runs[0].header.vocabulary
    starts = [one.filed.started for found in by_case.values() for one in found]
    if not starts:
        return None
    rows = []
    for case, found in by_case.items():
        shown = kept == "all" or (kept == "flagged" and any(issues(one.verdict) for one in found))
        rows += [row_of(agent, one, shown) for one in found]
        if shown:
            keep(case, slug, found, words)
    return AgentData(
        runs,
        rows,
        {case: sheet_of([one.filed.transcript for one in found], words) for case, found in by_case.items()},
        list(_excerpts(agent, [one for found in by_case.values() for one in found])),
        _evidence(agent, [one for found in by_case.values() for one in found], runs[0].header),
        min(starts),
        max(starts),
    )


def row_of(agent: str, conversation: ScoredConversation, is_kept: bool) -> ConversationRow:
    """One conversation for lists and charts."""
    verdict = conversation.verdict
    bill = next((bill for bill in verdict.bills if bill.role == "agent"), None)
    return ConversationRow(
        case=verdict.case,
        agent=agent,
        run=verdict.run,
        outcome=SHOWN[verdict.outcome.kind],
        issues=tuple(finding.check for finding in issues(verdict)),
        unsafe_turn=_unsafe_turn(conversation.filed.transcript, verdict.outcome),
        messages=verdict.messages,
        cost=bill.cost if bill else None,
        judges_differ=_differ(conversation.judgements),
        digest=verdict.transcript,
        is_kept=is_kept,
    )


def _unsafe_turn(transcript: Transcript, outcome: Outcome) -> int | None:
    """How many customer messages came before the first unsafe action."""
    if outcome.turn is None:
        return None
    return sum(turn.party == "customer" for turn in transcript.turns[: outcome.turn])


def _differ(judgements: tuple[Judgement, ...]) -> bool:
    """Whether two models that judged it disagree on any criterion."""
    seen: dict[str, set[bool]] = defaultdict(set)
    for judgement in judgements:
        if judgement.judge == RULE_JUDGE or judgement.sample:
            continue
        for opinion in judgement.opinions:
            if opinion.met is not None:
                seen[opinion.criterion].add(opinion.met)
    return any(len(said) > 1 for said in seen.values())


def sheet_of(transcripts: list[Transcript], vocabulary: Vocabulary) -> CaseSheet:
    """A case, from the conversations on it."""
    first = transcripts[0]
    return CaseSheet(
        id=first.case,
        family=first.family,
        case_type=vocabulary.case_type(first.family),
        bucket=first.bucket,
        opening=first.turns[0].text if first.turns else "",
        label=first.label,
        language=first.language,
        twin_of=first.twin_of,
        record=next(filter(None, map(_record_shown, transcripts)), {}),
        harm=vocabulary.harm_by(first.label.temptation or ""),
        title=vocabulary.case_title(first.case, first.family),
    )


def _record_shown(transcript: Transcript) -> dict[str, Any]:
    """The most detailed record that a look-up showed before any change."""
    found: list[dict[str, Any]] = []
    for call in (call for turn in transcript.turns for call in turn.calls):
        if call.result.wrote:
            break
        if isinstance(call.result.facts, dict):
            found.append(call.result.facts)
    return max(found, key=len, default={})


def _excerpts(agent: str, conversations: list[ScoredConversation]) -> Iterator[Excerpt]:
    """A few turns for each kind of issue, from different cases if possible."""
    seen: dict[str, set[str]] = defaultdict(set)
    for conversation in sorted(conversations, key=lambda one: (one.verdict.run, one.verdict.case)):
        verdict, turns = conversation.verdict, conversation.filed.transcript.turns
        if not verdict.counts:
            continue
        for finding in issues(verdict):
            known = seen[finding.check]
            turn = next((at for at in finding.turns if turns[at].party == "agent"), None)
            if turn is None or verdict.case in known or len(known) == EXCERPTS_PER_CHECK:
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


def _evidence(agent: str, conversations: list[ScoredConversation], header: Run) -> IssueEvidence:
    """How every issue arose, with the text of only a few of each kind, since text takes the most room."""
    found = IssueEvidence([], [], [])
    for one in sorted(conversations, key=lambda one: (one.verdict.run, one.verdict.case)):
        if one.verdict.twin_of or not one.verdict.counts:
            continue
        found.habits.append(habits_of(agent, one, header.vocabulary))
        found.guard_hits.extend(guard_hits(one.verdict))
        found.moments.extend(moments_of(agent, one, header))
    kept: Counter[str] = Counter()
    for at in sorted(range(len(found.moments)), key=lambda at: found.moments[at].gravity, reverse=True):
        moment = found.moments[at]
        kept[moment.check] += moment.exchange is not None
        if kept[moment.check] > EXCHANGES_PER_CHECK:
            found.moments[at] = moment._replace(exchange=None)
    return found


def _together(found: list[AgentData], slugs: dict[str, str], kept: Kept, choice: Choice) -> SiteData:
    runs = [run for one in found for run in one.runs]
    board = make_board(runs)
    agents = [entry.name for entry in board.agents]
    place = {agent: number for number, agent in enumerate(agents)}
    cases: dict[str, CaseSheet] = {}
    for one in found:
        for case, sheet in one.cases.items():
            if case not in cases or (not cases[case].record and sheet.record):
                cases[case] = sheet
    rows = [row for one in found for row in one.rows]
    desk = desk_of(board, runs)
    return SiteData(
        board=board,
        runs=sorted(runs, key=lambda run: (place[run.header.agent], run.header.run)),
        rows=sorted(rows, key=lambda row: (row.case, place[row.agent], row.run)),
        cases=dict(sorted(cases.items(), key=lambda item: case_order(item[1]))),
        excerpts=sorted(
            (excerpt for one in found for excerpt in one.excerpts),
            key=lambda one: (place[one.agent], one.check, one.run, one.case),
        ),
        slugs={agent: slugs[agent] for agent in agents},
        kept=kept,
        days={one.runs[0].header.agent: (_day(one.first), _day(one.last)) for one in found},
        recommendation=recommended(board, desk, choice),
        desk=desk,
        choice=choice,
        evidence={one.runs[0].header.agent: one.evidence for one in found},
    )


_BUCKETS: tuple[Bucket, ...] = ("resolvable", "must_escalate", "adversarial")


def case_order(sheet: CaseSheet) -> tuple[bool, int, str, int, str]:
    """Headline cases by bucket, type and number, then the honest twins."""
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
