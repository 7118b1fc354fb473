"""Site: builds pages that say which results are verified, and verifies pages down to their conversations."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from supportagentbench.board.missing_replays import Replayed, missing_replays, missing_words
from supportagentbench.jobs.cost_audit import audit_costs
from supportagentbench.jobs.opinion_notes import opinion_notes
from supportagentbench.jobs.rederive import DerivedRun, rederive, refuse_other_secret
from supportagentbench.jobs.repeats import repeated_words
from supportagentbench.jobs.secret import NO_SECRET, Secret
from supportagentbench.jobs.verification import dated_ahead, uncounted_in, verifications_of
from supportagentbench.records.counts import counted
from supportagentbench.records.selection import selection_signs
from supportagentbench.site.answers.written_prose import authors_in
from supportagentbench.site.build import CHANGES, PROSE, Extras, build
from supportagentbench.site.data.site_data import Kept, Watch, unwatched
from supportagentbench.site.verify import SiteExamination, SiteRuns, set_aside_in, verify
from supportagentbench.storage.archive import read_header
from supportagentbench.storage.run_folders import distinct_runs
from supportagentbench.storage.transcripts import read_transcripts

STATED = "isolation, replays and times"
"""What a header says and no conversation shows."""

UNVERIFIED_CHANGES = f"{CHANGES} is not verified: the earlier runs are not part of the site."


def build_site(
    paths: Sequence[Path],
    out: Path,
    kept: Kept = "all",
    extras: Extras = Extras(),  # noqa: B008
    revealed: Secret = NO_SECRET,
    watch: Watch = unwatched,
) -> list[str]:
    """Build the pages of these runs, with what is known of each agent's results."""
    if revealed:
        refuse_other_secret((read_header(folder) for folder in distinct_runs(paths).folders), revealed)
    found = verifications_of(paths, revealed, is_published=kept == "all")
    return build(paths, out, kept, extras._replace(verifications=found, revealed=revealed.reveal()), watch)


class SiteVerification(NamedTuple):
    """What was found in a site."""

    differences: list[str]
    """One sentence each; empty: it is what its conversations give, and these are what their cases give."""
    notes: list[str]
    """What could not be verified, and what a reader should know."""
    derived: int
    """Conversations that were played again."""
    left_out: int

    @property
    def summary(self) -> str:
        total = counted(self.derived + self.left_out, "conversation")
        return (
            f"{self.derived} of {total} were played again and are as their cases give them; "
            f"{STATED} are as the publisher states them; pictures for sharing have the right size, and what "
            "they show was not drawn again"
        )


def verify_site(site: Path, secret: Secret = NO_SECRET) -> SiteVerification:
    """Play the conversations of a site again and rebuild its pages; `secret` is one that it does not have."""
    played: list[DerivedRun] = []
    notes: list[str] = []

    def examine(given: SiteRuns) -> SiteExamination:
        revealed = Secret(given.revealed)
        folders = distinct_runs([given.runs]).folders
        runs = dict(zip(folders, rederive(folders, secret=revealed or secret), strict=True))
        played.extend(runs.values())
        if given.forks:
            replays = distinct_runs([given.forks]).folders
            played.extend(rederive(replays, [given.runs], revealed or secret))
            notes.extend(f"{words}." for words in missing_words(missing_replays(map(_replayed, replays))))
        repeated = [repeated_words(own) for own in _by_agent(folders).values()]
        copies = [sentence for one in repeated for sentence in one.copies]
        notes.extend(f"{words}." for one in repeated for words in one.likeness)
        notes.extend(opinion_notes(folders))
        costs = [audit_costs(folder) for folder in folders]
        notes.extend(sorted({audit.note for audit in costs} - {""}))
        notes.extend(_selections(folders))
        verifications = verifications_of([given.runs], revealed, lambda chosen: [runs[one] for one in chosen])
        return SiteExamination(
            [
                *(words for run in played for words in run.differences),
                *copies,
                *(words for audit in costs for words in audit.differences),
            ],
            verifications,
        )

    differences = list(verify(site, examine))
    notes += set_aside_in(site)
    if (site / CHANGES).is_file():
        notes.append(UNVERIFIED_CHANGES)
    notes += _written(site / PROSE)
    notes += _left_out(played)
    total = sum(run.conversations for run in played), sum(run.left_out for run in played)
    return SiteVerification(differences, notes, *total)


def _by_agent(folders: Iterable[Path]) -> dict[str, list[Path]]:
    found: dict[str, list[Path]] = defaultdict(list)
    for folder in folders:
        found[read_header(folder).agent].append(folder)
    return found


def _selections(folders: Iterable[Path]) -> Iterator[str]:
    """Signs that an agent's runs are a choice from more, or were not made when they say."""
    for agent, own in _by_agent(folders).items():
        signs = (*selection_signs([read_header(one) for one in own]), dated_ahead(own))
        yield from (f"{agent}: {sign}." for sign in signs if sign)


def _written(prose: Path) -> Iterator[str]:
    """Who wrote text of reports in place of code."""
    for author, count in sorted(authors_in(prose).items()):
        have = "report has" if count == 1 else "reports have"
        yield f"{count} {have} text by {author}, which is not computed."


def _replayed(folder: Path) -> Replayed:
    return read_header(folder), {filed.transcript.case for filed in read_transcripts(folder)}


def _left_out(runs: Iterable[DerivedRun]) -> Iterator[str]:
    """What was not played again and why, what does not count, and runs of parts of their sets."""
    why: Counter[str] = Counter()
    for run in runs:
        if run.part:
            yield f"{run.header.agent} run {run.header.run}: {run.part}."
        if uncounted := uncounted_in([run]):
            yield f"{run.header.agent} run {run.header.run}: {uncounted}."
        why[run.obstacle] += run.left_out
    for obstacle, count in why.items():
        if count:
            yield f"{counted(count, 'conversation')} not played again: {obstacle}."
