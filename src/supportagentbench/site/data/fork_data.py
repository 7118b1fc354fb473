"""Fork data: every replay of a decision, read once, and where it departs from the record."""

from collections import defaultdict
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import NamedTuple

from supportagentbench.board.fork_board import ForkBoard, fork_board
from supportagentbench.checks.issue import issues
from supportagentbench.language.customer import SENTENCE
from supportagentbench.records.fork import ForkPoint
from supportagentbench.records.problem import Problem
from supportagentbench.records.run import Run
from supportagentbench.records.transcript import Transcript, Turn
from supportagentbench.records.vocabulary import Vocabulary
from supportagentbench.results.divergence import first_differences
from supportagentbench.results.load import ScoredConversation, ScoredRun, load_conversations
from supportagentbench.site.data.quote import cut
from supportagentbench.site.data.site_data import (
    ConversationRow,
    Keep,
    Kept,
    SiteData,
    case_order,
    refuse_toy,
    row_of,
    sheet_of,
    shown_runs,
    slugs_of,
)
from supportagentbench.storage.archive import read_header
from supportagentbench.storage.run_folders import distinct_runs, refuse_mixed_versions
from supportagentbench.storage.transcripts import read_transcripts

LONGEST = 280
"""The most characters quoted from a reply; the rest is one click away."""


class Deed(NamedTuple):
    """An agent's actions and words in one turn."""

    acts: tuple[str, ...]
    """Tools that it used, except look-ups."""
    words: str
    is_cut: tuple[bool, bool]


class OtherAct(NamedTuple):
    """The first turn in which a replay carries out different actions from the record."""

    message: int
    recorded: tuple[str, ...]
    replayed: tuple[str, ...]


class Parting(NamedTuple):
    """The first turn in which a replay acts or words things differently from the record."""

    replay: int
    message: int
    """The message's number in the reader, from 1."""
    changes_outcome: bool
    """Whether one of the two is unsafe and the other is not."""
    recorded: Deed | None
    """None: the recorded conversation had ended, or is not among the site's runs."""
    replayed: Deed | None
    """None: the replay had ended."""
    other_act: OtherAct | None = None
    """None: the two take the same actions and differ only as text."""


class ForkTalk(NamedTuple):
    """The conversation that a fork was taken from."""

    turns: tuple[Turn, ...]
    """All turns, or those before the fork if the site has no more."""
    is_whole: bool


class ForkData(NamedTuple):
    """Everything that fork pages are made of. Agents have the names that pages show."""

    board: ForkBoard
    replays: SiteData
    """Every replay as a conversation whose case is the fork; its board is the site's."""
    rows: dict[tuple[str, str, int], ConversationRow]
    """By fork, agent and replay."""
    talks: dict[str, ForkTalk]
    """By fork."""
    partings: dict[tuple[str, str], Parting]
    """By fork and agent: a replay with the opposite outcome, or without one the first that differs."""


class ForkReading:
    """Reads fork runs, one after the other."""

    def __init__(self, data: SiteData, sources: dict[str, Transcript]) -> None:
        self.vocabulary = data.vocabulary
        self.sources = sources
        self.points: dict[str, ForkPoint] = {}
        self.runs: list[ScoredRun] = []
        self.by_place: dict[tuple[str, str], list[ScoredConversation]] = defaultdict(list)
        """By fork and recorded name of the agent."""
        self.partings: dict[tuple[str, str], Parting] = {}

    def read(self, folder: Path, fresh: bool) -> None:
        """Take in one run."""
        header = read_header(folder)
        self.points |= {fork.id: fork for fork in header.forks}
        found = sorted(load_conversations(folder, fresh=fresh), key=lambda one: one.verdict.case)
        for one in found:
            place = one.verdict.case, header.agent
            if any(other.verdict.run == one.verdict.run for other in self.by_place[place]):
                raise Problem(
                    f"has replay {one.verdict.run} of {place[0]} by {header.agent} again; leave it out.",
                    place=folder,
                )
            self.by_place[place].append(one)
            if one.verdict.counts:
                self._part(place, one)
        self.runs.append(ScoredRun(header, [one.verdict for one in found]))

    def _part(self, place: tuple[str, str], one: ScoredConversation) -> None:
        point = self.points[place[0]]
        found = parting_of(self.sources.get(point.transcript), one, point, self.vocabulary)
        known = self.partings.get(place)
        if found and (known is None or _rank(found) < _rank(known)):
            self.partings[place] = found

    def talk(self, fork: str) -> ForkTalk:
        """The conversation that a fork was taken from; with changed facts, only what led up to the fork."""
        point = self.points[fork]
        replay = next(found[0] for (name, _), found in self.by_place.items() if name == fork)
        prefix = replay.filed.transcript.turns[: point.place]
        whole = self.sources.get(point.transcript)
        return ForkTalk((*prefix, *(whole.turns[point.place :] if whole else ())), whole is not None)


def _rank(found: Parting) -> tuple[bool, int]:
    return not found.changes_outcome, found.replay


def gather_forks(
    paths: Iterable[Path],
    sources: Iterable[Path],
    data: SiteData,
    keep: Keep,
    kept: Kept,
    *,
    fresh: bool,
) -> ForkData:
    """Everything in these fork runs; `sources` are the site's runs that they may be taken from."""
    folders, about = distinct_runs(paths).folders, data.about
    refuse_mixed_versions(folders)
    headers = [_header(folder, data) for folder in folders]
    refuse_two_rules(headers)
    reading = ForkReading(data, recorded_of(headers, sources))
    for folder in folders:
        reading.read(folder, fresh)
    if not reading.by_place:
        raise Problem("there is no replay yet; `sab fork` makes some.", place=folders[0])
    slugs = slugs_of(sorted({header.agent for header in headers}))
    if len({about.shown_name(agent) for agent in slugs}) < len(slugs):
        raise Problem("two agents of the forks would have one name; change it in the file of --about.")
    replays = _replays(reading, data, slugs, keep, kept)
    return ForkData(
        fork_board(folders, about.shown_name),
        replays,
        {(row.case, row.agent, row.run): row for row in replays.rows},
        {fork: reading.talk(fork) for fork in replays.cases},
        {(fork, about.shown_name(agent)): one for (fork, agent), one in reading.partings.items()},
    )


def _header(folder: Path, data: SiteData) -> Run:
    """The header of a fork run that belongs to this site."""
    header = read_header(folder)
    refuse_toy(folder, header)
    if not header.forks:
        raise Problem("is a run of whole cases, not of forks; pass it without --forks.", place=folder)
    if header.world_digest != data.runs[0].header.world_digest:
        raise Problem("was made in another world than the runs of this site; leave it out.", place=folder)
    if {fork.id for fork in header.forks} != {*header.cases}:
        raise Problem("has conversations that are not replays of its forks.", place=folder)
    if known := sorted(data.cases.keys() & {*header.cases}):
        raise Problem(f"calls a fork {known[0]}, which is the name of a case.", place=folder)
    return header


def refuse_two_rules(headers: Iterable[Run]) -> None:
    """Refuse a decision chosen by two rules: one of them might feed rates and the other not."""
    points: dict[str, ForkPoint] = {}
    for fork in (fork for header in headers for fork in header.forks):
        if points.setdefault(fork.id, fork) != fork:
            raise Problem(f"{fork.id} was chosen by two rules in these folders; leave one of them out.")


def recorded_of(headers: Iterable[Run], sources: Iterable[Path]) -> dict[str, Transcript]:
    """The recorded conversations that forks were taken from, by digest, if they are in these runs."""
    wanted: dict[tuple[str, int], set[str]] = defaultdict(set)
    for fork in (fork for header in headers for fork in header.forks):
        wanted[fork.agent, fork.run].add(fork.transcript)
    found: dict[str, Transcript] = {}
    for folder in distinct_runs(sources).folders:
        header = read_header(folder)
        if digests := wanted.get((header.agent, header.run)):
            found |= {one.digest: one.transcript for one in read_transcripts(folder) if one.digest in digests}
    return found


def title_of(fork: ForkPoint, title: str) -> str:
    """A fork in a few words; `title` is that of its case."""
    call = f", after call {fork.call}" if fork.call else ""
    facts = "".join(f", {name}={value}" for name, value in sorted(fork.facts.items()))
    return f"{title}, answer to message {fork.turn}{call}{facts}"


def _replays(reading: ForkReading, data: SiteData, slugs: dict[str, str], keep: Keep, kept: Kept) -> SiteData:
    """The replays as conversations, for the reader and its index."""
    about, rows, words = data.about, [], data.vocabulary
    by_fork: dict[str, list[Transcript]] = defaultdict(list)
    for (fork, agent), found in sorted(reading.by_place.items()):
        ordered = sorted(found, key=lambda one: one.verdict.run)
        shown = kept == "all" or (kept == "flagged" and any(issues(one.verdict) for one in ordered))
        rows += [row_of(about.shown_name(agent), one, shown) for one in ordered]
        by_fork[fork] += [one.filed.transcript for one in ordered]
        if shown:
            keep(fork, slugs[agent], ordered, words)
    sheets = {}
    for fork, transcripts in by_fork.items():
        sheet, point = sheet_of(transcripts, words), reading.points[fork]
        sheets[fork] = sheet._replace(title=title_of(point, words.case_title(point.case, sheet.family)))
    return data._replace(
        runs=shown_runs(
            sorted(reading.runs, key=lambda run: (run.header.agent, run.header.run, run.header.cases)), about
        ),
        rows=rows,
        cases=dict(sorted(sheets.items(), key=lambda item: case_order(item[1]))),
        slugs={about.shown_name(agent): slug for agent, slug in slugs.items()},
        recorded={about.shown_name(agent): agent for agent in slugs},
        excerpts=[],
        evidence={},
    )


def parting_of(
    recorded: Transcript | None, one: ScoredConversation, fork: ForkPoint, vocabulary: Vocabulary
) -> Parting | None:
    """Where a replay departs from the record; without a record, what it did and said first."""
    after = one.filed.transcript.turns[fork.place :]
    before = recorded.turns[fork.place :] if recorded else ()
    acted, spoke = first_differences(before, after, partial(_acts, vocabulary=vocabulary))
    at = min((found for found in (acted, spoke) if found is not None), default=None)
    if at is None:
        return None
    then, now = (turns[at] if at < len(turns) else None for turns in (before, after))
    other_act = None
    if recorded and acted is not None:
        acts = (_acts(turns[acted], vocabulary) if acted < len(turns) else () for turns in (before, after))
        other_act = OtherAct(fork.place + acted + 1, *acts)
    unsafe = one.verdict.outcome.unsafe
    return Parting(
        one.verdict.run,
        fork.place + at + 1,
        None not in (fork.unsafe, unsafe) and unsafe != fork.unsafe,
        _deed(then, now, vocabulary) if then else None,
        _deed(now, then, vocabulary) if now else None,
        other_act,
    )


def _acts(turn: Turn, vocabulary: Vocabulary) -> tuple[str, ...]:
    """What was carried out, except look-ups: an agent that takes over looks things up again."""
    return tuple(
        call.tool
        for call in turn.calls
        if call.result.wrote or (call.result.ok and call.tool in vocabulary.by_act)
    )


def _deed(turn: Turn, other: Turn | None, vocabulary: Vocabulary) -> Deed:
    """A turn, cut to show the first sentence that the other turn lacks."""
    known = other.text if other else ""
    new = next((one for one in SENTENCE.split(turn.text) if one.strip() and one not in known), "")
    words, is_cut = cut(turn.text, new, longest=LONGEST)
    return Deed(_acts(turn, vocabulary), words, is_cut)
