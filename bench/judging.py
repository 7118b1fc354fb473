"""How good judges are: opinions on conversations of the sealed part beside the faults that readers found.

python bench/judging.py ask NAME PARTS FOLDER     # what judge NAME is asked, in so many files
python bench/judging.py answers NAME=FILE…        # one or two judges' answers, one JSON line a conversation

Judged are all conversations whose writer was told to be careless, and a fifth of the others, chosen by a hash
of their names. A fault is one that both readers marked; a turn that neither marked has none.
"""

import sys
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

import msgspec

from corpus import LabelledConversation, read_corpus
from supportagentbench.checks import score
from supportagentbench.customer.voice import ScriptedVoice
from supportagentbench.judges.answer import CriterionAnswer, FindingAnswer
from supportagentbench.judges.judge import SYSTEM, opinion_on, request_for
from supportagentbench.judges.prompt import BlindTranscript
from supportagentbench.judges.rubric import criteria, shuffled
from supportagentbench.judges.to_check import SYSTEM as CHECKING
from supportagentbench.judges.to_check import (
    FindingQuestion,
    opinion_on_finding,
    questions_in,
    request_to_check,
)
from supportagentbench.records.judgement import RESOLUTION, SENTIMENT, FindingOpinion, Opinion
from supportagentbench.records.record import digest
from supportagentbench.records.run import Run
from supportagentbench.runner.run import header_of
from supportagentbench.stats.agreement import ac1, confusion, kappa
from supportagentbench.storage.transcripts import Filed
from supportagentbench.world.drawn_cases import generate
from supportagentbench.world.folder import read_world

SHARE = 5
"""One in so many of the conversations without a careless writer is judged."""


class JudgeAnswers(msgspec.Struct, frozen=True):
    """A judge's line on one conversation."""

    conversation: str
    opinions: tuple[CriterionAnswer, ...]
    findings: tuple[FindingAnswer, ...] = ()


class JudgedConversation(NamedTuple):
    """What a judge said about one conversation."""

    conversation: LabelledConversation
    opinions: tuple[Opinion, ...]
    findings: tuple[FindingOpinion, ...]

    def faulted(self) -> set[int]:
        """The turns in which the judge found a fault; how the customer felt is none."""
        rules = {
            one.turn
            for one in self.opinions
            if one.met is False and one.criterion not in (SENTIMENT, RESOLUTION)
        }
        return {turn for turn in rules if turn is not None} | {
            one.turn for one in self.findings if one.says == "confirm" and one.turn is not None
        }


def chosen() -> list[LabelledConversation]:
    """The conversations that are judged."""
    return [
        one
        for one in read_corpus("sealed")
        if one.id.startswith("careless") or crc32(one.id.encode()) % SHARE == 0
    ]


def header() -> Run:
    return header_of(generate(read_world("northline")), "all", "corpus", ScriptedVoice(), 1, 0)


def filed_as(one: LabelledConversation) -> Filed:
    return Filed(one.transcript, digest(one.transcript), 0.0, 0.0)


def to_check_in(one: LabelledConversation, run: Run) -> tuple[FindingQuestion, ...]:
    return questions_in(score(filed_as(one), run))


def questions(one: LabelledConversation, judge: str, run: Run) -> str:
    """All that a judge is asked about one conversation: the criteria, then what code marks as to check."""
    filed = filed_as(one)
    record, seed = BlindTranscript(one.transcript, run), f"{filed.digest}/{judge}/0"
    asked = shuffled(criteria(one.transcript, run), filed.digest, judge)
    parts = [f"=== {one.id}: opinions", request_for(asked, record, seed, 0).messages[1].text]
    if findings := to_check_in(one, run):
        request = request_to_check(findings, record, seed, 2)
        parts += [f"=== {one.id}: findings", request.messages[1].text]
    return "\n".join(parts)


def ask(judge: str, parts: int, folder: Path) -> None:
    """Write the questions, and what a judge is told first."""
    run, found = header(), chosen()
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "opinions.txt").write_text(SYSTEM + "\n")
    (folder / "findings.txt").write_text(CHECKING + "\n")
    for part in range(parts):
        texts = [questions(one, judge, run) for one in found[part::parts]]
        (folder / f"{judge}{part + 1}.txt").write_text("\n\n".join(texts) + "\n")
    with_findings = sum(bool(to_check_in(one, run)) for one in found)
    print(f"{len(found)} conversations, {with_findings} with findings to check")


def judged_by(path: Path) -> Iterator[JudgedConversation]:
    """A judge's answers, as the benchmark takes them: those without evidence are void."""
    run, known = header(), {one.id: one for one in chosen()}
    for line in path.read_bytes().splitlines():
        said = msgspec.json.decode(line, type=JudgeAnswers)
        one = known[said.conversation]
        record = BlindTranscript(one.transcript, run)
        asked = criteria(one.transcript, run)
        yield JudgedConversation(
            one,
            tuple(opinion_on(criterion.id, said.opinions, record) for criterion in asked),
            tuple(opinion_on_finding(each.id, said.findings, record) for each in to_check_in(one, run)),
        )


def print_judge(name: str, judged: list[JudgedConversation]) -> None:
    """One judge against the readers."""
    found = real = false = clean = with_fault = noticed = 0
    resolved: Counter[tuple[str, bool | None]] = Counter()
    void: Counter[str] = Counter()
    for one in judged:
        first, second = ({turn for turn, _, _ in reader} for reader in one.conversation.faults)
        faulted = one.faulted()
        real += len(first & second)
        found += len(first & second & faulted)
        with_fault += bool(first & second)
        noticed += bool(first & second & faulted)
        agents = {at for at, turn in enumerate(one.conversation.transcript.turns) if turn.party == "agent"}
        clean += len(agents - first - second)
        false += len(faulted & (agents - first - second))
        void.update(opinion.void or "counts" for opinion in one.opinions)
        void.update(opinion.void or "counts" for opinion in one.findings)
        met = next(opinion.met for opinion in one.opinions if opinion.criterion == RESOLUTION)
        resolved[one.conversation.resolved[0], met] += 1
    print(f"{name}: {len(judged)} conversations, opinions {dict(void)}")
    print(f"  turns with a fault that it faults {found} of {real}, without one {false} of {clean}")
    print(f"  conversations with a fault of which it names one {noticed} of {with_fault}")
    print(f"  resolution, readers and judge: {dict(resolved)}")
    says = Counter((each.check, each.says) for one in judged for each in one.findings)
    print(f"  findings to check: {dict(says)}")


def print_pair(first: list[JudgedConversation], second: list[JudgedConversation]) -> None:
    """How far two judges agree, by kind of question."""
    pairs: dict[str, list[tuple[bool, bool]]] = {}
    others = {one.conversation.id: one for one in second}
    for one in first:
        theirs = {opinion.criterion: opinion.met for opinion in others[one.conversation.id].opinions}
        for opinion in one.opinions:
            kind = opinion.criterion if opinion.criterion in (RESOLUTION, SENTIMENT) else "rules"
            other = theirs[opinion.criterion]
            if opinion.met is not None and other is not None:
                pairs.setdefault(kind, []).append((opinion.met, other))
    for kind, both in pairs.items():
        counts = confusion([mine for mine, _ in both], [other for _, other in both])
        same = (counts.both + counts.neither) / counts.items
        beyond = kappa(counts)
        shown = "–" if beyond is None else f"{beyond:.2f}"
        print(
            f"{kind}: {same:.1%} of {counts.items} the same, kappa {shown}, AC1 {ac1(counts):.2f}; {counts}"
        )


def main() -> None:
    """Questions, or figures."""
    if sys.argv[1] == "ask":
        ask(sys.argv[2], int(sys.argv[3]), Path(sys.argv[4]))
        return
    named = [word.partition("=") for word in sys.argv[2:]]
    judges = [(name, list(judged_by(Path(path)))) for name, _, path in named]
    for name, judged in judges:
        print_judge(name, judged)
    for (_, first), (_, second) in pairwise(judges):
        print_pair(first, second)


if __name__ == "__main__":
    main()
